// All errors are one class with a `code`, whose values the compiler knows.
export class FlorinError extends Error {
    name = 'FlorinError';
    code;
    status;
    request_id;
    retry_after_s;
    token_is_valid;
    lacks_permission;
    /**
     * The change may have been applied: check, or retry with `idempotency_key`. Always false for a
     * read and for a login.
     */
    outcome_unknown;
    /** The key of the change that failed; undefined for a request without one. */
    idempotency_key;
    constructor(code, message, details = {}) {
        super(message, details.cause === undefined ? undefined : { cause: details.cause });
        this.code = code;
        this.status = details.status;
        this.request_id = details.request_id;
        this.retry_after_s = details.retry_after_s;
        this.token_is_valid = details.token_is_valid ?? false;
        this.lacks_permission = details.lacks_permission ?? false;
        this.outcome_unknown = details.outcome_unknown ?? false;
        this.idempotency_key = details.idempotency_key;
    }
}
/** Turns an error response into a FlorinError. */
export function errorOf(response) {
    const { status, headers, text } = response;
    const body = readBody(text);
    const challenge = readChallenge(headers.get('www-authenticate'));
    const details = {
        status,
        request_id: headers.get('request-id') ?? undefined,
        retry_after_s: readRetryAfter(headers.get('retry-after')),
        token_is_valid: challenge !== undefined && challenge !== 'invalid_token',
        lacks_permission: challenge === 'insufficient_scope',
    };
    if (body !== undefined)
        return new FlorinError(body.error, body.message, details);
    const message = `The response with status ${status} is not from Florin. ` +
        'Check "base_url" and any proxy in between.';
    return new FlorinError('unexpected_response', message, details);
}
function readBody(text) {
    try {
        const { error, message } = JSON.parse(text);
        return typeof error === 'string' && typeof message === 'string' ? { error, message } : undefined;
    }
    catch {
        return undefined;
    }
}
/** The error code of a 401. Florin sends none for an expired token. */
function readChallenge(text) {
    return /\berror="?(\w+)/.exec(text ?? '')?.[1];
}
/** Florin sends seconds; a proxy may send a date. */
function readRetryAfter(text) {
    if (text === null)
        return undefined;
    if (/^\d+$/.test(text))
        return Number(text);
    const at_ms = Date.parse(text);
    return Number.isNaN(at_ms) ? undefined : Math.max(0, (at_ms - Date.now()) / 1000);
}

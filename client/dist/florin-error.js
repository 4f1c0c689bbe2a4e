// Everything that goes wrong is one class with a code, so that a program decides by `code` and the
// compiler knows every code there is.
export class FlorinError extends Error {
    name = 'FlorinError';
    code;
    status;
    request_id;
    retry_after_s;
    token_is_valid;
    lacks_permission;
    constructor(code, message, details = {}) {
        super(message, details.cause === undefined ? undefined : { cause: details.cause });
        this.code = code;
        this.status = details.status;
        this.request_id = details.request_id;
        this.retry_after_s = details.retry_after_s;
        this.token_is_valid = details.token_is_valid ?? false;
        this.lacks_permission = details.lacks_permission ?? false;
    }
}
/** The error that an answer is. */
export function errorOf({ status, headers, text }) {
    const told = readBody(text);
    const challenge = readChallenge(headers.get('www-authenticate'));
    const details = {
        status,
        request_id: headers.get('request-id') ?? undefined,
        retry_after_s: readRetryAfter(headers.get('retry-after')),
        token_is_valid: challenge !== undefined && challenge !== 'invalid_token',
        lacks_permission: challenge === 'insufficient_scope',
    };
    if (told !== undefined)
        return new FlorinError(told.error, told.message, details);
    const message = `The response with status ${status} is not Florin's. ` +
        'Look at base_url, and at what stands between here and there.';
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
/** What a 401 says is wrong. Florin says nothing of a token that has ended. */
function readChallenge(text) {
    return /\berror="?(\w+)/.exec(text ?? '')?.[1];
}
/** Seconds, as Florin sends them, or a date, as a proxy may. */
function readRetryAfter(text) {
    if (text === null)
        return undefined;
    if (/^\d+$/.test(text))
        return Number(text);
    const at_ms = Date.parse(text);
    return Number.isNaN(at_ms) ? undefined : Math.max(0, (at_ms - Date.now()) / 1000);
}

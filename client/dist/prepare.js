// Builds a request once, so that every attempt sends the same body and Idempotency-Key.
export function prepare(call, options, context) {
    const keyed = call.takes_idempotency_key === true && context.session !== undefined;
    const account = call.takes_account ? (options.account ?? context.account) : undefined;
    return {
        url: `${context.base_url}${call.path}${printQuery(rejectUnknown(call))}`,
        method: call.method,
        headers: {
            accept: acceptOf(call),
            ...(account === undefined ? {} : { 'florin-account': account }),
            ...(keyed ? { 'idempotency-key': options.idempotency_key ?? newKey() } : {}),
            ...contentType(call),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body, rejectHiddenNull),
        takes_token: call.takes_token === true,
        session: context.session,
        is_repeatable: call.retryable !== false && (call.method === 'GET' || keyed),
    };
}
/** Errors are JSON. */
function acceptOf({ accept }) {
    return accept === undefined ? 'application/json' : `${accept}, application/json`;
}
function contentType(call) {
    if ('file' in call)
        return { 'content-type': 'application/octet-stream' };
    return call.body === undefined ? {} : { 'content-type': 'application/json' };
}
/**
 * JSON.stringify writes NaN and Infinity as null, and in metadata null deletes a key. The toJSON of
 * an invalid date returns null before the replacer runs, so this reads the original from `this`.
 */
function rejectHiddenNull(name, value) {
    const original = this[name];
    const is_number = typeof value === 'number' || value instanceof Number;
    const is_hidden = is_number
        ? !Number.isFinite(Number(value))
        : value === null && original !== null;
    if (!is_hidden)
        return value;
    throw new TypeError(`"${name}" is ${original}, which JSON would send as null. Nothing was sent.`);
}
/** Some endpoints ignore unknown parameters, so a misspelled filter would list everything. */
function rejectUnknown({ method, path, query = {}, query_names }) {
    const unknown = Object.keys(query).find((name) => query_names?.includes(name) === false);
    if (unknown === undefined)
        return query;
    throw new TypeError(`"${unknown}" is not a query parameter of ${method} ${path}. ` +
        `Allowed: ${query_names.join(', ')}. Nothing was sent.`);
}
function printQuery(query) {
    const entries = Object.entries(query).filter(([, value]) => value !== undefined);
    if (entries.length === 0)
        return '';
    return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}
/** 128 random bits. Not randomUUID, which browsers provide only on https pages. */
export function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

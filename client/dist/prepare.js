// What of a request stays the same from try to try: the body to the byte, and the key.
export function prepare(call, options, context) {
    const keyed = call.takes_idempotency_key === true && context.session !== undefined;
    const account = call.takes_account ? (options.account ?? context.account) : undefined;
    return {
        url: `${context.base_url}${call.path}${printQuery(rejectUnknown(call))}`,
        method: call.method,
        headers: {
            accept: 'application/json',
            ...(account === undefined ? {} : { 'florin-account': account }),
            ...(keyed ? { 'idempotency-key': options.idempotency_key ?? newKey() } : {}),
            ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body, refuseHiddenNull),
        takes_token: call.takes_token === true,
        session: context.session,
        is_repeatable: call.retryable !== false && (call.method === 'GET' || keyed),
    };
}
/**
 * JSON writes NaN and Infinity as null, and in metadata a null deletes. Of a date that is none its
 * toJSON has made null before it comes here, so the holder is asked what was given.
 */
function refuseHiddenNull(name, value) {
    const given = this[name];
    const is_number = typeof value === 'number' || value instanceof Number;
    const is_hidden = is_number ? !Number.isFinite(Number(value)) : value === null && given !== null;
    if (!is_hidden)
        return value;
    throw new TypeError(`${name} is ${given}, which JSON would send as null. Nothing was sent.`);
}
/** The contract's endpoints ignore an unknown parameter, so a misspelled filter would list all. */
function rejectUnknown({ method, path, query = {}, query_names }) {
    const unknown = Object.keys(query).find((name) => query_names?.includes(name) === false);
    if (unknown === undefined)
        return query;
    throw new TypeError(`"${unknown}" is not a query parameter of ${method} ${path}. ` +
        `Allowed: ${query_names.join(', ')}. Nothing was sent.`);
}
export function printQuery(query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    if (given.length === 0)
        return '';
    return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
/** 128 random bits. randomUUID would do, but browsers have it on https pages only. */
export function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

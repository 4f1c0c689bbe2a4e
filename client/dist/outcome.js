// The one rule for "was it sent, did it happen?": what a failed attempt proves about its change,
// and whether a retry may succeed. The CLI, the MCP server and the dashboard rely on it.
import { FlorinError } from './florin-error.js';
/** What the error of one attempt proves. For a whole call, see `outcome_unknown` of the error. */
export function verdictOf({ code, status, cause }) {
    if (code === 'timed_out')
        return { outcome: 'unknown', is_transient: true };
    if (code === 'connection_failed') {
        return { outcome: wasNeverSent(cause) ? 'not_sent' : 'unknown', is_transient: true };
    }
    // Errors of the client itself: a missing refresh token, a session that was replaced.
    if (status === undefined)
        return { outcome: 'not_applied', is_transient: false };
    // Florin returns 503 also if it cannot prove that a change was committed. A proxy returns 502 or
    // 504 after it forwarded a request and lost the response.
    if (status >= 500)
        return { outcome: 'unknown', is_transient: [502, 503, 504].includes(status) };
    // A success that is not from Florin: a proxy may have replaced the body.
    if (status < 300)
        return { outcome: 'unknown', is_transient: false };
    // 409: an earlier attempt with this key is in progress. 422: the key belongs to another request.
    const is_in_progress = code === 'idempotency_conflict' && status === 409;
    if (status === 429 || is_in_progress)
        return { outcome: 'not_applied', is_transient: true };
    // Rejected before Florin looked at the key.
    if (status === 401 || code === 'unexpected_response') {
        return { outcome: 'not_applied', is_transient: false };
    }
    // A 4xx about the request. If an earlier attempt had been applied, the Idempotency-Key would have
    // returned its stored response.
    return { outcome: 'refused', is_transient: false };
}
/** Whether a retry of the same request may succeed. */
export function isTransient(error) {
    return error instanceof FlorinError && verdictOf(error).is_transient;
}
const never_sent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
/**
 * Only without a connection is it certain that nothing was sent. Node.js has the reason in the
 * cause of its "fetch failed". Browsers give no reason, so the request may have been sent.
 */
function wasNeverSent(fetch_failed) {
    const cause = fetch_failed instanceof Error ? fetch_failed.cause : undefined;
    return typeof cause === 'object' && cause !== null && failedToConnect(cause);
}
function failedToConnect({ code, syscall, errors }) {
    if (Array.isArray(errors) && errors.length > 0)
        return errors.every(failedToConnect);
    if (syscall === 'connect' || syscall === 'getaddrinfo' || never_sent.includes(code))
        return true;
    // An untrusted certificate closes the connection before the request is sent.
    return typeof code === 'string' && /CERT|^UNABLE_TO_/.test(code);
}
/** The error to throw for a change, with what is known about its outcome. */
export function withOutcome(error, { lost, idempotency_key }) {
    const outcome_unknown = lost !== undefined && verdictOf(error).outcome !== 'refused';
    const known = { idempotency_key, outcome_unknown };
    if (!outcome_unknown)
        return copyOf(error, known, error.message);
    // The error of a later attempt does not hide that Florin's response to an earlier one is missing.
    const hides = isResponseMissing(lost) && !isResponseMissing(error) && lost.code !== error.code;
    if (!hides)
        return copyOf(error, known, withWarning(error));
    const next = `The next attempt failed with ${error.code}: ${error.message}`;
    return copyOf(lost, { ...known, cause: error }, `${withWarning(lost)} ${next}`);
}
function isResponseMissing({ code, status = 0 }) {
    if (code === 'unexpected_response')
        return status >= 500;
    return code === 'connection_failed' || code === 'timed_out';
}
/** Florin's own 5xx messages include the advice. */
function withWarning(error) {
    const is_from_florin = (error.status ?? 0) >= 500 && error.code !== 'unexpected_response';
    return is_from_florin ? error.message : `${error.message} The change may have been applied.`;
}
function copyOf(error, more, message) {
    return new FlorinError(error.code, message, { ...error, cause: error.cause, ...more });
}

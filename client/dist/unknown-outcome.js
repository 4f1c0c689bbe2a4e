// A change without a response may have been applied. The error of a later attempt must not hide
// that from a caller who would repeat the change.
import { FlorinError } from './florin-error.js';
/** Whether the request may have been sent and Florin's response is missing. */
export function isOutcomeUnknown(error) {
    if (!(error instanceof FlorinError))
        return false;
    if (error.code === 'timed_out' || isFromProxy(error))
        return true;
    return error.code === 'connection_failed' && !neverSent.includes(codeOf(error.cause));
}
// A proxy may have forwarded the request and lost the response or timed out.
function isFromProxy({ code, status = 0 }) {
    return code === 'unexpected_response' && status >= 500;
}
// Codes of Node.js. Browsers give no reason, so the request may have been sent.
const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
/** The error of Node.js is "fetch failed"; its cause has the code. */
function codeOf(cause) {
    const inner = cause instanceof Error ? cause.cause : undefined;
    return inner?.code;
}
/** The error to throw if one attempt was lost and another error ended the call. */
export function withUnknownOutcome(lost, error) {
    // The caller's signal and bugs in the client are thrown unchanged.
    if (!(error instanceof FlorinError) || isAboutRequest(error))
        return error;
    if (error.code === 'connection_failed' || error.code === 'timed_out')
        return error;
    if (isFromProxy(lost) && isFromProxy(error))
        return asUnknown(error);
    const { message, status } = isFromProxy(lost) ? asUnknown(lost) : lost;
    const both = `${message} The next attempt failed with ${error.code}: ${error.message}`;
    return new FlorinError(lost.code, both, { status, cause: error });
}
/** Other codes always imply an unknown outcome; unexpected_response does not. */
function asUnknown(error) {
    return new FlorinError(error.code, `${error.message} The change may have been applied.`, error);
}
/**
 * A 4xx about the request proves that the lost attempt had no effect: otherwise the Idempotency-Key
 * would have returned its stored response. 401, 429, and 409 for a key in progress prove nothing,
 * nor do 5xx and responses that are not from Florin.
 */
function isAboutRequest({ code, status = 0 }) {
    if (code === 'unexpected_response' || status === 401 || status === 429)
        return false;
    if (code === 'idempotency_conflict' && status === 409)
        return false;
    return status >= 400 && status < 500;
}

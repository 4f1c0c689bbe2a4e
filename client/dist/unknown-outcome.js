// A change that was sent and never answered may have happened. What a later try hears must not hide
// that from whoever would ask for it again.
import { FlorinError } from './florin-error.js';
/** Whether it was sent, as far as anybody knows, and no answer of Florin came. */
export function isOutcomeUnknown(error) {
    if (!(error instanceof FlorinError))
        return false;
    if (error.code === 'timed_out' || isOfProxy(error))
        return true;
    return error.code === 'connection_failed' && !neverSent.includes(codeOf(error.cause));
}
// It may have passed the request on, and then lost the answer or waited for it in vain.
function isOfProxy({ code, status = 0 }) {
    return code === 'unexpected_response' && status >= 500;
}
// Node says so; browsers do not say why, and then it may have been sent.
const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
/** Node's fetch says "fetch failed", and why one level deeper. */
function codeOf(cause) {
    const inner = cause instanceof Error ? cause.cause : undefined;
    return inner?.code;
}
/** What to throw where a try was lost and another error ended the call. */
export function withUnknownOutcome(lost, error) {
    // Neither the caller's own signal nor a fault of ours is an answer to anything.
    if (!(error instanceof FlorinError) || isAboutRequest(error))
        return error;
    if (error.code === 'connection_failed' || error.code === 'timed_out')
        return error;
    if (isOfProxy(lost) && isOfProxy(error))
        return inDoubt(error);
    const { message, status } = isOfProxy(lost) ? inDoubt(lost) : lost;
    const both = `${message} The try after it ended with ${error.code}: ${error.message}`;
    return new FlorinError(lost.code, both, { status, cause: error });
}
/** The other codes say so by what they mean; this one is of refusals too. */
function inDoubt(error) {
    return new FlorinError(error.code, `${error.message} The change may have happened.`, error);
}
/**
 * An answer to the request itself says that the lost try did nothing: under its key, what was done
 * would have been answered again. Who may not ask now (401), must wait (429) or comes while the
 * first is under way (409) hears nothing about it; nor does anybody from a server that fails, or
 * from something that is not Florin.
 */
function isAboutRequest({ code, status = 0 }) {
    if (code === 'unexpected_response' || status === 401 || status === 429)
        return false;
    if (code === 'idempotency_conflict' && status === 409)
        return false;
    return status >= 400 && status < 500;
}

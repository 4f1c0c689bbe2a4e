// When the same request is sent again, and after how long.
import { FlorinError } from './florin-error.js';
// Two attempts within the first two seconds get over a restart; doubling keeps a crowd of clients from
// holding down a server that is on its way up.
const first_wait_ms = 500;
const longest_wait_ms = 8_000;
// Someone waits for the answer. Whoever is told to wait longer than this is told so by the error.
const patience_s = 30;
/** How long to wait before the next try; undefined when there must be none. */
export function waitBeforeRetry(error, attempts, random) {
    if (!isTransient(error))
        return undefined;
    const { retry_after_s = 0 } = error;
    if (retry_after_s > patience_s)
        return undefined;
    return retry_after_s * 1000 + backoff(attempts, random);
}
/** Somewhere between half and all of a wait that doubles: many clients must not come as one. */
export function backoff(attempts, random) {
    const wait_ms = Math.min(longest_wait_ms, first_wait_ms * 2 ** (attempts - 1));
    return wait_ms * (0.5 + random / 2);
}
/** Whether the same request may well succeed a little later. */
export function isTransient(error) {
    if (!(error instanceof FlorinError))
        return false;
    if (error.code === 'connection_failed' || error.code === 'timed_out')
        return true;
    // 409 says that the first request with this key is under way; 422 that the key was used for
    // another request, and that stays so.
    if (error.code === 'idempotency_conflict')
        return error.status === 409;
    // 502 and 504 are what a proxy says for Florin.
    return [429, 502, 503, 504].includes(error.status ?? 0);
}
/** Waits, unless the signal ends it first. */
export function pause(wait_ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, wait_ms);
        if (signal?.aborted)
            stop();
        else
            signal?.addEventListener('abort', stop, { once: true });
    });
}

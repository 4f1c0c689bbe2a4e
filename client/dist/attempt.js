// One request on the wire: within its time, and ended by the caller's signal.
import { FlorinError } from './florin-error.js';
/** Sends it and reads the answer to its end, all within the limits. */
export async function attempt(fetcher, url, init, limits) {
    const deadline = new Deadline(limits);
    try {
        const response = await deadline.fetch(fetcher, url, init);
        const text = await deadline.translateErrors(() => response.text());
        return { status: response.status, headers: response.headers, text };
    }
    finally {
        deadline.end();
    }
}
// A timer that is told to wait longer, or for ever, waits for a millisecond. These are 24 days.
const timeout_max_ms = 2_147_483_647;
/**
 * A time-out and the caller's signal in one. AbortSignal.any would do, but it is younger than some
 * browsers in use, and leaked in early versions of Node 20.
 */
export class Deadline {
    #limits;
    #controller = new AbortController();
    #abort = () => this.#controller.abort(this.#limits.signal?.reason);
    #timer;
    #timed_out_ms;
    constructor(limits) {
        limits.signal?.throwIfAborted();
        this.#limits = limits;
        limits.signal?.addEventListener('abort', this.#abort, { once: true });
        this.restart(limits.timeout_ms);
    }
    /** The time begins anew: a stream that was alive a moment ago has its whole time again. */
    restart(timeout_ms) {
        this.suspend();
        this.#timer = setTimeout(() => {
            this.#timed_out_ms = timeout_ms;
            this.#controller.abort();
        }, Math.min(timeout_ms, timeout_max_ms));
    }
    /** While nothing is asked of the other side, it cannot be late. */
    suspend() {
        clearTimeout(this.#timer);
    }
    fetch(fetcher, url, init) {
        // A redirect would turn a POST into a GET, or carry the request to another host.
        const whole = { ...init, redirect: 'manual', signal: this.#controller.signal };
        return this.translateErrors(() => fetcher(url, whole));
    }
    /** Says in our words why the work failed. */
    async translateErrors(work) {
        try {
            return await work();
        }
        catch (cause) {
            const { signal } = this.#limits;
            if (signal?.aborted)
                throw signal.reason;
            if (this.#timed_out_ms !== undefined) {
                throw new FlorinError('timed_out', `No answer within ${this.#timed_out_ms} ms.`, { cause });
            }
            throw new FlorinError('connection_failed', `The connection to Florin failed: ${reasonOf(cause)}. Look whether it runs at base_url.`, { cause });
        }
    }
    end() {
        this.suspend();
        this.#limits.signal?.removeEventListener('abort', this.#abort);
        // Nobody reads on: this closes the connection of a stream.
        this.#controller.abort();
    }
}
/** Node says "fetch failed" and hides why one level deeper. */
function reasonOf(cause) {
    if (!(cause instanceof Error))
        return String(cause);
    const inner = cause.cause;
    return inner instanceof Error && inner.message !== '' ? inner.message : cause.message;
}

// Sends one request, with a timeout and the caller's AbortSignal.
import { concat } from './file-content.js';
import { FlorinError } from './florin-error.js';
/** Sends the request and reads the complete response within the limits. */
export async function attempt(fetcher, url, init, limits) {
    const deadline = new Deadline(limits);
    try {
        const response = await deadline.fetch(fetcher, url, init);
        const bytes = await deadline.read(response, limits.timeout_ms);
        const text = new TextDecoder().decode(bytes);
        return { status: response.status, headers: response.headers, text, bytes };
    }
    finally {
        deadline.end();
    }
}
// The maximum delay of setTimeout, 24 days. Longer delays and Infinity fire after one millisecond.
const timeout_max_ms = 2_147_483_647;
/**
 * Combines a timeout with the caller's signal. AbortSignal.any would do, but some browsers in use
 * lack it, and it leaks memory in early versions of Node.js 20.
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
    /** Restarts the timeout, for example when a stream has received data. */
    restart(timeout_ms) {
        this.suspend();
        this.#timer = setTimeout(() => {
            this.#timed_out_ms = timeout_ms;
            this.#controller.abort();
        }, Math.min(timeout_ms, timeout_max_ms));
    }
    /** Stops the timeout while the client does not wait for the server. */
    suspend() {
        clearTimeout(this.#timer);
    }
    fetch(fetcher, url, init) {
        // Following a redirect could turn a POST into a GET or send the credentials to another host.
        const request = { ...init, redirect: 'manual', signal: this.#controller.signal };
        return this.translateErrors(() => fetcher(url, request));
    }
    /** Reads the body. The timeout restarts with each part, so a long statement may take longer. */
    async read(response, timeout_ms) {
        // Missing for an empty response, and in runtimes without streams, such as React Native.
        if (!response.body)
            return this.translateErrors(() => readWhole(response));
        const reader = response.body.getReader();
        const parts = [];
        for (;;) {
            this.restart(timeout_ms);
            const { done, value } = await this.translateErrors(() => reader.read());
            if (done)
                return concat(parts);
            parts.push(value);
        }
    }
    /** Turns failures into a FlorinError, or the reason of the caller's signal. */
    async translateErrors(work) {
        try {
            return await work();
        }
        catch (cause) {
            const { signal } = this.#limits;
            if (signal?.aborted)
                throw signal.reason;
            if (this.#timed_out_ms !== undefined) {
                throw new FlorinError('timed_out', `No response within ${this.#timed_out_ms} ms.`, {
                    cause,
                });
            }
            throw new FlorinError('connection_failed', `The connection to Florin failed: ${reasonOf(cause)}. Check "base_url" and the server.`, { cause });
        }
    }
    end() {
        this.suspend();
        this.#limits.signal?.removeEventListener('abort', this.#abort);
        // Closes the connection of a stream.
        this.#controller.abort();
    }
}
/** Older versions of React Native lack `arrayBuffer`, so it is used for files only. */
async function readWhole(response) {
    const is_file = response.headers.get('content-type')?.startsWith('application/pdf');
    if (is_file)
        return new Uint8Array(await response.arrayBuffer());
    return new TextEncoder().encode(await response.text());
}
/** The message of Node.js is "fetch failed"; its cause has the reason. */
function reasonOf(cause) {
    if (!(cause instanceof Error))
        return String(cause);
    const inner = cause.cause;
    return inner instanceof Error && inner.message !== '' ? inner.message : cause.message;
}

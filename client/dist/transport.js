// Sends calls: retries, token refresh, pagination and streams.
import { attempt, Deadline } from './attempt.js';
import { Credentials } from './credentials.js';
import { followEvents } from './event-stream.js';
import { readContent } from './file-content.js';
import { errorOf, FlorinError } from './florin-error.js';
import { verdictOf, withOutcome } from './outcome.js';
import { CursorPage, NumberedPage, PageRequest } from './pages.js';
import { prepare } from './prepare.js';
import { pause, waitBeforeRetry } from './retry.js';
export class Transport {
    credentials;
    #options;
    constructor(options) {
        this.#options = options;
        this.credentials = new Credentials(options, (tokens) => this.#refresh(tokens));
    }
    json(call, options) {
        return this.#send(call, options, (response) => {
            try {
                return JSON.parse(response.text);
            }
            catch {
                throw errorOf(response);
            }
        });
    }
    text(call, options) {
        return this.#send(call, options, ({ text }) => text);
    }
    /** A file. Another type, such as the page of a proxy, is an error. */
    bytes(call, options) {
        return this.#send(call, options, (response) => {
            if (response.headers.get('content-type')?.startsWith(call.accept))
                return response.bytes;
            throw errorOf(response);
        });
    }
    raw(call, options) {
        return this.#send(call, options, (response) => response);
    }
    cursorPages(call, options) {
        const load = async (query) => new CursorPage(await this.json({ ...call, query }, options), { ...call, query }, load);
        return new PageRequest(() => load(call.query ?? {}));
    }
    numberedPages(call, options) {
        const load = async (query) => new NumberedPage(await this.json({ ...call, query }, options), query, load);
        return new PageRequest(() => load(call.query ?? {}));
    }
    stream(call, options) {
        const { after, type } = call.query ?? {};
        const newest = { ...call, path: '/v1/events', query: { limit: 1 } };
        // Reconnections use the session of the first connection only.
        let started;
        return followEvents(after, options.signal, {
            findLastSequence: async () => {
                const page = await this.json(newest, options);
                return page.data[0]?.sequence ?? 0;
            },
            open: (start) => {
                const request = this.#prepare({ ...call, query: { type } }, options);
                started ??= { session: request.session };
                return this.#open({ ...request, ...started }, options, start);
            },
            onRetry: options.onRetry,
            includes_account_closed: [undefined, 'account.*', 'account.closed'].includes(type),
        });
    }
    /** Never retried: the token works once, and a lost request may have used it. */
    #refresh({ refresh_token }) {
        return this.json({ method: 'POST', path: '/v1/auth/refresh', body: { refresh_token } }, {});
    }
    async #send(call, options, read) {
        const request = this.#prepare(call, options);
        if ('file' in call)
            request.body = await readContent(call.file, options.signal);
        return this.#sendTracked(request, options, async (init) => {
            const limits = this.#limits(options);
            const response = await attempt(this.#options.fetch, request.url, init, limits);
            if (response.status < 200 || response.status > 299)
                throw errorOf(response);
            return read(response);
        });
    }
    /** Opens a stream. The timeout applies until the response headers. */
    async #open(request, options, { position, is_first }) {
        request.headers.accept = 'text/event-stream';
        request.headers['last-event-id'] = String(position);
        // followEvents retries reconnections without a limit, so only the first one is retried here.
        const retry_options = is_first ? options : { ...options, retries_max: 0 };
        return this.#sendTracked(request, retry_options, async (init) => {
            const deadline = new Deadline(this.#limits(options));
            try {
                const response = await deadline.fetch(this.#options.fetch, request.url, init);
                if (response.status === 200 && response.body !== null) {
                    return { body: response.body, deadline };
                }
                const bytes = await deadline.read(response, this.#limits(options).timeout_ms);
                if (response.status === 204) {
                    deadline.end();
                    return undefined;
                }
                const text = new TextDecoder().decode(bytes);
                throw errorOf({ status: response.status, headers: response.headers, text });
            }
            catch (error) {
                deadline.end();
                throw error;
            }
        });
    }
    #prepare(call, options) {
        const { base_url, account } = this.#options;
        return prepare(call, options, { base_url, account, session: this.credentials.session });
    }
    #limits({ timeout_ms, signal }) {
        return { timeout_ms: timeout_ms ?? this.#options.timeout_ms, signal };
    }
    /**
     * A retry never runs unauthenticated or in another session: it would sign up a user, or make the
     * change for another caller.
     */
    #bearerFor(request, before) {
        if (!request.takes_token || request.session === undefined)
            return undefined;
        const { session, bearer } = this.credentials;
        if (session !== request.session)
            throw this.credentials.sessionEndedError(before);
        return bearer;
    }
    /** Sends with retries. A change that may have been applied is reported whatever error follows. */
    async #sendTracked(request, options, work) {
        // Login and token refresh take no token; their unknown outcome does not matter.
        const is_change = request.method !== 'GET' && request.takes_token;
        if (!is_change)
            return this.#sendWithRetries(request, options, work);
        const idempotency_key = request.headers['idempotency-key'];
        const change = { idempotency_key, lost: undefined };
        const workOnce = async (init) => {
            try {
                return await work(init);
            }
            catch (error) {
                if (error instanceof FlorinError && verdictOf(error).outcome === 'unknown') {
                    change.lost ??= error;
                }
                throw error;
            }
        };
        try {
            return await this.#sendWithRetries(request, options, workOnce);
        }
        catch (error) {
            // The caller's signal and bugs in the client are thrown unchanged.
            throw error instanceof FlorinError ? withOutcome(error, change) : error;
        }
    }
    /** Retries transient errors, and refreshes an expired token once. */
    async #sendWithRetries(request, options, work) {
        const retries_max = options.retries_max ?? this.#options.retries_max;
        let refreshed = false;
        let attempts = 0;
        let bearer;
        for (;;) {
            bearer = this.#bearerFor(request, bearer);
            try {
                return await work(initOf(request, bearer));
            }
            catch (error) {
                if (!refreshed && bearer !== undefined && isTokenExpired(error)) {
                    refreshed = true;
                    if (await this.credentials.replace(bearer, options.signal))
                        continue;
                    throw error;
                }
                attempts += 1;
                if (!request.is_repeatable || attempts > retries_max)
                    throw error;
                const wait_ms = waitBeforeRetry(error, attempts, Math.random());
                if (wait_ms === undefined)
                    throw error;
                options.onRetry?.(error);
                await pause(wait_ms, options.signal);
            }
        }
    }
}
function initOf({ method, headers, body }, bearer) {
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return { method, headers: toHeaders({ ...headers, ...authorization }), body };
}
/** Rejects invalid header values, because fetch reports some of them as a lost connection. */
function toHeaders(values) {
    for (const [name, value] of Object.entries(values)) {
        // Headers trims white space, such as the line ending of a file.
        if (/^[\t\n\r ]*[\x20-\x7e]*[\t\n\r ]*$/.test(value))
            continue;
        const shown = name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase());
        throw new TypeError(`The value of ${shown} must be printable ASCII. Nothing was sent.`);
    }
    return new Headers(values);
}
/** A 401 with a valid token means a missing permission or a wrong password. */
function isTokenExpired(error) {
    return error instanceof FlorinError && error.status === 401 && !error.token_is_valid;
}

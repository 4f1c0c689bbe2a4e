// Carries a call to Florin: its attempts, and new tokens where the old ones have ended.
import { attempt, Deadline } from './attempt.js';
import { Credentials } from './credentials.js';
import { followEvents } from './event-stream.js';
import { errorOf, FlorinError } from './florin-error.js';
import { CursorPage, NumberedPage, PageRequest } from './pages.js';
import { prepare } from './prepare.js';
import { pause, waitBeforeRetry } from './retry.js';
import { isOutcomeUnknown, withUnknownOutcome } from './unknown-outcome.js';
export class Transport {
    credentials;
    #options;
    constructor(options) {
        this.#options = options;
        this.credentials = new Credentials(options, (refresh_token) => this.#refresh(refresh_token));
    }
    async json(call, options) {
        const response = await this.#send(call, options);
        try {
            return JSON.parse(response.text);
        }
        catch {
            throw errorOf(response);
        }
    }
    async text(call, options) {
        return (await this.#send(call, options)).text;
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
        // Of the first connection: the next ones go on for whoever began, and for nobody else.
        let begun;
        return followEvents(after, options.signal, {
            findLastSequence: async () => {
                const page = await this.json(newest, options);
                return page.data[0]?.sequence ?? 0;
            },
            open: (start) => {
                const request = this.#prepare({ ...call, query: { type } }, options);
                begun ??= { session: request.session };
                return this.#open({ ...request, ...begun }, options, start);
            },
            includes_account_closed: [undefined, 'account.*', 'account.closed'].includes(type),
        });
    }
    /** Without a retry: the token works once, and nobody knows whether a lost request used it. */
    #refresh(refresh_token) {
        return this.json({ method: 'POST', path: '/v1/auth/refresh', body: { refresh_token } }, {});
    }
    async #send(call, options) {
        const request = this.#prepare(call, options);
        return this.#persist(request, options, async (init) => {
            const limits = this.#limits(options);
            const response = await attempt(this.#options.fetch, request.url, init, limits);
            if (response.status < 200 || response.status > 299)
                throw errorOf(response);
            return response;
        });
    }
    /** The head of a stream within the time-out; its body as it comes. */
    async #open(request, options, { position, is_first }) {
        request.headers.accept = 'text/event-stream';
        request.headers['last-event-id'] = String(position);
        // A stream that was open before goes on for ever; the first opening tells that it cannot be.
        const patience = is_first ? options : { ...options, retries_max: 0 };
        return this.#persist(request, patience, async (init) => {
            const deadline = new Deadline(this.#limits(options));
            try {
                const response = await deadline.fetch(this.#options.fetch, request.url, init);
                if (response.status === 200 && response.body !== null) {
                    return { body: response.body, deadline };
                }
                const text = await deadline.translateErrors(() => response.text());
                if (response.status === 204) {
                    deadline.end();
                    return undefined;
                }
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
     * Whoever asked as somebody never asks as nobody: then a retry would sign somebody up. Nor as
     * somebody else: then it would do for them what they never asked for.
     */
    #bearerFor(request, before) {
        if (!request.takes_token || request.session === undefined)
            return undefined;
        const { session, bearer } = this.credentials;
        if (session !== request.session)
            throw this.credentials.sessionEndedError(before);
        return bearer;
    }
    /** Tries, and tells of a change that may have happened whatever the attempts after it heard. */
    async #persist(request, options, work) {
        // Logging in and renewing tokens take none, and are no change that anybody would look for.
        const is_change = request.method !== 'GET' && request.takes_token;
        let lost;
        const workOnce = async (init) => {
            try {
                return await work(init);
            }
            catch (error) {
                if (is_change && isOutcomeUnknown(error))
                    lost ??= error;
                throw error;
            }
        };
        try {
            return await this.#sendWithRetries(request, options, workOnce);
        }
        catch (error) {
            throw lost === undefined ? error : withUnknownOutcome(lost, error);
        }
    }
    /** Tries until there is an response, or nothing left to hope for. */
    async #sendWithRetries(request, options, work) {
        const retries_max = options.retries_max ?? this.#options.retries_max;
        let renewed = false;
        let attempts = 0;
        let bearer;
        for (;;) {
            bearer = this.#bearerFor(request, bearer);
            try {
                return await work(initOf(request, bearer));
            }
            catch (error) {
                if (!renewed && bearer !== undefined && hasEnded(error)) {
                    renewed = true;
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
                await pause(wait_ms, options.signal);
            }
        }
    }
}
function initOf({ method, headers, body }, bearer) {
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return { method, headers: sendable({ ...headers, ...authorization }), body };
}
/** Some of what no header can hold, fetch tells as a connection that was lost. */
function sendable(given) {
    for (const [name, value] of Object.entries(given)) {
        // White space around it is left out by Headers: a file's last line end does no harm.
        if (/^[\t\n\r ]*[\x20-\x7e]*[\t\n\r ]*$/.test(value))
            continue;
        const shown = name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
        throw new TypeError(`${shown} must be printable ASCII, and what was given for it is not. Nothing was sent.`);
    }
    return new Headers(given);
}
/** 401 also says that a good token lacks permission, or that a password sent with it is wrong. */
function hasEnded(error) {
    return error instanceof FlorinError && error.status === 401 && !error.token_is_valid;
}

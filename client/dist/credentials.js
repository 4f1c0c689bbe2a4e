// Who is asking: an API key, or a session whose tokens are renewed when they end.
import { FlorinError } from './florin-error.js';
export class Credentials {
    #api_key;
    #uses_cookie_auth;
    #onTokens;
    #send;
    #tokens;
    /** Counts the sessions that the client was given; tokens need not name theirs. */
    #session = 0;
    #renewal;
    /** The access token of the session that ended last, and how that was told. */
    #ended;
    constructor(options, send) {
        const { api_key, tokens, onTokens } = options;
        // Whoever gives a key means to be somebody. As nobody, adding a user would sign one up.
        if ('api_key' in options && tokens === undefined)
            requireSecret('api_key', api_key);
        requireTokens(tokens);
        if (api_key !== undefined && tokens !== undefined) {
            throw new TypeError('Give api_key or tokens, not both: a request has one caller.');
        }
        this.#api_key = api_key;
        this.#uses_cookie_auth = options.uses_cookie_auth ?? false;
        this.#tokens = tokens ?? null;
        this.#onTokens = onTokens ?? (() => { });
        this.#send = send;
    }
    get tokens() {
        return this.#tokens;
    }
    get bearer() {
        return this.#api_key ?? this.#tokens?.access_token;
    }
    /** Stays the same for as long as its tokens are renewed; undefined for nobody. */
    get session() {
        return this.bearer === undefined && !this.#uses_cookie_auth ? undefined : this.#session;
    }
    async set(tokens) {
        if (tokens !== null && this.#api_key !== undefined) {
            throw new TypeError('This client has an api_key. Make another one to log in with.');
        }
        if (!isSameSession(this.#tokens, tokens))
            this.#session += 1;
        await this.#keep(tokens);
    }
    async #keep(tokens) {
        this.#tokens = tokens;
        await this.#onTokens(tokens);
    }
    /** Whether the request that was refused with this bearer is worth sending with another. */
    async replace(refused, signal) {
        if (this.#api_key !== undefined)
            return false;
        // Another request was refused first, and has renewed the tokens meanwhile.
        if (this.bearer !== undefined && this.bearer !== refused)
            return true;
        // Or has heard that they cannot be renewed: whoever is refused later hears the same.
        if (this.#ended?.access_token === refused)
            throw this.#ended.error;
        if (this.#tokens?.refresh_token === undefined)
            return false;
        await untilAborted(this.renew(), signal);
        return true;
    }
    /** What to tell a request that went out with this bearer, of a session that is left. */
    sessionEndedError(bearer) {
        if (this.#ended !== undefined && this.#ended.access_token === bearer)
            return this.#ended.error;
        const message = 'The client has left this session before there was an response. A change may have happened.';
        return new FlorinError('unauthorized', message);
    }
    /** One renewal for all who ask meanwhile: a second use of the token would end the session. */
    renew() {
        const session = this.#session;
        // Of one session: whoever came meanwhile would be given the tokens of the one before.
        if (this.#renewal?.session !== session) {
            const response = this.#renew().finally(() => {
                if (this.#renewal?.response === response)
                    this.#renewal = undefined;
            });
            this.#renewal = { session, response };
        }
        return this.#renewal.response;
    }
    async #renew() {
        const before = this.#tokens;
        if (before?.refresh_token === undefined) {
            throw new FlorinError('unauthorized', 'There is no refresh token. Log in first.');
        }
        try {
            const response = await this.#send(before.refresh_token);
            // Whoever logged in meanwhile has newer tokens than these.
            if (this.#tokens === before)
                await this.#keep(pickTokens(response));
            return response;
        }
        catch (error) {
            if (error instanceof FlorinError && error.code === 'invalid_grant') {
                this.#ended = { access_token: before.access_token, error };
                if (this.#tokens === before)
                    await this.set(null);
            }
            throw error;
        }
    }
}
/** For what a program gives: tokens that are none would be nobody's. */
export function requireTokens(tokens) {
    if (tokens)
        requireSecret('tokens.access_token', tokens.access_token);
}
function requireSecret(name, secret) {
    if (secret)
        return;
    const what = secret === '' ? 'empty' : String(secret);
    throw new TypeError(`${name} is ${what}: is its environment variable set?`);
}
function isSameSession(before, after) {
    if (before === null || after === null)
        return before === after;
    if (before.access_token === after.access_token)
        return true;
    return before.session_id !== undefined && before.session_id === after.session_id;
}
export function pickTokens({ access_token, refresh_token, session_id }) {
    return { access_token, refresh_token, session_id };
}
/** The work goes on for the others; whoever gave this signal waits no longer. */
function untilAborted(work, signal) {
    if (signal === undefined)
        return work;
    return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted)
            stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
}

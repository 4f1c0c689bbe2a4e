// The caller's credentials: an API key, or a session whose tokens are refreshed when they expire.
import { FlorinError } from './florin-error.js';
import { untilAborted } from './retry.js';
export class Credentials {
    #api_key;
    #uses_cookie_auth;
    #onTokens;
    #send;
    #tokens;
    /** Number of the current session. Tokens may lack a `session_id`. */
    #session = 0;
    #refreshing;
    /** The access token of the session that ended last, and its error. */
    #ended;
    constructor(options, send) {
        const { api_key, tokens, onTokens } = options;
        // An undefined api_key is an error: unauthenticated, adding a user would sign up a new one.
        if ('api_key' in options && tokens === undefined)
            requireSecret('api_key', api_key);
        requireTokens(tokens);
        if (api_key !== undefined && tokens !== undefined) {
            throw new TypeError('Set "api_key" or "tokens", not both.');
        }
        this.#api_key = api_key;
        this.#uses_cookie_auth = options.uses_cookie_auth ?? false;
        this.#tokens = tokens ?? null;
        this.#onTokens = onTokens ?? (() => { });
        this.#send = options.refreshTokens ?? send;
    }
    get tokens() {
        return this.#tokens;
    }
    get bearer() {
        return this.#api_key ?? this.#tokens?.access_token;
    }
    /** Does not change when tokens are refreshed; undefined for an unauthenticated client. */
    get session() {
        return this.bearer === undefined && !this.#uses_cookie_auth ? undefined : this.#session;
    }
    async set(tokens) {
        if (tokens !== null && this.#api_key !== undefined) {
            throw new TypeError('This client has an "api_key". Create another client to log in.');
        }
        if (!isSameSession(this.#tokens, tokens))
            this.#session += 1;
        await this.#store(tokens);
    }
    async #store(tokens) {
        this.#tokens = tokens;
        await this.#onTokens(tokens);
    }
    /** Whether to retry a request that was rejected with this token, with a new one. */
    async replace(rejected, signal) {
        if (this.#api_key !== undefined)
            return false;
        // Another request has already refreshed the tokens.
        if (this.bearer !== undefined && this.bearer !== rejected)
            return true;
        // The session has ended: requests that were rejected later get the same error.
        if (this.#ended?.access_token === rejected)
            throw this.#ended.error;
        if (this.#tokens?.refresh_token === undefined)
            return false;
        await untilAborted(this.refresh(), signal);
        return true;
    }
    /** The error for a request of a session that the client no longer uses. */
    sessionEndedError(bearer) {
        if (this.#ended !== undefined && this.#ended.access_token === bearer)
            return this.#ended.error;
        return new FlorinError('unauthorized', 'The client switched to another session before the response.');
    }
    /** Concurrent calls share one request: using a refresh token twice would end the session. */
    refresh() {
        const session = this.#session;
        // Shared only within a session, so a new session never gets the tokens of the previous one.
        if (this.#refreshing?.session !== session) {
            const response = this.#sendRefresh().finally(() => {
                if (this.#refreshing?.response === response)
                    this.#refreshing = undefined;
            });
            this.#refreshing = { session, response };
        }
        return this.#refreshing.response;
    }
    async #sendRefresh() {
        const before = this.#tokens;
        if (before?.refresh_token === undefined) {
            throw new FlorinError('unauthorized', 'There is no refresh token. Log in first.');
        }
        try {
            const response = await this.#send(before);
            // A login meanwhile has set newer tokens.
            if (this.#tokens === before)
                await this.#store(pickTokens(response));
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
/** Rejects tokens without an access token, which would make requests unauthenticated. */
export function requireTokens(tokens) {
    if (tokens)
        requireSecret('tokens.access_token', tokens.access_token);
}
function requireSecret(name, secret) {
    if (secret)
        return;
    const what = secret === '' ? 'empty' : String(secret);
    throw new TypeError(`"${name}" is ${what}. Check that its environment variable is set.`);
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

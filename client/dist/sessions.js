// Sessions: login sets the tokens of the client, and ending its session removes them.
import { pickTokens } from './credentials.js';
import { SessionsCalls } from './generated/resources.js';
export class Sessions extends SessionsCalls {
    #transport;
    constructor(transport) {
        super(transport);
        this.#transport = transport;
    }
    /** Log in: `POST /v1/auth/login`. The client then acts as this user. */
    async logIn(body, options = {}) {
        const response = await super.logIn(body, options);
        await this.#transport.credentials.set(pickTokens(response));
        return response;
    }
    /**
     * Refresh the tokens: `POST /v1/auth/refresh`. The client does this automatically when a token
     * has expired. Concurrent calls share one request.
     */
    refresh() {
        return this.#transport.credentials.refresh();
    }
    /** End a session: `DELETE /v1/auth/session`. Default: the session of this client. */
    async end(body = {}, options = {}) {
        const { credentials } = this.#transport;
        const { session } = credentials;
        const response = await super.end(body, options);
        const is_own = body.session_id === undefined || credentials.tokens?.session_id === body.session_id;
        // A login meanwhile has started another session, which stays.
        if (is_own && credentials.session === session)
            await credentials.set(null);
        return response;
    }
}

// Sessions change what the client is: logging in gives it tokens, ending takes them away.
import { pickTokens } from './credentials.js';
import { SessionsCalls } from './generated/resources.js';
export class Sessions extends SessionsCalls {
    #transport;
    constructor(transport) {
        super(transport);
        this.#transport = transport;
    }
    /** Log in: `POST /v1/auth/login`. From here on the client acts as this user. */
    async logIn(body, options = {}) {
        const response = await super.logIn(body, options);
        await this.#transport.credentials.set(pickTokens(response));
        return response;
    }
    /**
     * Renew the tokens: `POST /v1/auth/refresh`. The client does so by itself when a request is
     * refused; all who ask at the same time share one renewal.
     */
    refresh() {
        return this.#transport.credentials.renew();
    }
    /** End a session: `DELETE /v1/auth/session`, the client's own unless another is named. */
    async end(body = {}, options = {}) {
        const { credentials } = this.#transport;
        const { session } = credentials;
        const response = await super.end(body, options);
        const is_own = body.session_id === undefined || credentials.tokens?.session_id === body.session_id;
        // Whoever was logged in meanwhile stays.
        if (is_own && credentials.session === session)
            await credentials.set(null);
        return response;
    }
}

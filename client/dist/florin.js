// The client, and all exports of the package.
import { requireTokens } from './credentials.js';
import { AllCalls } from './generated/resources.js';
import { Sessions } from './sessions.js';
import { Transport } from './transport.js';
export class Florin extends AllCalls {
    sessions;
    #transport;
    constructor(options) {
        const transport = new Transport({
            ...options,
            base_url: readBaseUrl(options.base_url),
            // Browsers reject `fetch` when it is called as a method of another object.
            fetch: options.fetch ?? ((url, init) => fetch(url, init)),
            timeout_ms: options.timeout_ms ?? 30_000,
            retries_max: options.retries_max ?? 3,
            account: options.account,
        });
        super(transport);
        this.#transport = transport;
        this.sessions = new Sessions(transport);
    }
    /**
     * Sends a request to any path, for endpoints that have no method. It is authenticated, retried
     * and made idempotent like every other call. Returns the response with its complete body.
     */
    async request(method, path, options = {}) {
        if (!/^\/[^/]/.test(path))
            throw new TypeError(`"path" must be like /v1/payments; got "${path}".`);
        const { query, body } = options;
        const takes_idempotency_key = method !== 'GET';
        const takes = { takes_token: true, takes_account: true, takes_idempotency_key };
        return this.#transport.raw({ method, path, query, body, ...takes }, options);
    }
    /** The current tokens; null without a session. */
    get tokens() {
        return this.#transport.credentials.tokens;
    }
    /** Sets tokens from elsewhere, such as another window that refreshed them. Null removes them. */
    async useTokens(tokens) {
        requireTokens(tokens);
        return this.#transport.credentials.set(tokens);
    }
}
function readBaseUrl(base_url) {
    const is_http = URL.canParse(base_url) && /^https?:$/.test(new URL(base_url).protocol);
    if (is_http)
        return base_url.replace(/\/+$/, '');
    throw new TypeError(`"base_url" must be a URL such as https://pay.example.com; got "${base_url}".`);
}
export { FlorinError } from './florin-error.js';
export { verdictOf } from './outcome.js';
export { verifyWebhook } from './verify-webhook.js';

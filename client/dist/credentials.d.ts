import { FlorinError } from './florin-error.ts';
import type { RefreshResponse } from './generated/requests.ts';
export interface Tokens {
    access_token: string;
    /** Without it, the session ends when the access token expires. */
    refresh_token?: string | undefined;
    session_id?: string | undefined;
}
/** Stores tokens between runs. A refresh token works once, so every new pair must be stored. */
export type OnTokens = (tokens: Tokens | null) => void | Promise<void>;
export interface CredentialOptions {
    api_key?: string | undefined;
    tokens?: Tokens | undefined;
    onTokens?: OnTokens | undefined;
    /**
     * Replaces the request that refreshes expired tokens. Processes that share a session need it:
     * under a lock, return the tokens that another process has stored, or refresh and store them.
     */
    refreshTokens?: RefreshTokens | undefined;
    /** The browser authenticates with a cookie, so requests are authenticated without a token. */
    uses_cookie_auth?: boolean | undefined;
}
export type RefreshTokens = (expired: Tokens) => Promise<RefreshResponse>;
export declare class Credentials {
    #private;
    constructor(options: CredentialOptions, send: RefreshTokens);
    get tokens(): Tokens | null;
    get bearer(): string | undefined;
    /** Does not change when tokens are refreshed; undefined for an unauthenticated client. */
    get session(): number | undefined;
    set(tokens: Tokens | null): Promise<void>;
    /** Whether to retry a request that was rejected with this token, with a new one. */
    replace(rejected: string, signal: AbortSignal | undefined): Promise<boolean>;
    /** The error for a request of a session that the client no longer uses. */
    sessionEndedError(bearer: string | undefined): FlorinError;
    /** Concurrent calls share one request: using a refresh token twice would end the session. */
    refresh(): Promise<RefreshResponse>;
}
/** Rejects tokens without an access token, which would make requests unauthenticated. */
export declare function requireTokens(tokens: Tokens | null | undefined): void;
export declare function pickTokens({ access_token, refresh_token, session_id }: Tokens): Tokens;

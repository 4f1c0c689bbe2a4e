import { FlorinError } from './florin-error.ts';
import type { RefreshResponse } from './generated/requests.ts';
export interface Tokens {
    access_token: string;
    /** Without it, the session ends with the access token. */
    refresh_token?: string | undefined;
    session_id?: string | undefined;
}
/** Keeps tokens between runs. A refresh token works once, so each new pair must be stored. */
export type OnTokens = (tokens: Tokens | null) => void | Promise<void>;
export interface CredentialOptions {
    api_key?: string | undefined;
    tokens?: Tokens | undefined;
    onTokens?: OnTokens | undefined;
    /** The runtime sends a cookie that says who asks: known to Florin, though no token is here. */
    uses_cookie_auth?: boolean | undefined;
}
type SendRefresh = (refresh_token: string) => Promise<RefreshResponse>;
export declare class Credentials {
    #private;
    constructor(options: CredentialOptions, send: SendRefresh);
    get tokens(): Tokens | null;
    get bearer(): string | undefined;
    /** Stays the same for as long as its tokens are renewed; undefined for nobody. */
    get session(): number | undefined;
    set(tokens: Tokens | null): Promise<void>;
    /** Whether the request that was refused with this bearer is worth sending with another. */
    replace(refused: string, signal: AbortSignal | undefined): Promise<boolean>;
    /** What to tell a request that went out with this bearer, of a session that is left. */
    sessionEndedError(bearer: string | undefined): FlorinError;
    /** One renewal for all who ask meanwhile: a second use of the token would end the session. */
    renew(): Promise<RefreshResponse>;
}
/** For what a program gives: tokens that are none would be nobody's. */
export declare function requireTokens(tokens: Tokens | null | undefined): void;
export declare function pickTokens({ access_token, refresh_token, session_id }: Tokens): Tokens;
export {};

import type { Fetch } from './attempt.ts';
import type { RawResponse, RequestOptions } from './call.ts';
import { type CredentialOptions, type Tokens } from './credentials.ts';
import { AllCalls } from './generated/resources.ts';
import { Sessions } from './sessions.ts';
export interface FlorinOptions extends CredentialOptions {
    /** URL of the server, such as https://pay.example.com. */
    base_url: string;
    /** The account to act for, as an admin or platform user. Calls can override it. */
    account?: string | undefined;
    /**
     * Maximum wait until a response starts, and then for each part of it. Default: 30 000 ms. A
     * `signal` limits the whole call.
     */
    timeout_ms?: number | undefined;
    /** Maximum number of retries of a call. Default: 3. */
    retries_max?: number | undefined;
    /** Replaces the global `fetch`, for proxies, certificates or instrumentation. */
    fetch?: Fetch | undefined;
}
export declare class Florin extends AllCalls {
    #private;
    readonly sessions: Sessions;
    constructor(options: FlorinOptions);
    /**
     * Sends a request to any path, for endpoints that have no method. It is authenticated, retried
     * and made idempotent like every other call. Returns the response with its complete body.
     */
    request(method: string, path: string, options?: RequestOptions): Promise<RawResponse>;
    /** The current tokens; null without a session. */
    get tokens(): Tokens | null;
    /** Sets tokens from elsewhere, such as another window that refreshed them. Null removes them. */
    useTokens(tokens: Tokens | null): Promise<void>;
}
export type { Fetch } from './attempt.ts';
export type { AccountCallOptions, AccountWriteOptions, CallOptions, RawResponse, RequestOptions, WriteOptions, } from './call.ts';
export type { OnTokens, RefreshTokens, Tokens } from './credentials.ts';
export type { FileContent } from './file-content.ts';
export { type ClientErrorCode, FlorinError, type FlorinErrorCode } from './florin-error.ts';
export type { EventType, FlorinEvent, TestEvent, WebhookEvent } from './florin-event.ts';
export type { ErrorCode } from './generated/error-codes.ts';
export type * from './generated/requests.ts';
export type * from './generated/schemas.ts';
export { type Outcome, type Verdict, verdictOf } from './outcome.ts';
export type { CursorPage, NumberedPage, PageRequest } from './pages.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

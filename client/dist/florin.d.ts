import type { Fetch } from './attempt.ts';
import { type CredentialOptions, type Tokens } from './credentials.ts';
import { AllCalls } from './generated/resources.ts';
import { Sessions } from './sessions.ts';
export interface FlorinOptions extends CredentialOptions {
    /** Where Florin is, such as https://pay.example.com. */
    base_url: string;
    /** The account to act on, for admins and platforms. A call can name another. */
    account?: string | undefined;
    /** How long one try may take: 30 000 ms unless told. A signal ends the whole call. */
    timeout_ms?: number | undefined;
    /** How often a call is tried again: 3 times at the most unless told. */
    retries_max?: number | undefined;
    /** Instead of the runtime's own, for proxies, certificates and measuring. */
    fetch?: Fetch | undefined;
}
export declare class Florin extends AllCalls {
    #private;
    readonly sessions: Sessions;
    constructor(options: FlorinOptions);
    /** The tokens that the client has now; null without a session. */
    get tokens(): Tokens | null;
    /** Takes tokens from elsewhere, such as another window that renewed them, or null to forget. */
    useTokens(tokens: Tokens | null): Promise<void>;
}
export type { Fetch } from './attempt.ts';
export type { AccountCallOptions, AccountWriteOptions, CallOptions, WriteOptions } from './call.ts';
export type { OnTokens, Tokens } from './credentials.ts';
export { type ClientErrorCode, FlorinError, type FlorinErrorCode } from './florin-error.ts';
export type { EventType, FlorinEvent, TestEvent, WebhookEvent } from './florin-event.ts';
export type { ErrorCode } from './generated/error-codes.ts';
export type * from './generated/requests.ts';
export type * from './generated/schemas.ts';
export type { CursorPage, NumberedPage, PageRequest } from './pages.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

import type { WebhookEvent } from './florin-event.ts';
/** Of fetch's kind, or of Node's. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export interface VerifyOptions {
    /** How far the webhook's time may be from ours, 300 unless told. */
    tolerance_s?: number | undefined;
}
/**
 * The event, when `body` was signed with the secret, or with one of several, within the last five
 * minutes; otherwise a FlorinError `webhook_verification_failed`. The body must be the very bytes that
 * came: JSON that was parsed and written again signs differently.
 */
export declare function verifyWebhook(body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string | readonly string[], { tolerance_s }?: VerifyOptions): Promise<WebhookEvent>;

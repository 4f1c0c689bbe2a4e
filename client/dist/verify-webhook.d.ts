import type { WebhookEvent } from './florin-event.ts';
/** Headers of fetch or of Node.js. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export interface VerifyOptions {
    /** Maximum difference between the webhook's timestamp and the local clock. Default: 300. */
    tolerance_s?: number | undefined;
}
/**
 * Returns the event if `body` was signed with the secret, or one of several, within the last five
 * minutes. Throws a FlorinError `webhook_verification_failed` otherwise. Pass the raw body: JSON
 * that was parsed and serialized again has a different signature.
 */
export declare function verifyWebhook(body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string | readonly string[], { tolerance_s }?: VerifyOptions): Promise<WebhookEvent>;

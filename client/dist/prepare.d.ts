import type { Call, Options } from './call.ts';
export interface PreparedRequest {
    url: string;
    method: string;
    headers: Record<string, string>;
    body: string | Uint8Array<ArrayBuffer> | null;
    takes_token: boolean;
    /** The session of the first attempt. Retries never use another session or none. */
    session: number | undefined;
    /** Whether the request is idempotent, so that it can be retried. */
    is_repeatable: boolean;
}
interface ClientContext {
    base_url: string;
    account: string | undefined;
    /**
     * Undefined for an unauthenticated client. Florin stores responses only for authenticated
     * callers, so without a session an Idempotency-Key has no effect.
     */
    session: number | undefined;
}
export declare function prepare(call: Call, options: Options, context: ClientContext): PreparedRequest;
/** 128 random bits. Not randomUUID, which browsers provide only on https pages. */
export declare function newKey(): string;
export {};

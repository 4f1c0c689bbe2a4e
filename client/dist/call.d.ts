import type { FileContent } from './file-content.ts';
import type { FlorinError } from './florin-error.ts';
export interface CallOptions {
    /** Aborts the call and its retries. The promise rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
    /** Maximum wait for each part of a response. Default: the client's `timeout_ms`. */
    timeout_ms?: number | undefined;
    /** Maximum number of retries. Default: the client's `retries_max`. */
    retries_max?: number | undefined;
    /** Called before each wait for a retry, and when a stream lost its connection. */
    onRetry?: ((error: FlorinError) => void) | undefined;
}
export interface AccountCallOptions extends CallOptions {
    /** The account to act for, as an admin or platform user. Sent as `Florin-Account`. */
    account?: string | undefined;
}
export interface WriteOptions extends CallOptions {
    /**
     * Requests with the same key and body are applied once. By default every call gets a random key,
     * which covers its retries. Set a key to also cover a restart of your program.
     */
    idempotency_key?: string | undefined;
}
export interface AccountWriteOptions extends AccountCallOptions, WriteOptions {
}
export interface RequestOptions extends AccountWriteOptions {
    query?: object | undefined;
    /** Sent as JSON. */
    body?: object | undefined;
}
export type Options = AccountCallOptions & WriteOptions;
export interface Call {
    method: string;
    /** Starts with a slash; segments are already encoded. */
    path: string;
    query?: object | undefined;
    /** Allowed query parameters of an endpoint that ignores unknown ones. */
    query_names?: readonly string[];
    body?: object | undefined;
    /** Sent as application/octet-stream, instead of a body. */
    file?: FileContent;
    /** The type of a response that is a file. */
    accept?: string;
    takes_token?: boolean;
    takes_account?: boolean;
    takes_idempotency_key?: boolean;
    /** The field of an entry that `after` refers to. With `after`, a list is oldest first. */
    after_field?: 'id' | 'sequence';
    /** False for health checks: callers need the first response, not one after retries. */
    retryable?: boolean;
}
/** A response with its complete body. */
export interface RawResponse {
    status: number;
    headers: Headers;
    text: string;
    bytes: Uint8Array<ArrayBuffer>;
}

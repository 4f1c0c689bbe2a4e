export interface CallOptions {
    /** Ends the call, its waits and its retries; the promise rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
    /** How long one try may take, instead of what the client was made with. */
    timeout_ms?: number | undefined;
    /** How often it is tried again at the most, instead of what the client was made with. */
    retries_max?: number | undefined;
}
export interface AccountCallOptions extends CallOptions {
    /** The account to act on, for admins and platforms: sent as Florin-Account. */
    account?: string | undefined;
}
export interface WriteOptions extends CallOptions {
    /**
     * The same key with the same request has one effect. Without one, each call gets its own, which
     * covers its retries; give one to cover a restart of your program too.
     */
    idempotency_key?: string | undefined;
}
export interface AccountWriteOptions extends AccountCallOptions, WriteOptions {
}
export type Options = AccountCallOptions & WriteOptions;
export interface Call {
    method: string;
    /** From the first slash on, its segments already encoded. */
    path: string;
    query?: object;
    /** Where the server ignores other names: a query with one is not sent. */
    query_names?: readonly string[];
    body?: object;
    takes_token?: boolean;
    takes_account?: boolean;
    takes_idempotency_key?: boolean;
    /** Which field of an entry `after` names, for a list that takes it and is then oldest first. */
    after_field?: 'id' | 'sequence';
    /** False for what is asked to hear the very answer. */
    retryable?: boolean;
}
/** What came back, read to its end. */
export interface RawResponse {
    status: number;
    headers: Headers;
    text: string;
}

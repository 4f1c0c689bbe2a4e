import type { ErrorCode } from './generated/error-codes.ts';
/** Errors without a response from Florin. */
export type ClientErrorCode = 
/** The connection failed or was lost. */
'connection_failed'
/** No response within `timeout_ms`. */
 | 'timed_out'
/** The response is not from Florin but, for example, from a proxy. */
 | 'unexpected_response'
/** A webhook with an invalid signature or timestamp. */
 | 'webhook_verification_failed';
export type FlorinErrorCode = ErrorCode | ClientErrorCode;
interface ErrorDetails {
    /** The HTTP status; undefined without a response. */
    status?: number | undefined;
    /** Identifies the request in Florin's logs. */
    request_id?: string | undefined;
    /** Seconds to wait before a retry, if the server sent Retry-After. */
    retry_after_s?: number | undefined;
    /** The token is valid; the request was rejected for another reason. */
    token_is_valid?: boolean | undefined;
    /** The token is valid but lacks permission. */
    lacks_permission?: boolean | undefined;
    /** The change may have been applied. */
    outcome_unknown?: boolean | undefined;
    /** The Idempotency-Key of the change. */
    idempotency_key?: string | undefined;
    cause?: unknown;
}
export declare class FlorinError extends Error {
    readonly name = "FlorinError";
    readonly code: FlorinErrorCode;
    readonly status: number | undefined;
    readonly request_id: string | undefined;
    readonly retry_after_s: number | undefined;
    readonly token_is_valid: boolean;
    readonly lacks_permission: boolean;
    /**
     * The change may have been applied: check, or retry with `idempotency_key`. Always false for a
     * read and for a login.
     */
    readonly outcome_unknown: boolean;
    /** The key of the change that failed; undefined for a request without one. */
    readonly idempotency_key: string | undefined;
    constructor(code: FlorinErrorCode, message: string, details?: ErrorDetails);
}
/** Turns an error response into a FlorinError. */
export declare function errorOf(response: {
    status: number;
    headers: Headers;
    text: string;
}): FlorinError;
export {};

import type { RawResponse } from './call.ts';
import type { ErrorCode } from './generated/error-codes.ts';
/** What goes wrong before or without an answer of Florin. */
export type ClientErrorCode = 
/** No connection, or it was lost. A change may have happened. */
'connection_failed'
/** No answer within `timeout_ms`. A change may have happened. */
 | 'timed_out'
/** Something else answered, such as a proxy. From status 500 on a change may have happened. */
 | 'unexpected_response'
/** A webhook whose signature or time is not right. */
 | 'webhook_verification_failed';
export type FlorinErrorCode = ErrorCode | ClientErrorCode;
export interface ErrorDetails {
    /** The HTTP status; undefined when no answer came. */
    status?: number | undefined;
    /** Names the request in Florin's logs. */
    request_id?: string | undefined;
    /** When Florin says that trying again makes sense. */
    retry_after_s?: number | undefined;
    /** Florin knew the token and refused for another reason: renewing it would not help. */
    token_is_valid?: boolean | undefined;
    /** The token is good and lacks permission. */
    lacks_permission?: boolean | undefined;
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
    constructor(code: FlorinErrorCode, message: string, details?: ErrorDetails);
}
/** The error that an answer is. */
export declare function errorOf({ status, headers, text }: RawResponse): FlorinError;

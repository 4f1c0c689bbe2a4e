import { FlorinError } from './florin-error.ts';
/** Whether the request may have been sent and Florin's response is missing. */
export declare function isOutcomeUnknown(error: unknown): error is FlorinError;
/** The error to throw if one attempt was lost and another error ended the call. */
export declare function withUnknownOutcome(lost: FlorinError, error: unknown): unknown;

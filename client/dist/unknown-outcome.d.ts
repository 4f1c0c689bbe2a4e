import { FlorinError } from './florin-error.ts';
/** Whether it was sent, as far as anybody knows, and no answer of Florin came. */
export declare function isOutcomeUnknown(error: unknown): error is FlorinError;
/** What to throw where a try was lost and another error ended the call. */
export declare function withUnknownOutcome(lost: FlorinError, error: unknown): unknown;

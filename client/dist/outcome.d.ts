import { FlorinError } from './florin-error.ts';
export type Outcome = 
/** The request never reached a server. */
'not_sent'
/** This attempt had no effect. That proves nothing about earlier attempts. */
 | 'not_applied'
/** Neither this attempt nor an earlier one with the same Idempotency-Key had an effect. */
 | 'refused'
/** The change may have been applied. */
 | 'unknown';
export interface Verdict {
    outcome: Outcome;
    /** Whether the same request may succeed later. */
    is_transient: boolean;
}
/** What the error of one attempt proves. For a whole call, see `outcome_unknown` of the error. */
export declare function verdictOf({ code, status, cause }: FlorinError): Verdict;
/** Whether a retry of the same request may succeed. */
export declare function isTransient(error: unknown): error is FlorinError;
export interface Change {
    idempotency_key: string | undefined;
    /** The first error after which the change may have been applied. */
    lost: FlorinError | undefined;
}
/** The error to throw for a change, with what is known about its outcome. */
export declare function withOutcome(error: FlorinError, { lost, idempotency_key }: Change): FlorinError;

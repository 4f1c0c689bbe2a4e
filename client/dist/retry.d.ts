import { FlorinError } from './florin-error.ts';
/** How long to wait before the next try; undefined when there must be none. */
export declare function waitBeforeRetry(error: unknown, attempts: number, random: number): number | undefined;
/** Somewhere between half and all of a wait that doubles: many clients must not come as one. */
export declare function backoff(attempts: number, random: number): number;
/** Whether the same request may well succeed a little later. */
export declare function isTransient(error: unknown): error is FlorinError;
/** Waits, unless the signal ends it first. */
export declare function pause(wait_ms: number, signal: AbortSignal | undefined): Promise<void>;

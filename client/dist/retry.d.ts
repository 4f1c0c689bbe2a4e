/** How long to wait before the next attempt; undefined for an error that is not transient. */
export declare function waitBeforeRetry(error: unknown, attempts: number, random: number): number | undefined;
/** Exponential backoff with jitter between 50 and 100 percent. */
export declare function backoff(attempts: number, random: number): number;
/** Waits, or rejects when the signal aborts. */
export declare function pause(wait_ms: number, signal: AbortSignal | undefined): Promise<void>;
/** Rejects when the signal aborts. The work itself continues for other callers. */
export declare function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result>;

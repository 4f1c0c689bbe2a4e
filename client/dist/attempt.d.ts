import type { RawResponse } from './call.ts';
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export interface Limits {
    timeout_ms: number;
    signal: AbortSignal | undefined;
}
/** Sends it and reads the answer to its end, all within the limits. */
export declare function attempt(fetcher: Fetch, url: string, init: RequestInit, limits: Limits): Promise<RawResponse>;
/**
 * A time-out and the caller's signal in one. AbortSignal.any would do, but it is younger than some
 * browsers in use, and leaked in early versions of Node 20.
 */
export declare class Deadline {
    #private;
    constructor(limits: Limits);
    /** The time begins anew: a stream that was alive a moment ago has its whole time again. */
    restart(timeout_ms: number): void;
    /** While nothing is asked of the other side, it cannot be late. */
    suspend(): void;
    fetch(fetcher: Fetch, url: string, init: RequestInit): Promise<Response>;
    /** Says in our words why the work failed. */
    translateErrors<Result>(work: () => Promise<Result>): Promise<Result>;
    end(): void;
}

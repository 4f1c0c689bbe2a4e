import type { RawResponse } from './call.ts';
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export interface Limits {
    timeout_ms: number;
    signal: AbortSignal | undefined;
}
/** Sends the request and reads the complete response within the limits. */
export declare function attempt(fetcher: Fetch, url: string, init: RequestInit, limits: Limits): Promise<RawResponse>;
/**
 * Combines a timeout with the caller's signal. AbortSignal.any would do, but some browsers in use
 * lack it, and it leaks memory in early versions of Node.js 20.
 */
export declare class Deadline {
    #private;
    constructor(limits: Limits);
    /** Restarts the timeout, for example when a stream has received data. */
    restart(timeout_ms: number): void;
    /** Stops the timeout while the client does not wait for the server. */
    suspend(): void;
    fetch(fetcher: Fetch, url: string, init: RequestInit): Promise<Response>;
    /** Reads the body. The timeout restarts with each part, so a long statement may take longer. */
    read(response: Response, timeout_ms: number): Promise<Uint8Array<ArrayBuffer>>;
    /** Turns failures into a FlorinError, or the reason of the caller's signal. */
    translateErrors<Result>(work: () => Promise<Result>): Promise<Result>;
    end(): void;
}

import type { Deadline } from './attempt.ts';
import { FlorinError } from './florin-error.ts';
import type { FlorinEvent } from './florin-event.ts';
export interface OpenStream {
    body: ReadableStream<Uint8Array>;
    deadline: Deadline;
}
interface EventStreamSource {
    /** The sequence number of the newest event. */
    findLastSequence(): Promise<number>;
    /** Undefined if the account is closed and all its events have been sent. */
    open(start: {
        position: number;
        is_first: boolean;
    }): Promise<OpenStream | undefined>;
    /** Whether the filter includes account.closed, which the server always sends at the end. */
    includes_account_closed: boolean;
    onRetry: ((error: FlorinError) => void) | undefined;
}
export declare function followEvents(after: number | undefined, signal: AbortSignal | undefined, source: EventStreamSource): AsyncGenerator<FlorinEvent, void, undefined>;
export {};

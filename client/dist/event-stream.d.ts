import type { Deadline } from './attempt.ts';
import type { FlorinEvent } from './florin-event.ts';
export interface OpenStream {
    body: ReadableStream<Uint8Array>;
    deadline: Deadline;
}
export interface EventStreamSource {
    /** The number of the newest event there is. */
    findLastSequence(): Promise<number>;
    /** Undefined when the account is closed and has told everything. */
    open(start: {
        position: number;
        is_first: boolean;
    }): Promise<OpenStream | undefined>;
    /** Florin tells that the account is closed whatever the filter, so that the stream can end. */
    includes_account_closed: boolean;
}
export declare function followEvents(after: number | undefined, signal: AbortSignal | undefined, source: EventStreamSource): AsyncGenerator<FlorinEvent, void, undefined>;

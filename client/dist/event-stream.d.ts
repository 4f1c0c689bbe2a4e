import type { Deadline } from './attempt.ts';
import type { FlorinEvent } from './florin-event.ts';
export interface OpenStream {
    body: ReadableStream<Uint8Array>;
    deadline: Deadline;
}
export interface EventSource {
    /** The number of the newest event there is. */
    findLast(): Promise<number>;
    /** Undefined when the account is closed and has told everything. */
    open(place: {
        position: number;
        is_first: boolean;
    }): Promise<OpenStream | undefined>;
    /** Florin tells that the account is closed whatever the filter, so that the stream can end. */
    wants_closed: boolean;
}
export declare function followEvents(after: number | undefined, signal: AbortSignal | undefined, source: EventSource): AsyncGenerator<FlorinEvent, void, undefined>;

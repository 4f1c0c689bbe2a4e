// Follows the events of an account, and reconnects after the last event.
import { FlorinError } from './florin-error.js';
import { backoff, pause, waitBeforeRetry } from './retry.js';
import { BlockReader } from './server-sent-events.js';
// The server sends a heartbeat every 15 seconds. After three missed ones the connection is dead.
const silence_max_ms = 45_000;
export async function* followEvents(after, signal, source) {
    // Always starts from a number: otherwise a connection that is lost before its first event would
    // lose the events until the next connection.
    let position = after ?? (await source.findLastSequence());
    let failures = 0;
    let is_first = true;
    for (;;) {
        let wait_ms;
        try {
            const opened = await source.open({ position, is_first });
            if (opened === undefined)
                return;
            is_first = false;
            const onSkipped = (sequence) => {
                // A stream starts with the requested number, which is not progress.
                if (sequence !== position)
                    failures = 0;
                position = sequence;
            };
            for await (const event of readEvents(opened, onSkipped)) {
                failures = 0;
                position = event.sequence;
                const is_last = event.type === 'account.closed';
                if (!is_last || source.includes_account_closed)
                    yield event;
                if (is_last)
                    return;
            }
            failures += 1;
            wait_ms = backoff(failures, Math.random());
        }
        catch (error) {
            failures += 1;
            wait_ms = is_first ? undefined : waitBeforeRetry(error, failures, Math.random());
            if (wait_ms === undefined)
                throw error;
            source.onRetry?.(error);
        }
        await pause(wait_ms, signal);
    }
}
async function* readEvents({ body, deadline }, onSkipped) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const blocks = new BlockReader();
    try {
        for (;;) {
            deadline.restart(silence_max_ms);
            const { done, value } = await deadline.translateErrors(() => reader.read());
            deadline.suspend();
            if (done)
                return;
            for (const { data } of blocks.push(decoder.decode(value, { stream: true }))) {
                yield parseEvent(data);
            }
            // Sent at the start, and with heartbeats when the filter skips events.
            if (/^\d+$/.test(blocks.last_id ?? ''))
                onSkipped(Number(blocks.last_id));
        }
    }
    finally {
        deadline.end();
    }
}
function parseEvent(text) {
    try {
        return JSON.parse(text);
    }
    catch (cause) {
        throw new FlorinError('unexpected_response', 'The stream contains data that is not an event.', {
            cause,
        });
    }
}

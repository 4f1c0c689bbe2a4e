// A file in a request, such as a bank statement.
import { untilAborted } from './retry.js';
/** Copies the bytes, because the caller may reuse its buffer between two attempts. */
export async function readContent(content, signal) {
    if (typeof content === 'string')
        return new TextEncoder().encode(content);
    if (content instanceof Uint8Array)
        return new Uint8Array(content);
    if (content instanceof ArrayBuffer)
        return new Uint8Array(content.slice(0));
    if (content instanceof Blob)
        return new Uint8Array(await content.arrayBuffer());
    return untilAborted(joinParts(partsOf(content), signal), signal);
}
/** Browsers in use lack the iterator of ReadableStream. */
function partsOf(content) {
    if (content instanceof ReadableStream)
        return readStream(content);
    if (typeof content?.[Symbol.asyncIterator] === 'function')
        return content;
    const shown = content === null ? 'null' : typeof content;
    throw new TypeError(`"file" must be a string, bytes, a Blob or a stream; got ${shown}. Nothing was sent.`);
}
async function* readStream(stream) {
    const reader = stream.getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            return;
        yield value;
    }
}
async function joinParts(parts, signal) {
    const encoder = new TextEncoder();
    const copies = [];
    for await (const part of parts) {
        signal?.throwIfAborted();
        copies.push(typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part));
    }
    return concat(copies);
}
export function concat(parts) {
    const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

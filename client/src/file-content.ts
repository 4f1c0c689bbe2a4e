// A file in a request, such as a bank statement.

import { untilAborted } from './retry.ts'

/**
 * The content of a file: text, bytes, a Blob such as a `File` of a browser, or a stream, such as
 * that of `createReadStream`. A stream is read before anything is sent, so that a retry sends the
 * same bytes.
 */
export type FileContent =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>

/** Copies the bytes, because the caller may reuse its buffer between two attempts. */
export async function readContent(
  content: FileContent,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  if (content instanceof Uint8Array) return new Uint8Array(content)
  if (content instanceof ArrayBuffer) return new Uint8Array(content.slice(0))
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer())
  return untilAborted(joinParts(partsOf(content), signal), signal)
}

/** Browsers in use lack the iterator of ReadableStream. */
function partsOf(
  content: Extract<FileContent, AsyncIterable<unknown>>,
): AsyncIterable<Uint8Array | string> {
  if (content instanceof ReadableStream) return readStream(content)
  if (typeof content?.[Symbol.asyncIterator] === 'function') return content
  const shown = content === null ? 'null' : typeof content
  throw new TypeError(
    `"file" must be a string, bytes, a Blob or a stream; got ${shown}. Nothing was sent.`,
  )
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

async function joinParts(
  parts: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const copies: Uint8Array<ArrayBuffer>[] = []
  for await (const part of parts) {
    signal?.throwIfAborted()
    copies.push(typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part))
  }
  return concat(copies)
}

export function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

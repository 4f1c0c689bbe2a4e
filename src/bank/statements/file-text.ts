// Bytes of an uploaded file as text, in bounded pieces. How the bytes are split into chunks never
// changes the result.

import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { BankFileError } from './bank-file-error.ts'
import type { Encoding, Line } from './text-line.ts'

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const file_bytes_max = 10 * 1024 * 1024

// What is parsed between two turns of the event loop, in about 5 ms.
const slice_bytes = 16 * 1024

/** Slices of the file. Other requests are served between them, even if it arrives as one buffer. */
export async function* sliceFile(bytes: Bytes): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > file_bytes_max) {
      const problem = `the file must have at most ${file_bytes_max / 1024 / 1024} MiB`
      const advice = 'Export a shorter period, and upload several files.'
      throw new BankFileError('too_large', { line: 1 }, problem, advice)
    }
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    for (let at = 0; at < buffer.length; at += slice_bytes) {
      if (at > 0) await setImmediate()
      yield buffer.subarray(at, at + slice_bytes)
    }
  }
}

/** The first bytes of the file, and all of its slices including them. */
export async function peek(
  slices: AsyncGenerator<Buffer>,
  length: number,
): Promise<{ head: Buffer; slices: AsyncGenerator<Buffer> }> {
  const first: Buffer[] = []
  let known = 0
  while (known < length) {
    const { value, done } = await slices.next()
    if (done) break
    first.push(value)
    known += value.length
  }
  return { head: Buffer.concat(first).subarray(0, length), slices: prepend(first, slices) }
}

async function* prepend(first: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}

/** The encoding that a byte-order mark states. */
export function encodingOfMark(head: Buffer): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Pieces of text, without a byte-order mark. Text before invalid bytes is returned first. */
export async function* decodeFile(
  slices: AsyncIterable<Buffer>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const strict = new TextDecoder(encoding, { fatal: true })
  const lenient = new TextDecoder(encoding)
  let line = 1
  for await (const slice of slices) {
    const text = lenient.decode(slice, { stream: true })
    if (!succeeds(() => strict.decode(slice, { stream: true }))) {
      const valid = text.slice(0, text.indexOf('\ufffd'))
      yield valid
      throw notText(line + countLines(valid), encoding)
    }
    line += countLines(text)
    yield text
  }
  if (!succeeds(() => strict.decode())) throw notText(line, encoding)
}

function succeeds(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

export function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function notText(line: number, encoding: Encoding): BankFileError {
  const problem = `the file must be text in the encoding ${encoding}, but contains other bytes`
  const advice = 'Upload the file as the bank provides it, or correct the encoding.'
  return new BankFileError('encoding', { line }, problem, advice)
}

const line_bytes_max = 64 * 1024

const latin = new TextDecoder('windows-1252')

/**
 * Lines without their ends. With the encoding `auto`, which is for formats that do not state one,
 * each line is read as UTF-8 if it is valid UTF-8, and as Windows-1252 otherwise.
 */
export async function* readLines(
  slices: AsyncIterable<Buffer>,
  encoding: Encoding | 'auto',
): AsyncGenerator<Line> {
  const is_wide = encoding === 'utf-16le' || encoding === 'utf-16be'
  let line = 0
  for await (const bytes of splitLines(is_wide ? toUtf8(slices, encoding) : slices)) {
    line += 1
    yield { text: decodeLine(bytes, encoding, line).replace(/\r+$/, ''), line }
  }
}

async function* toUtf8(slices: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  // Half of a surrogate pair at the end of a slice stays in the decoder.
  for await (const text of decodeFile(slices, encoding)) yield Buffer.from(text)
}

async function* splitLines(slices: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  let line = 1
  const keep = (bytes: Buffer) => {
    length += bytes.length
    if (length > line_bytes_max) throw tooLong(line)
    begun.push(bytes)
  }
  for await (const slice of slices) {
    let from = 0
    for (let end = slice.indexOf(10); end !== -1; end = slice.indexOf(10, from)) {
      keep(slice.subarray(from, end))
      yield Buffer.concat(begun)
      begun = []
      length = 0
      line += 1
      from = end + 1
    }
    if (from < slice.length) keep(slice.subarray(from))
  }
  if (length > 0) yield Buffer.concat(begun)
}

function tooLong(line: number): BankFileError {
  const problem = `a line must have at most ${line_bytes_max} bytes`
  const advice = 'Check that the file is a bank statement, and export it again.'
  return new BankFileError('too_large', { line }, problem, advice)
}

function decodeLine(bytes: Buffer, encoding: Encoding | 'auto', line: number): string {
  const marked = line === 1 && encodingOfMark(bytes) === 'utf-8' ? bytes.subarray(3) : bytes
  if (encoding === 'windows-1252') return latin.decode(marked)
  if (encoding === 'iso-8859-15') return new TextDecoder(encoding).decode(marked)
  // UTF-16 was converted to UTF-8.
  if (isUtf8(marked)) return marked.toString('utf8')
  if (encoding === 'auto') return latin.decode(marked)
  throw notText(line, encoding)
}

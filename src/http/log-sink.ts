// Writes log lines to a file descriptor in chunks, through the thread pool. Logging must never
// stop the server: data that cannot be written is buffered up to a limit and retried, because a
// full disk may have space later. pino's own sink crashes the process instead, and its flush at
// exit retries forever while blocking everything.

import { write, writeSync } from 'node:fs'
import { toIso } from '../primitives/time.ts'

// Batches lines, so that a request does not cost a system call. No line waits longer than the
// interval.
const chunk_length = 65_536
const written_every_ms = 100

// Ten seconds of logs at five thousand requests per second. Beyond this, lines are dropped:
// unbounded memory would take down the server.
const waiting_length_max = 16_777_216

// How long a synchronous flush at exit waits for a slow reader.
const last_wait_ms = 1_000
const retry_ms = 10

export class LogSink {
  readonly #fd: number
  /** Full chunks, oldest first; #filling is the current chunk. */
  readonly #full: string[] = []
  #filling = ''
  #length = 0
  /** The unwritten part of a chunk. It is written first, so that no line is split. */
  #rest = Buffer.alloc(0)
  #is_writing = false
  #has_failed = false
  #dropped = 0
  #waiters: (() => void)[] = []

  constructor(fd: number) {
    this.#fd = fd
    setInterval(() => this.#begin(), written_every_ms).unref()
  }

  write(line: string): void {
    if (this.#length + line.length > waiting_length_max) {
      this.#dropped++
      return
    }
    this.#add(line)
    // After a failure, only the timer retries.
    if (this.#full.length > 0 && !this.#has_failed) this.#begin()
  }

  /** Calls back when all buffered lines have been written or have failed. */
  flush(done: () => void): void {
    this.#waiters.push(done)
    this.#begin()
    if (!this.#is_writing) this.#notifyWaiters()
  }

  /** Flushes before the process may end. The timer retries whatever fails. */
  flushSync(): void {
    const give_up_ms = performance.now() + last_wait_ms
    while (this.#takeNext()) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest))
      } catch (error) {
        if (!isOnlySlow(error) || performance.now() > give_up_ms) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retry_ms)
      }
    }
  }

  #add(line: string): void {
    this.#length += line.length
    this.#filling += line
    if (this.#filling.length >= chunk_length) this.#full.push(this.#takeFilling())
  }

  #begin(): void {
    if (this.#is_writing || !this.#takeNext()) return
    const chunk = this.#rest
    this.#rest = Buffer.alloc(0)
    this.#is_writing = true
    write(this.#fd, chunk, (error, count) => this.#end(chunk.subarray(count ?? 0), error))
  }

  #end(left: Buffer, error: Error | null): void {
    this.#is_writing = false
    this.#has_failed = error !== null
    // A synchronous flush may have left a remainder in the meantime.
    if (left.length > 0) this.#rest = Buffer.concat([left, this.#rest])
    if (error === null) this.#begin()
    if (!this.#is_writing && !isOnlySlow(error)) this.#notifyWaiters()
  }

  /** Loads the next chunk into #rest. Returns false when there is nothing to write. */
  #takeNext(): boolean {
    if (this.#rest.length > 0) return true
    if (this.#dropped > 0) this.#reportDropped()
    const text = this.#full.shift() ?? this.#takeFilling()
    this.#length -= text.length
    this.#rest = Buffer.from(text)
    return text !== ''
  }

  #takeFilling(): string {
    const text = this.#filling
    this.#filling = ''
    return text
  }

  #reportDropped(): void {
    const facts = `"level":40,"time":"${toIso(Date.now())}","lines":${this.#dropped}`
    this.#dropped = 0
    this.#add(`{${facts},"msg":"log lines dropped: the log could not be written"}\n`)
  }

  #notifyWaiters(): void {
    for (const done of this.#waiters.splice(0)) done()
  }
}

function isOnlySlow(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === 'EAGAIN' || code === 'EBUSY'
}

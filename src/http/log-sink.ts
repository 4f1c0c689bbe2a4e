// Writes log lines to a file descriptor in chunks, through the thread pool. Logging must never
// stop the server: data that cannot be written is buffered up to a limit and retried, because a
// full disk may have space later. pino's own destination blocks the exit forever on a full disk,
// and its worker thread never writes again after one.

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
  #waiting = ''
  /** What a write has left over. It is written first, so that no line is split. */
  #rest = Buffer.alloc(0)
  #is_writing = false
  #has_failed = false
  #dropped = 0

  constructor(fd: number) {
    this.#fd = fd
    setInterval(() => this.#begin(), written_every_ms).unref()
  }

  write(line: string): void {
    if (this.#waiting.length + this.#rest.length + line.length > waiting_length_max) {
      this.#dropped++
      return
    }
    this.#waiting += line
    // After a failure, only the timer retries.
    if (this.#waiting.length >= chunk_length && !this.#has_failed) this.#begin()
  }

  /** Flushes before the process may end. The timer retries whatever fails. */
  flushSync(): void {
    const give_up_ms = performance.now() + last_wait_ms
    while (this.#takeNext()) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        const is_slow = code === 'EAGAIN' || code === 'EBUSY'
        if (!is_slow || performance.now() > give_up_ms) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retry_ms)
      }
    }
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
  }

  /** Moves the waiting lines to #rest. Returns false when there is nothing to write. */
  #takeNext(): boolean {
    if (this.#rest.length > 0) return true
    if (this.#dropped > 0) this.#reportDropped()
    this.#rest = Buffer.from(this.#waiting)
    this.#waiting = ''
    return this.#rest.length > 0
  }

  #reportDropped(): void {
    const facts = `"level":40,"time":"${toIso(Date.now())}","lines":${this.#dropped}`
    this.#dropped = 0
    this.#waiting += `{${facts},"msg":"log lines dropped: the log could not be written"}\n`
  }
}

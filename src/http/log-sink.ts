// Where the log's lines go: to a descriptor, by the thread pool, in chunks. A log must never keep
// Florin from serving, so what cannot be written waits, as much as has room, and is tried again:
// a disk that was full has room later. pino's own sink throws such a failure at the process, and
// when it then empties itself on the way out it tries for ever, with everything standing still.

import { write, writeSync } from 'node:fs'
import { toIso } from '../primitives/time.ts'

// A line a request must not cost a system call a request, and nobody waits longer for a line.
const chunk_length = 65_536
const written_every_ms = 100

// Ten seconds of five thousand requests. Whoever reads this slowly, or has a disk this full, misses
// lines; memory that fills up would take the server with it.
const waiting_length_max = 16_777_216

// A reader that is only slow is given this long when the process ends and cannot wait for it.
const last_wait_ms = 1_000
const again_ms = 10

export class LogSink {
  readonly #fd: number
  /** Full chunks, the oldest first, and the one that is being filled. */
  readonly #full: string[] = []
  #filling = ''
  #length = 0
  /** What a write left over. It goes before all others, so that no line is cut in two. */
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
    // After a failure the timer tries again, and not each line.
    if (this.#full.length > 0 && !this.#has_failed) this.#begin()
  }

  /** Says when all that waits has been written, or could not be. */
  flush(done: () => void): void {
    this.#waiters.push(done)
    this.#begin()
    if (!this.#is_writing) this.#tellWaiters()
  }

  /** For last words, after which the process may end. What fails is left to the timer. */
  flushSync(): void {
    const give_up_ms = performance.now() + last_wait_ms
    while (this.#takeNext()) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest))
      } catch (error) {
        if (!isOnlySlow(error) || performance.now() > give_up_ms) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, again_ms)
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
    // Last words may have been cut off meanwhile.
    if (left.length > 0) this.#rest = Buffer.concat([left, this.#rest])
    if (error === null) this.#begin()
    if (!this.#is_writing && !isOnlySlow(error)) this.#tellWaiters()
  }

  /** Whether there is anything to write. */
  #takeNext(): boolean {
    if (this.#rest.length > 0) return true
    if (this.#dropped > 0) this.#tellDropped()
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

  #tellDropped(): void {
    const facts = `"level":40,"time":"${toIso(Date.now())}","lines":${this.#dropped}`
    this.#dropped = 0
    this.#add(`{${facts},"msg":"the log could not be written, and lines were dropped"}\n`)
  }

  #tellWaiters(): void {
    for (const done of this.#waiters.splice(0)) done()
  }
}

function isOnlySlow(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === 'EAGAIN' || code === 'EBUSY'
}

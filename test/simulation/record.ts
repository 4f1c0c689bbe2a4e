// Stores the history in memory for the checks, and on disk for later analysis.

import { closeSync, openSync, writeSync } from 'node:fs'
import { addRecord, emptyHistory, type History, type HistoryRecord } from './history.ts'

export class Recorder {
  readonly history: History = emptyHistory()
  readonly path: string
  readonly #started = performance.now()
  readonly #fd: number
  #lines: string[] = []

  constructor(path: string) {
    this.path = path
    this.#fd = openSync(path, 'w', 0o600)
  }

  /** Milliseconds since the start of the run: the clock of a history. */
  now(): number {
    return performance.now() - this.#started
  }

  add(record: HistoryRecord): void {
    addRecord(this.history, record)
    this.#lines.push(JSON.stringify(record))
    if (this.#lines.length >= 500) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#fd)
  }

  #flush(): void {
    if (this.#lines.length > 0) writeSync(this.#fd, `${this.#lines.join('\n')}\n`)
    this.#lines = []
  }
}

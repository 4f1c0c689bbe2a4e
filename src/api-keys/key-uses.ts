// When a key was last used, without a write for each use: uses are gathered in memory and written
// together, and one key at most once a minute. What a crash loses is a minute of this one field.

import type { Db } from '../postgres/database.ts'
import { updateLastUses } from './queries.ts'

// The first use of a key is seen soon by whoever tries it out; later ones within a minute.
const look_every_ms = 2_000
const write_every_ms = 60_000

interface Use {
  /** Since the last write; undefined when there was none. */
  used_ms: number | undefined
  written_ms: number
}

export class KeyUses {
  readonly #db: Db
  readonly #onError: (error: unknown) => void
  readonly #uses = new Map<string, Use>()
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    this.#timer = setInterval(() => this.#look(write_every_ms), look_every_ms).unref()
  }

  note(key_id: string): void {
    const use = this.#uses.get(key_id)
    if (use === undefined) this.#uses.set(key_id, { used_ms: Date.now(), written_ms: 0 })
    else use.used_ms = Date.now()
  }

  /** Writes what has not been written yet. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#look(0)
    await this.#writing
  }

  #look(rest_ms: number): void {
    const now = Date.now()
    const due: { id: string; used_ms: number }[] = []
    for (const [id, use] of this.#uses) {
      if (now - use.written_ms < rest_ms) continue
      // Unused for a while: forgotten, so that this holds only the keys in use.
      if (use.used_ms === undefined) this.#uses.delete(id)
      else due.push({ id, used_ms: use.used_ms })
    }
    if (due.length === 0) return
    for (const { id } of due) this.#uses.set(id, { used_ms: undefined, written_ms: now })
    this.#writing = this.#writing.then(() => this.#write(due)).catch(this.#onError)
  }

  // In business time, as the key's other times: a key is never used before it was made.
  async #write(uses: { id: string; used_ms: number }[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const offset_ms = tx.now.getTime() - Date.now()
      const sorted = uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      const rows = sorted.map(({ id, used_ms }) => ({ id, at: new Date(used_ms + offset_ms) }))
      await updateLastUses(tx, rows)
    })
  }
}

// Records when an API key was last used, without a write per request: uses are collected in memory
// and written in batches, at most once a minute per key. A crash loses at most a minute.

import type { Db } from '../../postgres/database.ts'
import { updateLastUses } from './queries.ts'

// The first use of a key is visible soon, for users who test it; later ones within a minute.
const check_every_ms = 2_000
const write_every_ms = 60_000

interface KeyUse {
  /** The last use since the last write. */
  used_ms: number | undefined
  written_ms: number
}

export class KeyUses {
  readonly #db: Db
  readonly #onError: (error: unknown) => void
  readonly #uses = new Map<string, KeyUse>()
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    this.#timer = setInterval(() => this.#writeDue(write_every_ms), check_every_ms).unref()
  }

  note(key_id: string): void {
    const use = this.#uses.get(key_id)
    if (use === undefined) this.#uses.set(key_id, { used_ms: Date.now(), written_ms: 0 })
    else use.used_ms = Date.now()
  }

  /** Writes all pending uses. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#writeDue(0)
    await this.#writing
  }

  #writeDue(interval_ms: number): void {
    const now = Date.now()
    const due: { id: string; used_ms: number }[] = []
    for (const [id, use] of this.#uses) {
      if (now - use.written_ms < interval_ms) continue
      // Not used since: removed, so that the map contains only keys in use.
      if (use.used_ms === undefined) this.#uses.delete(id)
      else due.push({ id, used_ms: use.used_ms })
    }
    if (due.length === 0) return
    for (const { id } of due) this.#uses.set(id, { used_ms: undefined, written_ms: now })
    this.#writing = this.#writing.then(() => this.#write(due)).catch(this.#onError)
  }

  // In business time, like the key's creation time: a key must not be used before it was created.
  async #write(uses: { id: string; used_ms: number }[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const offset_ms = tx.now.getTime() - Date.now()
      const sorted = uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      const rows = sorted.map(({ id, used_ms }) => ({ id, at: new Date(used_ms + offset_ms) }))
      await updateLastUses(tx, rows)
    })
  }
}

// Limits the bytes of webhook responses stored per account and day (UTC). A receiver controls the
// size of its responses, and each attempt is stored for 30 days. Each worker counts in memory: one
// worker serves an account at a time, and a restart only resets the count of the day.

const day_bytes_max = 104_857_600

const not_stored = Buffer.from(
  '[Not stored: the account has used up its 100 MiB of webhook responses for today (UTC).]',
)

export class ResponseQuota {
  readonly #day_bytes_max: number
  #day = ''
  readonly #bytes = new Map<string, number>()

  constructor(limits = { day_bytes_max }) {
    this.#day_bytes_max = limits.day_bytes_max
  }

  /** Returns the body to store: the given body, or a note if the account's quota is used up. */
  bodyToStore(account_id: string, body: Buffer, now = new Date()): Buffer {
    if (body.length <= not_stored.length) return body
    const day = now.toISOString().slice(0, 10)
    if (day !== this.#day) this.#bytes.clear()
    this.#day = day
    const bytes = (this.#bytes.get(account_id) ?? 0) + body.length
    if (bytes > this.#day_bytes_max) return not_stored
    this.#bytes.set(account_id, bytes)
    return body
  }
}

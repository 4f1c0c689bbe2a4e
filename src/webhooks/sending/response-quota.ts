// How many bytes of receivers' responses are stored per account and day (UTC). A receiver chooses
// how much it returns, and each attempt is stored for 30 days. Counted in memory by each worker: an
// account is served by one worker at a time, and a restart only starts the day's count again.

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

  /** The body as it is to be stored: itself, or a note once the account's quota is used up. */
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

// A client that creates payments continuously and records every one that Florin acknowledged, so a
// test can check afterwards that none was lost.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { call } from './call.ts'
import { ask } from './postgres.ts'
import { atProcessEnd } from './process-end.ts'
import { newPassword } from './secrets.ts'

interface AcknowledgedPayment {
  id: string
  created_at: string
  /** When the complete response had been read. */
  at_ms: number
}

/** Any other outcome: the status, or 'lost' if no response arrived. */
interface FailedRequest {
  status: number | 'lost'
  text: string
  took_ms: number
  /** The Retry-After header; null if absent. */
  retry_after: string | null
}

// A failing test leaves its clients running, and Node would wait for them forever.
const running = new Set<BusyClient>()
atProcessEnd(async () => {
  for (const client of running) await client.stop()
})

export class BusyClient {
  readonly acknowledged: AcknowledgedPayment[] = []
  readonly others: FailedRequest[] = []
  url: string
  readonly account_id: string
  token: string
  readonly password: string
  readonly email: string
  readonly #lines: Promise<void>[] = []
  #ending = false

  constructor(
    url: string,
    owner: { account_id: string; token: string; email: string; password: string },
  ) {
    this.url = url
    this.account_id = owner.account_id
    this.token = owner.token
    this.email = owner.email
    this.password = owner.password
  }

  /** Opens an account over HTTP. */
  static async open(url: string): Promise<BusyClient> {
    const email = `busy-${Math.random().toString(36).slice(2)}@example.com`
    const password = newPassword()
    const body = { email, password, name: 'Busy Ltd', type: 'business' }
    const opened = await call(url, 'POST', '/v1/accounts', { body })
    assert.equal(opened.status, 201, opened.text)
    const account_id = opened.body.id
    const client = new BusyClient(url, { account_id, token: '', email, password })
    await client.logIn()
    return client
  }

  async logIn(): Promise<void> {
    const { email, password } = this
    const login = await call(this.url, 'POST', '/v1/auth/login', { body: { email, password } })
    assert.equal(login.status, 200, login.text)
    this.token = login.body.access_token
  }

  start(lines = 4): this {
    running.add(this)
    for (let line = 0; line < lines; line++) this.#lines.push(this.#work())
    return this
  }

  async stop(): Promise<void> {
    this.#ending = true
    await Promise.all(this.#lines)
    this.#lines.length = 0
    this.#ending = false
    running.delete(this)
  }

  async #work(): Promise<void> {
    while (!this.#ending) {
      // A rejected client waits a little longer. Payments are paced too, so the server under test
      // has CPU time for the fault that the test causes.
      await sleep((await this.once()) ? 10 : 50)
    }
  }

  /** Sends one payment and returns whether it was acknowledged. */
  async once(): Promise<boolean> {
    const started = performance.now()
    const { account_id, token } = this
    const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
    const headers = { connection: 'close' }
    try {
      const response = await call(this.url, 'POST', '/v1/transactions', { token, body, headers })
      const at_ms = Date.now()
      if (response.status === 201) {
        const { id, created_at } = response.body
        this.acknowledged.push({ id, created_at, at_ms })
        return true
      }
      const took_ms = performance.now() - started
      const { status, text } = response
      const retry_after = response.headers.get('retry-after')
      this.others.push({ status, text, took_ms, retry_after })
    } catch (error) {
      const text = String((error as Error).cause ?? error)
      const took_ms = performance.now() - started
      this.others.push({ status: 'lost', text, took_ms, retry_after: null })
    }
    return false
  }

  /** Waits until `more` further payments have been acknowledged. */
  async served(more: number, within_ms = 30_000): Promise<void> {
    const wanted = this.acknowledged.length + more
    const deadline = performance.now() + within_ms
    while (this.acknowledged.length < wanted) {
      const last = this.others.at(-1)
      const why = `${this.acknowledged.length} of ${wanted}; last: ${last?.status} ${last?.text}`
      assert.ok(performance.now() < deadline, `not served within ${within_ms} ms: ${why}`)
      await sleep(20)
    }
  }

  statuses(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(Object.groupBy(this.others, ({ status }) => String(status))).map(
        ([status, found]) => [status, found!.length],
      ),
    )
  }
}

/** Returns the acknowledged payments that are missing from the database. */
export async function findLost(
  connection: Connection,
  acknowledged: readonly AcknowledgedPayment[],
): Promise<string[]> {
  const uuids = acknowledged.map(({ id }) => findUuid('transaction', id)!)
  const { rows } = await ask(
    connection,
    `select wanted.id from unnest('{${uuids.join(',')}}'::uuid[]) as wanted (id)
     where not exists (select from transactions where transactions.id = wanted.id)`,
  )
  return rows.map(({ id }) => id)
}

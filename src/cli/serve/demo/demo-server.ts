// A server for the story of the demo account: it receives the same requests as a real one, inside
// one database transaction, at times in the past.

import { pino } from 'pino'
import type { Config } from '../../../config.ts'
import { buildApp } from '../../../http/app.ts'
import { completeDueWork, type DueParts } from '../../../operations/advance-clock.ts'
import { PaymentLanes } from '../../../payments/lanes.ts'
import { paymentRequests } from '../../../payments/refunds.ts'
import type { OneTransactionDb } from '../../../postgres/one-transaction-db.ts'
import { openProcessor } from '../../../processors/processor.ts'
import { SubscriptionLanes } from '../../../subscriptions/lanes.ts'
import { TransactionLanes } from '../../../transactions/lanes.ts'
import { version } from '../../../version.ts'

// biome-ignore lint/suspicious/noExplicitAny: the API defines the response body.
type ResponseBody = any

type App = Awaited<ReturnType<typeof buildApp>>

const within_ms = 60_000

export class DemoServer {
  readonly db: OneTransactionDb
  readonly #app: App
  readonly #due: DueParts
  readonly #host: string
  #token: string | undefined

  private constructor(db: OneTransactionDb, app: App, due: DueParts, host: string) {
    this.db = db
    this.#app = app
    this.#due = due
    this.#host = host
  }

  static async start(settings: Config, db: OneTransactionDb): Promise<DemoServer> {
    // The customers of the story pay with test cards, whatever processor the sandbox uses.
    const config: Config = {
      ...settings,
      processors: ['sandbox'],
      stripe: undefined,
      mollie: undefined,
      signup: 'open',
      rate_limit: undefined,
      // Its story of 75 days is not what happens on this server.
      traces: undefined,
    }
    const { public_url } = config
    const app = await buildApp({ db, log: pino({ level: 'silent' }), config, version })
    const due = {
      db,
      lanes: new TransactionLanes(db, {}, paymentRequests(public_url)),
      payment_lanes: new PaymentLanes(db, public_url, { has_providers: false }),
      subscription_lanes: new SubscriptionLanes(db, public_url),
      processor: await openProcessor(config),
    }
    return new DemoServer(db, app, due, new URL(public_url).host)
  }

  /** Moves business time forward and completes what becomes due. */
  async moveTo(at: Date): Promise<void> {
    if (at <= this.db.now) return
    this.db.now = at
    await completeDueWork(this.#due, at, within_ms)
  }

  /** Calls the API with the token of the logged-in user. */
  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
    const response = await this.#app.inject({
      method,
      url: path,
      headers: {
        host: this.#host,
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      },
      ...(body !== undefined && { payload: body }),
    })
    if (response.statusCode < 400) return response.json<ResponseBody>()
    throw new Error(`the demo got ${response.statusCode} for ${method} ${path}: ${response.body}`)
  }

  async logIn(email: string, password: string): Promise<void> {
    const { access_token } = await this.call('POST', '/v1/auth/login', { email, password })
    this.#token = access_token
  }

  /** Submits the form of the payment page as a customer. */
  async pay(payment_url: string, number: string): Promise<void> {
    const url = /\/pay\/[^/]+$/.exec(payment_url)![0]
    const headers = { host: this.#host }
    const page = await this.#app.inject({ method: 'GET', url, headers })
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1]
    if (form_token === undefined) throw new Error('the payment page of the demo has no form')
    const form = { form_token, number, expires: '12/80', csc: '123' }
    const response = await this.#app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    if (response.statusCode >= 400 && response.statusCode !== 402) {
      throw new Error(`the payment page of the demo returned ${response.statusCode}`)
    }
  }

  async close(): Promise<void> {
    await this.#app.close()
  }
}

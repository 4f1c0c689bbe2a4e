// The state that soak operations use: shops, each with an API key, and recently created objects.

import { Random } from '../../../src/operations/seeding/random.ts'
import { admin } from '../servers/fleet.ts'
import type { SoakClient } from './soak-client.ts'

export interface Shop {
  email: string
  password: string
  account_id: string
  key: string
}

interface CreatedObject {
  shop: Shop
  id: string
}

interface Session {
  access_token: string
  refresh_token: string
}

interface SentRequest {
  shop: Shop
  key: string
  body: object
  text: string
}

const shops_count = 24
// All events of these shops are delivered to the runner.
const shops_with_webhooks = 4
// Below the lifetime of an access token, which is an hour.
const admin_ms = 20 * 60_000

/** A bounded list of the latest items, so that the runner's memory does not grow. */
class Recent<Item> {
  readonly #items: Item[] = []
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    this.#items.push(item)
    if (this.#items.length > this.#max) this.#items.shift()
  }

  pick(random: Random): Item | undefined {
    return this.#items.length === 0 ? undefined : random.pick(this.#items)
  }

  /** Removes and returns the oldest item. */
  take(): Item | undefined {
    return this.#items.shift()
  }
}

export class SoakWorld {
  readonly client: SoakClient
  readonly random: Random
  readonly shops: Shop[] = []
  readonly transactions = new Recent<CreatedObject>(500)
  readonly payments = new Recent<CreatedObject & { path: string }>(200)
  readonly unpaid = new Recent<CreatedObject & { path: string }>(200)
  readonly subscriptions = new Recent<CreatedObject>(60)
  readonly sessions = new Recent<Session>(60)
  readonly dashboards = new Recent<string>(20)
  readonly sent = new Recent<SentRequest>(300)
  #number = 0
  #admin: { token: Promise<string>; until_ms: number } | undefined

  constructor(client: SoakClient, seed: number) {
    this.client = client
    this.random = new Random(seed, 'soak')
  }

  nextNumber(): number {
    this.#number += 1
    return this.#number
  }

  shop(): Shop {
    return this.random.pick(this.shops)
  }

  admin(): Promise<string> {
    if (this.#admin === undefined || this.#admin.until_ms < performance.now()) {
      const token = this.#logIn(admin).then(({ access_token }) => access_token)
      this.#admin = { token, until_ms: performance.now() + admin_ms }
    }
    return this.#admin.token
  }

  async open(webhook_url: string): Promise<void> {
    for (let number = 0; number < shops_count; number++) {
      const hook = number < shops_with_webhooks ? webhook_url : undefined
      this.shops.push(await this.#openShop(number, hook))
    }
  }

  async #openShop(number: number, webhook_url: string | undefined): Promise<Shop> {
    const who = { email: `shop-${number}@example.com`, password: `a password of shop ${number}` }
    const body = { ...who, name: `Shop ${number}`, type: 'business', settings: { currency: 'USD' } }
    const { id: account_id } = await this.#expectOk('POST', '/v1/accounts', { body })
    const { access_token: token } = await this.#logIn(who)
    const key_body = { name: 'Soak', scopes: ['*'] }
    const { key } = await this.#expectOk('POST', '/v1/api_keys', { token, body: key_body })
    if (webhook_url !== undefined) {
      const hook = { url: webhook_url, events: ['*'] }
      await this.#expectOk('POST', '/v1/webhook_endpoints', { token, body: hook })
    }
    return { ...who, account_id, key }
  }

  async #logIn({ email, password }: { email: string; password: string }): Promise<Session> {
    return this.#expectOk('POST', '/v1/auth/login', { body: { email, password } })
  }

  async #expectOk(method: string, path: string, options: { token?: string; body: object }) {
    const { status, text, json } = await this.client.request(method, path, options)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return json
  }
}

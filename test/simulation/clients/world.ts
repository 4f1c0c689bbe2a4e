// Shared knowledge of the clients: accounts with their credentials, and objects to act on. Several
// clients act on the same objects on purpose.

import type { Random } from '../../../src/operations/seeding/random.ts'

export interface Shop {
  account: string
  email: string
  password: string
  token: string
}

interface ObjectRef {
  id: string
  shop: Shop
}

interface KnownPayment extends ObjectRef {
  amount: number
}

interface KnownRequest extends ObjectRef {
  pay_path: string
}

// Clients compete for recent objects; older ones are left to the worker.
const max_recent = 40

export class World {
  readonly shops: Shop[]
  readonly admin_token: string
  /** Whether payments go through a provider, so cards are not entered on Florin's page. */
  readonly has_provider: boolean
  /** Whether all servers know transfers between accounts. */
  readonly has_transfers: boolean
  readonly #pending: ObjectRef[] = []
  readonly #payments: KnownPayment[] = []
  readonly #requests: KnownRequest[] = []
  readonly #transactions: ObjectRef[] = []

  constructor(
    shops: Shop[],
    admin_token: string,
    { has_provider = false, has_transfers = false } = {},
  ) {
    this.shops = shops
    this.admin_token = admin_token
    this.has_provider = has_provider
    this.has_transfers = has_transfers
  }

  addTransaction(shop: Shop, id: string): void {
    addRecent(this.#transactions, { shop, id })
    addRecent(this.#pending, { shop, id })
  }

  addPayment(shop: Shop, id: string, amount: number): void {
    if (this.#payments.some((known) => known.id === id)) return
    addRecent(this.#payments, { shop, id, amount })
  }

  addRequest(shop: Shop, id: string, payment_url: string): void {
    addRecent(this.#requests, { shop, id, pay_path: new URL(payment_url).pathname })
  }

  /** Removes an ended object. One in five stays, so clients try to end it again. */
  removeEnded(id: string, random: Random): void {
    if (random.chance(0.2)) return
    for (const list of [this.#pending, this.#requests]) {
      const at = list.findIndex((known) => known.id === id)
      if (at !== -1) list.splice(at, 1)
    }
  }

  pickTransaction(random: Random): ObjectRef | undefined {
    return pick(random, this.#transactions)
  }

  pickPending(random: Random): ObjectRef | undefined {
    return pick(random, this.#pending)
  }

  pickPayment(random: Random): KnownPayment | undefined {
    return pick(random, this.#payments)
  }

  pickRequest(random: Random): KnownRequest | undefined {
    return pick(random, this.#requests)
  }
}

function addRecent<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > max_recent) list.shift()
}

function pick<Item>(random: Random, list: Item[]): Item | undefined {
  return list.length === 0 ? undefined : random.pick(list)
}

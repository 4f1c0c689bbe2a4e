// What the clients know together: accounts with their credentials, and things to act on. Several
// act on the same ones on purpose.

import type { Random } from '../../../src/seeding/random.ts'

export interface Shop {
  account: string
  email: string
  password: string
  token: string
}

interface Known {
  id: string
  shop: Shop
}

export interface KnownPayment extends Known {
  amount: number
}

export interface KnownRequest extends Known {
  pay_path: string
}

// What was made lately is fought over; older things are left to the worker.
const recent_max = 40

export class World {
  readonly shops: Shop[]
  readonly admin_token: string
  readonly #pending: Known[] = []
  readonly #payments: KnownPayment[] = []
  readonly #requests: KnownRequest[] = []
  readonly #made: Known[] = []

  constructor(shops: Shop[], admin_token: string) {
    this.shops = shops
    this.admin_token = admin_token
  }

  noteMade(shop: Shop, id: string): void {
    keep(this.#made, { shop, id })
    keep(this.#pending, { shop, id })
  }

  notePaid(shop: Shop, id: string, amount: number): void {
    if (this.#payments.some((known) => known.id === id)) return
    keep(this.#payments, { shop, id, amount })
  }

  noteRequest(shop: Shop, id: string, payment_url: string): void {
    keep(this.#requests, { shop, id, pay_path: new URL(payment_url).pathname })
  }

  /** It has ended: most of the time nobody tries to end it again. */
  noteEnded(id: string, random: Random): void {
    if (random.chance(0.2)) return
    for (const list of [this.#pending, this.#requests]) {
      const at = list.findIndex((known) => known.id === id)
      if (at !== -1) list.splice(at, 1)
    }
  }

  pickMade(random: Random): Known | undefined {
    return pick(random, this.#made)
  }

  pickPending(random: Random): Known | undefined {
    return pick(random, this.#pending)
  }

  pickPayment(random: Random): KnownPayment | undefined {
    return pick(random, this.#payments)
  }

  pickRequest(random: Random): KnownRequest | undefined {
    return pick(random, this.#requests)
  }
}

function keep<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > recent_max) list.shift()
}

function pick<Item>(random: Random, list: Item[]): Item | undefined {
  return list.length === 0 ? undefined : random.pick(list)
}

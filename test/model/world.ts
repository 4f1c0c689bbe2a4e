// Everything that exists in one sequence, as plain data. Nothing is stored that can be counted:
// balances, lists and totals are worked out when they are asked for.

import { anyText, Cell, type Derived } from './unify.ts'

export type Role = 'admin' | 'platform' | 'owner' | 'member' | 'lone'
export type Standing = 'active' | 'suspended' | 'pending'

/** What was born or told in one turn has no order that anybody promised. */
export interface Born {
  turn: number
}

export interface Person extends Born {
  id: Cell
  email: string
  name: string | null
  status: Standing
  role: Role
  account: Account | undefined
  password: string
  created_at: Cell
  updated_at: Cell
  gone: boolean
  /** Wrong passwords since the last right one. */
  failures: number
}

export interface Session extends Born {
  id: Cell
  person: Person
  /** All of them live as long as the session does; the last is the newest. */
  access: Cell[]
  refresh: Cell
  used: Cell[]
  ended: boolean
  user_agent: string
  created_at: Cell
  refreshed_at: Cell
  expires_at: Cell
}

export interface Settings {
  currency: string
  timezone: string
  language: string
}

export interface Account extends Born {
  id: Cell
  owner: Person
  email: string
  name: string
  type: 'individual' | 'business'
  status: Standing | 'closed'
  settings: Settings
  created_at: Cell
  updated_at: Cell
  /** Whether it ever had a transaction, a payment request or a subscription. */
  had_money: boolean
  money_moved_at: Cell
  events: ExpectedEvent[]
  postings: Posting[]
}

/** An event that must be there. */
export interface ExpectedEvent extends Born {
  type: string
  data: unknown
  id: Cell
  created_at: Cell
}

/** One movement; how it changes available, which is nothing for some. */
export interface Posting extends Born {
  transaction: Transaction
  available: number
  at: Cell
}

export type Ending = 'succeeded' | 'failed' | 'canceled'

export interface Transaction extends Born {
  id: Cell
  account: Account
  type: 'payment' | 'credit' | 'refund'
  amount: number
  currency: string
  status: 'pending' | Ending
  reference: string | null
  metadata: Metadata
  /** The payment that a linked refund gives back. */
  link: Transaction | undefined
  created_at: Cell
  updated_at: Cell
}

export interface Payment extends Born {
  id: Cell
  account: Account
  amount: number
  currency: string
  status: 'pending' | Ending
  customer_email: string
  reference: string | null
  metadata: Metadata
  created_at: Cell
  updated_at: Cell
  link: Cell
  transaction: Transaction | undefined
  declines: number
}

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Subscription extends Born {
  id: Cell
  account: Account
  customer_email: string
  amount: number
  currency: string
  interval: Interval
  interval_count: number
  status: 'active' | 'paused' | 'canceled'
  reference: string | null
  metadata: Metadata
  /** The number of the next period, and when it begins; kept as it was told. */
  next: Derived<{ period: number; at: number }>
  created_at: Cell
  updated_at: Cell
}

export interface ApiKey extends Born {
  id: Cell
  account: Account
  creator: Person
  name: string
  scopes: string[]
  key: Cell
  last4: Cell
  created_at: Cell
  revoked_at: Cell | null
}

export interface Endpoint extends Born {
  id: Cell
  account: Account
  url: string
  events: readonly string[]
  status: 'enabled' | 'disabled'
  rotated: boolean
  gone: boolean
  created_at: Cell
  updated_at: Cell
}

export type Metadata = Record<string, unknown>

/** A request that was answered well under an Idempotency-Key. */
export interface StoredResponse {
  request: ModelRequest
  /** What the caller was then: a lone user may have become an owner since. */
  role: string
  status: number
  text: string
}

export interface World {
  /** In every name and email of this sequence, so that a search finds them and nothing else. */
  tag: string
  /** Where requests come from: failed log-ins are counted by address. */
  address: string
  turn: number
  /** How many of each there were before this sequence began. */
  before: Record<string, number>
  people: Person[]
  /** Nobody's email any more, but still taken. */
  reserved: string[]
  accounts: Account[]
  sessions: Session[]
  transactions: Transaction[]
  payments: Payment[]
  subscriptions: Subscription[]
  keys: ApiKey[]
  endpoints: Endpoint[]
  kept: StoredResponse[]
}

/** Who asks: nobody, a token that is no good, or a credential that may have died since. */
export type Caller = 'nobody' | 'stranger' | { session: Session } | { key: ApiKey }

export interface ModelRequest {
  method: string
  path: string
  caller: Caller
  /** The Florin-Account header. */
  account?: Account | 'unknown' | undefined
  body?: unknown
  key?: string | undefined
}

/** What the model says to a request. */
export interface Outcome {
  status: number
  body: unknown
}

export const refuse = (status: number, error: string): Outcome => ({
  status,
  body: { error, message: anyText },
})

export const unauthorized = () => refuse(401, 'unauthorized')
export const forbidden = () => refuse(403, 'forbidden')
export const notFound = () => refuse(404, 'not_found')
export const badRequest = () => refuse(400, 'invalid_request')
export const conflict = () => refuse(409, 'conflict')
export const notCancellable = () => refuse(409, 'not_cancellable')

export const isRefusal = (outcome: object): outcome is Outcome => 'status' in outcome

export function expectEvent(world: World, account: Account, type: string, data: unknown): void {
  const { turn } = world
  account.events.push({ turn, type, data, id: new Cell('evt'), created_at: new Cell('time') })
}

export const time = () => new Cell('time')

/** Newest first. Within one turn the ids decide, which are known by then. */
export function newestFirst<Row extends Born & { id: Cell }>(rows: Row[]): Row[] {
  return rows.toSorted(
    (one, other) => other.turn - one.turn || (one.id.known < other.id.known ? 1 : -1),
  )
}

/** Keys are merged, a key set to null is removed, null clears all. */
export function merge(stored: Metadata, changes: Metadata | null | undefined): Metadata {
  if (changes === undefined) return stored
  if (changes === null) return {}
  const all = Object.entries({ ...stored, ...changes })
  return Object.fromEntries(all.filter(([name]) => !(name in changes && changes[name] === null)))
}

export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

// Everything that exists in one sequence, as plain data. Nothing is stored that can be counted:
// balances, lists and totals are worked out when they are asked for.

import { anyText, type Derived, Placeholder } from './unify.ts'

export type Role = 'admin' | 'platform' | 'owner' | 'member' | 'lone'
export type ActiveStatus = 'active' | 'suspended' | 'pending'

/** What was born or told in one turn has no order that anybody promised. */
export interface HasTurn {
  turn: number
}

export interface Person extends HasTurn {
  id: Placeholder
  email: string
  name: string | null
  status: ActiveStatus
  role: Role
  account: Account | undefined
  password: string
  created_at: Placeholder
  updated_at: Placeholder
  gone: boolean
  /** Wrong passwords since the last right one. */
  failures: number
}

export interface Session extends HasTurn {
  id: Placeholder
  person: Person
  /** All of them live as long as the session does; the last is the newest. */
  access: Placeholder[]
  refresh: Placeholder
  used: Placeholder[]
  ended: boolean
  user_agent: string
  created_at: Placeholder
  refreshed_at: Placeholder
  expires_at: Placeholder
}

export interface Settings {
  currency: string
  timezone: string
  language: string
}

export interface Account extends HasTurn {
  id: Placeholder
  owner: Person
  email: string
  name: string
  type: 'individual' | 'business'
  status: ActiveStatus | 'closed'
  settings: Settings
  created_at: Placeholder
  updated_at: Placeholder
  /** Whether it ever had a transaction, a payment request or a subscription. */
  had_money: boolean
  money_moved_at: Placeholder
  events: ExpectedEvent[]
  postings: Posting[]
}

/** An event that must be there. */
export interface ExpectedEvent extends HasTurn {
  type: string
  data: unknown
  id: Placeholder
  created_at: Placeholder
}

/** One movement; how it changes available, which is nothing for some. */
export interface Posting extends HasTurn {
  transaction: Transaction
  available: number
  at: Placeholder
}

export type FinalStatus = 'succeeded' | 'failed' | 'canceled'

export interface Transaction extends HasTurn {
  id: Placeholder
  account: Account
  type: 'payment' | 'credit' | 'refund'
  amount: number
  currency: string
  status: 'pending' | FinalStatus
  reference: string | null
  metadata: Metadata
  /** The payment that a linked refund gives back. */
  link: Transaction | undefined
  created_at: Placeholder
  updated_at: Placeholder
}

export interface Payment extends HasTurn {
  id: Placeholder
  account: Account
  amount: number
  currency: string
  status: 'pending' | FinalStatus
  customer_email: string
  reference: string | null
  metadata: Metadata
  created_at: Placeholder
  updated_at: Placeholder
  link: Placeholder
  transaction: Transaction | undefined
  declines: number
}

export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Subscription extends HasTurn {
  id: Placeholder
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
  created_at: Placeholder
  updated_at: Placeholder
}

export interface ApiKey extends HasTurn {
  id: Placeholder
  account: Account
  creator: Person
  name: string
  scopes: string[]
  key: Placeholder
  last4: Placeholder
  created_at: Placeholder
  revoked_at: Placeholder | null
}

export interface Endpoint extends HasTurn {
  id: Placeholder
  account: Account
  url: string
  events: readonly string[]
  status: 'enabled' | 'disabled'
  rotated: boolean
  gone: boolean
  created_at: Placeholder
  updated_at: Placeholder
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
  stored_responses: StoredResponse[]
}

/** Who asks: nobody, a token that is no good, or a credential that may have died since. */
export type Caller = 'anonymous' | 'invalid_token' | { session: Session } | { key: ApiKey }

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
  account.events.push({
    turn,
    type,
    data,
    id: new Placeholder('evt'),
    created_at: new Placeholder('time'),
  })
}

export const time = () => new Placeholder('time')

/** Newest first. Within one turn the ids decide, which are known by then. */
export function newestFirst<Row extends HasTurn & { id: Placeholder }>(rows: Row[]): Row[] {
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

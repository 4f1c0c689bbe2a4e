// The state of one sequence as plain data. Derived values are not stored: balances, lists and
// totals are calculated when needed.

import { anyText, type Derived, Placeholder } from './unify.ts'

export type Role = 'admin' | 'platform' | 'owner' | 'member' | 'viewer' | 'lone'
export type ActiveStatus = 'active' | 'suspended' | 'pending'

/** The order of objects and events of one turn is unspecified. */
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
  deleted: boolean
  /** Wrong passwords since the last correct one. */
  failures: number
}

export interface Session extends HasTurn {
  id: Placeholder
  person: Person
  /** All are valid as long as the session; the last is the newest. */
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

/** An event that must exist. */
export interface ExpectedEvent extends HasTurn {
  type: string
  data: unknown
  id: Placeholder
  created_at: Placeholder
}

/** One movement and its effect on available, which may be zero. */
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
  /** The payment that a linked refund refers to. */
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
  /** The number and start of the next period. */
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
  deleted: boolean
  created_at: Placeholder
  updated_at: Placeholder
}

export type Metadata = Record<string, unknown>

/** A successful request with an Idempotency-Key. */
interface StoredResponse {
  request: ModelRequest
  /** The caller's role at that time: a user without an account may have become an owner. */
  role: string
  status: number
  text: string
}

export interface World {
  /** Part of every name and email of this sequence, so a search finds exactly its objects. */
  tag: string
  /** The client address of requests: failed logins are counted by address. */
  address: string
  turn: number
  /** List totals before this sequence. */
  before: Record<string, number>
  people: Person[]
  /** Emails of closed accounts, which stay reserved. */
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

/** No token, an invalid token, or a credential that may have been revoked. */
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

/** The model's response to a request. */
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

/** Newest first. Within one turn the ids decide, which have values by then. */
export function newestFirst<Row extends HasTurn & { id: Placeholder }>(rows: Row[]): Row[] {
  return rows.toSorted(
    (one, other) => other.turn - one.turn || (one.id.known < other.id.known ? 1 : -1),
  )
}

/** Merges keys. A key set to null is removed, and null removes all. */
export function merge(stored: Metadata, changes: Metadata | null | undefined): Metadata {
  if (changes === undefined) return stored
  if (changes === null) return {}
  const all = Object.entries({ ...stored, ...changes })
  return Object.fromEntries(all.filter(([name]) => !(name in changes && changes[name] === null)))
}

export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

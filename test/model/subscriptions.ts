// Subscriptions: one payment request per period, counted from the first. Periods skipped during a
// pause or suspension are not billed later.

import { page } from './lists.ts'
import { addPayment } from './payments.ts'
import { authorizeForAccount } from './permissions.ts'
import type { MoneyListInput } from './transactions.ts'
import { Derived, Placeholder, type Resolve } from './unify.ts'
import type {
  Account,
  Interval,
  Metadata,
  ModelRequest,
  Outcome,
  Subscription,
  World,
} from './world.ts'
import {
  badRequest,
  conflict,
  expectEvent,
  merge,
  notCancellable,
  notFound,
  same,
  time,
} from './world.ts'

/** Zones without daylight saving time, with their constant offset from UTC. */
const zone_minutes: Record<string, number> = {
  UTC: 0,
  'Asia/Kolkata': 330,
  'America/Phoenix': -420,
}

export const zones = Object.keys(zone_minutes)

const day_ms = 86_400_000

interface Recurrence {
  interval: Interval
  interval_count: number
  zone: string
}

const recurrenceOf = ({ interval, interval_count, account }: Subscription): Recurrence => ({
  interval,
  interval_count,
  zone: account.settings.timezone,
})

/** Returns the start of period n, counted from the first in local time of the account. */
function periodAt(
  anchor_ms: number,
  { interval, interval_count, zone }: Recurrence,
  n: number,
): number {
  const offset_ms = zone_minutes[zone]! * 60_000
  const count = n * interval_count
  if (interval === 'day') return anchor_ms + count * day_ms
  if (interval === 'week') return anchor_ms + count * 7 * day_ms
  const months = interval === 'month' ? count : count * 12
  const local = new Date(anchor_ms + offset_ms)
  const first = new Date(local)
  first.setUTCDate(1)
  first.setUTCMonth(local.getUTCMonth() + months)
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(local.getUTCDate(), days))
  return first.getTime() - offset_ms
}

/** Returns the first period, from a number on, that starts after this time. */
function nextAfter(anchor_ms: number, recurrence: Recurrence, from: number, after_ms: number) {
  let period = from
  while (periodAt(anchor_ms, recurrence, period) <= after_ms) period += 1
  return { period, at: periodAt(anchor_ms, recurrence, period) }
}

function showSubscription(one: Subscription) {
  const { id, account, customer_email, amount, currency, interval, interval_count } = one
  const { status, reference, next, created_at, updated_at } = one
  const next_at = new Derived((resolve) => new Date(next.from(resolve).at).toISOString())
  return {
    id,
    account_id: account.id,
    ...{ customer_email, amount, currency, interval, interval_count, status, reference },
    metadata: { ...one.metadata },
    next_at: status === 'active' ? next_at : null,
    ...{ created_at, updated_at },
  }
}

interface SubscriptionInput {
  amount: number
  currency: string
  customer_email: string
  interval: Interval
  interval_count: number
  reference: string | null
  metadata: Metadata
}

export function createSubscription(
  world: World,
  request: ModelRequest,
  input: SubscriptionInput,
): Outcome {
  const authorized = authorizeForAccount(request, 'write subscriptions')
  if ('status' in authorized) return authorized
  const { account } = authorized
  if (account.status === 'closed') return notFound()
  if (account.status !== 'active') return badRequest()
  if (input.currency !== account.settings.currency) return badRequest()
  const at = time()
  const base = { turn: world.turn, id: new Placeholder('sub'), created_at: at, updated_at: at }
  const one = { ...base, ...input, account, status: 'active' } as Subscription
  const recurrence = recurrenceOf(one)
  one.next = new Derived((resolve) => ({
    period: 1,
    at: periodAt(anchorOf(one, resolve), recurrence, 1),
  }))
  account.had_money = true
  world.subscriptions.push(one)
  expectEvent(world, account, 'subscription.created', showSubscription(one))
  billPeriod(world, one, new Derived((resolve) => resolve(at)))
  return { status: 201, body: showSubscription(one) }
}

const anchorOf = (one: Subscription, resolve: Resolve) => Date.parse(resolve(one.created_at))

/** Adds the payment request of a period. */
function billPeriod(world: World, one: Subscription, subscription_period: unknown): void {
  const { amount, currency, customer_email, reference } = one
  const metadata = { subscription: one.id, subscription_period }
  addPayment(world, one.account, { amount, currency, customer_email, reference, metadata })
}

function find(
  request: ModelRequest,
  operation: 'read subscriptions' | 'write subscriptions',
  one: Subscription | undefined,
): { row: Subscription; account: Account } | Outcome {
  const authorized = authorizeForAccount(request, operation)
  if ('status' in authorized) return authorized
  const { account } = authorized
  return one?.account === account ? { row: one, account } : notFound()
}

export function getSubscription(request: ModelRequest, one: Subscription | undefined): Outcome {
  const found = find(request, 'read subscriptions', one)
  return 'status' in found ? found : { status: 200, body: showSubscription(found.row) }
}

interface SubscriptionChanges {
  status?: 'active' | 'paused' | undefined
  reference?: string | null | undefined
  metadata?: Metadata | null | undefined
}

export function updateSubscription(
  world: World,
  request: ModelRequest,
  one: Subscription | undefined,
  changes: SubscriptionChanges,
): Outcome {
  const found = find(request, 'write subscriptions', one)
  if ('status' in found) return found
  const { row, account } = found
  // A closed account is read-only.
  if (account.status === 'closed') return notFound()
  if (row.status === 'canceled') return conflict()
  const { reference = row.reference, status = row.status } = changes
  const metadata = merge(row.metadata, changes.metadata)
  const status_changes = status !== row.status
  if (status_changes || reference !== row.reference || !same(metadata, row.metadata)) {
    const updated_at = time()
    if (status_changes && status === 'active') resume(row, updated_at)
    Object.assign(row, { reference, metadata, status, updated_at })
    expectEvent(world, account, 'subscription.updated', showSubscription(row))
  }
  return { status: 200, body: showSubscription(row) }
}

/** Continues with the next period that starts in the future. */
function resume(one: Subscription, at: Placeholder): void {
  const [recurrence, before] = [recurrenceOf(one), one.next.known.period]
  one.next = new Derived((resolve) => {
    return nextAfter(anchorOf(one, resolve), recurrence, before, Date.parse(resolve(at)))
  })
}

export function deleteSubscription(
  world: World,
  request: ModelRequest,
  one: Subscription | undefined,
): Outcome {
  const found = find(request, 'write subscriptions', one)
  if ('status' in found) return found
  if (found.account.status === 'closed') return notFound()
  if (found.row.status === 'canceled') return notCancellable()
  cancelSubscription(world, found.row)
  return { status: 200, body: showSubscription(found.row) }
}

export function cancelSubscription(world: World, one: Subscription): void {
  Object.assign(one, { status: 'canceled', updated_at: time() })
  expectEvent(world, one.account, 'subscription.canceled', showSubscription(one))
}

/** Bills every period that has started, or skips them if the account is not active. */
export function billDuePeriods(world: World, one: Subscription, now_ms: number): void {
  if (one.status !== 'active') return
  const [anchor_ms, recurrence] = [Date.parse(one.created_at.known), recurrenceOf(one)]
  let { period, at } = one.next.known
  if (at > now_ms) return
  if (one.account.status !== 'active') {
    const next = nextAfter(anchor_ms, recurrence, period, now_ms)
    one.next = new Derived(() => next)
    return
  }
  while (at <= now_ms) {
    billPeriod(world, one, new Date(at).toISOString())
    period += 1
    at = periodAt(anchor_ms, recurrence, period)
  }
  const next = { period, at }
  one.next = new Derived(() => next)
}

export function listSubscriptions(
  world: World,
  request: ModelRequest,
  input: MoneyListInput<Subscription>,
): Outcome {
  const authorized = authorizeForAccount(request, 'read subscriptions')
  if ('status' in authorized) return authorized
  const own = world.subscriptions.filter(({ account }) => account === authorized.account)
  return page(own, input, showSubscription, ({ status }) => (input.status ?? status) === status)
}

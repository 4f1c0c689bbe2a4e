// Subscriptions: a request for each period, counted from the first; what a pause or a suspension
// passes over is not made up for.

import { page } from './lists.ts'
import { addPayment } from './payments.ts'
import { authorizeForAccount } from './permissions.ts'
import type { MoneyListInput } from './transactions.ts'
import { Derived, type Look, Placeholder } from './unify.ts'
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

/** Zones that never change their clocks: a wall there is a constant away from UTC. */
const zone_minutes: Record<string, number> = {
  UTC: 0,
  'Asia/Kolkata': 330,
  'America/Phoenix': -420,
}

export const zones = Object.keys(zone_minutes)

const day_ms = 86_400_000

interface Rhythm {
  interval: Interval
  interval_count: number
  zone: string
}

const rhythmOf = ({ interval, interval_count, account }: Subscription): Rhythm => ({
  interval,
  interval_count,
  zone: account.settings.timezone,
})

/** When period n begins, counted from the first on the wall of the account's zone. */
function periodAt(
  anchor_ms: number,
  { interval, interval_count, zone }: Rhythm,
  n: number,
): number {
  const shift_ms = zone_minutes[zone]! * 60_000
  const count = n * interval_count
  if (interval === 'day') return anchor_ms + count * day_ms
  if (interval === 'week') return anchor_ms + count * 7 * day_ms
  const months = interval === 'month' ? count : count * 12
  const wall = new Date(anchor_ms + shift_ms)
  const first = new Date(wall)
  first.setUTCDate(1)
  first.setUTCMonth(wall.getUTCMonth() + months)
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(wall.getUTCDate(), days))
  return first.getTime() - shift_ms
}

/** The first period from a number on that begins after this time. */
function nextAfter(anchor_ms: number, rhythm: Rhythm, from: number, after_ms: number) {
  let period = from
  while (periodAt(anchor_ms, rhythm, period) <= after_ms) period += 1
  return { period, at: periodAt(anchor_ms, rhythm, period) }
}

function showSubscription(one: Subscription) {
  const { id, account, customer_email, amount, currency, interval, interval_count } = one
  const { status, reference, next, created_at, updated_at } = one
  const next_at = new Derived((look) => new Date(next.from(look).at).toISOString())
  return {
    id,
    account_id: account.id,
    ...{ customer_email, amount, currency, interval, interval_count, status, reference },
    metadata: { ...one.metadata },
    next_at: status === 'active' ? next_at : null,
    ...{ created_at, updated_at },
  }
}

export interface SubscriptionInput {
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
  const born = { turn: world.turn, id: new Placeholder('sub'), created_at: at, updated_at: at }
  const one = { ...born, ...input, account, status: 'active' } as Subscription
  const rhythm = rhythmOf(one)
  one.next = new Derived((look) => ({ period: 1, at: periodAt(anchorOf(one, look), rhythm, 1) }))
  account.had_money = true
  world.subscriptions.push(one)
  expectEvent(world, account, 'subscription.created', showSubscription(one))
  askFor(world, one, new Derived((look) => look(at)))
  return { status: 201, body: showSubscription(one) }
}

const anchorOf = (one: Subscription, look: Look) => Date.parse(look(one.created_at))

/** The one payment request of a period. */
function askFor(world: World, one: Subscription, subscription_period: unknown): void {
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

export interface SubscriptionChanges {
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
  // A closed account is there for reading.
  if (account.status === 'closed') return notFound()
  if (row.status === 'canceled') return conflict()
  const { reference = row.reference, status = row.status } = changes
  const metadata = merge(row.metadata, changes.metadata)
  const turned = status !== row.status
  if (turned || reference !== row.reference || !same(metadata, row.metadata)) {
    const updated_at = time()
    if (turned && status === 'active') resume(row, updated_at)
    Object.assign(row, { reference, metadata, status, updated_at })
    expectEvent(world, account, 'subscription.updated', showSubscription(row))
  }
  return { status: 200, body: showSubscription(row) }
}

/** Goes on with the first period to come. */
function resume(one: Subscription, at: Placeholder): void {
  const [rhythm, before] = [rhythmOf(one), one.next.known.period]
  one.next = new Derived((look) => {
    return nextAfter(anchorOf(one, look), rhythm, before, Date.parse(look(at)))
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

/** Asks for every period that has begun by now, or passes them over. */
export function billDuePeriods(world: World, one: Subscription, now_ms: number): void {
  if (one.status !== 'active') return
  const [anchor_ms, rhythm] = [Date.parse(one.created_at.known), rhythmOf(one)]
  let { period, at } = one.next.known
  if (at > now_ms) return
  if (one.account.status !== 'active') {
    const next = nextAfter(anchor_ms, rhythm, period, now_ms)
    one.next = new Derived(() => next)
    return
  }
  while (at <= now_ms) {
    askFor(world, one, new Date(at).toISOString())
    period += 1
    at = periodAt(anchor_ms, rhythm, period)
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

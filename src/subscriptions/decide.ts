// Decides the commands of a batch with pure functions over its set.

import { unknownHeader } from '../identity/acting-account.ts'
import { AlreadyHandled } from '../jobs/due-work.ts'
import { decideByKind } from '../lanes/decide-by-kind.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { decidePayment } from '../payments/decide.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { firstPeriodAfter, periodAt, type Schedule } from '../primitives/period.ts'
import { Refusal } from '../primitives/refusal.ts'
import { newSecret } from '../primitives/secrets.ts'
import { toIso } from '../primitives/time.ts'
import { countMetadata, mergeMetadata, storeCount } from '../transactions/metadata.ts'
import type {
  CancelCommand,
  CreateCommand,
  DueCommand,
  PatchCommand,
  SubscriptionCommand,
} from './commands.ts'
import type { SubscriptionRow } from './subscription.ts'
import type { SubscriptionSet } from './subscription-set.ts'

// A closed account is read-only, and its subscriptions count as canceled. Its users have no valid
// tokens, so the account was named in the header.
export const decideSubscription = decideByKind<
  SubscriptionSet,
  SubscriptionCommand,
  SubscriptionRow
>(
  { create, patch, cancel, due: processDue },
  ({ kind }) => (kind === 'due' ? new AlreadyHandled() : unknownHeader()),
  (lock) => lock.status !== 'closed',
)

function create(set: SubscriptionSet, lock: AccountLock, command: CreateCommand): SubscriptionRow {
  requireUsableAccount(lock, command)
  const { kind: _, ...given } = command
  const id = set.locked.nextId(lock)
  const at = timeOfUuid(id)
  const first = { ...given, id, status: 'active', next_period: 1, updated_at: at } as const
  const row = { ...first, next_at: periodAt(scheduleOf(set, first), 1) }
  storeCount(lock, countMetadata(lock, row.metadata, at))
  set.insert(lock, row)
  set.addEvent(lock, 'subscription.created', row)
  requestPeriod(set, row, 0, at)
  return row
}

function requireUsableAccount(lock: AccountLock, { currency }: CreateCommand): void {
  if (lock.status !== 'active') {
    throw new Refusal(
      'invalid_request',
      `The account must be active to create subscriptions; it is ${lock.status}.`,
    )
  }
  if (lock.open_subscriptions >= open_max) throw tooMany()
  if (currency === lock.currency) return
  throw new Refusal(
    'invalid_request',
    `"currency" must be "${lock.currency}", the account's currency; got "${currency}".`,
  )
}

// Each creates payment requests and emails without further API calls, for as long as it is active.
const open_max = 1_000_000

function tooMany(): Refusal {
  return new Refusal(
    'invalid_request',
    `An account has at most ${open_max} subscriptions that are not canceled. Cancel one first.`,
  )
}

/** Not stored: it depends on the account's time zone, which can change. */
function scheduleOf(
  set: SubscriptionSet,
  row: Pick<SubscriptionRow, 'account_id' | 'id' | 'interval' | 'interval_count'>,
): Schedule {
  const account = set.payments.accounts.get(row.account_id)
  if (account === undefined) throw new Error(`account ${row.account_id} was not loaded`)
  const { interval, interval_count } = row
  return { anchor_at: timeOfUuid(row.id), interval, interval_count, zone: account.timezone }
}

/** Creates the payment request of a period, and the period row, whose key prevents a second one. */
function requestPeriod(
  set: SubscriptionSet,
  row: SubscriptionRow,
  period: number,
  starts_at: Date,
): void {
  const { account_id, amount, currency, customer_email, reference } = row
  const subscription = toTypeId('subscription', row.id)
  const payment = decidePayment(set.payments, {
    kind: 'create',
    account_id,
    amount,
    currency,
    customer_email,
    reference,
    metadata: `{"subscription":"${subscription}","subscription_period":"${toIso(starts_at)}"}`,
    token: newSecret(''),
  })
  set.periods.push({
    account_id,
    subscription_id: row.id,
    period,
    starts_at,
    payment_id: payment.id,
  })
}

function patch(set: SubscriptionSet, lock: AccountLock, command: PatchCommand): SubscriptionRow {
  const row = set.getRow(command)
  const reference = command.reference === undefined ? row.reference : command.reference
  const metadata =
    command.metadata === undefined ? row.metadata : mergeMetadata(row.metadata, command.metadata)
  if (row.status === 'canceled') {
    throw new Refusal('conflict', 'The subscription has been canceled. Create a new one.')
  }
  const status = command.status ?? row.status
  const same = reference === row.reference && metadata === row.metadata && status === row.status
  if (same) return row
  const updated_at = set.locked.timeOf(lock)
  // Never for a pause: a quota must not keep a merchant from charging less.
  const is_pausing = status === 'paused' && row.status !== status
  const count = is_pausing ? lock : countMetadata(lock, metadata, updated_at)
  const status_change =
    status === row.status ? {} : changeStatus(set, lock, row, status, updated_at)
  storeCount(lock, count)
  set.change(lock, row, { reference, metadata, updated_at, ...status_change })
  set.addEvent(lock, 'subscription.updated', row)
  return row
}

/** A paused subscription has no next period. Resuming starts with the first future period. */
function changeStatus(
  set: SubscriptionSet,
  lock: AccountLock,
  row: SubscriptionRow,
  status: 'active' | 'paused',
  at: Date,
): Partial<SubscriptionRow> {
  return status === 'paused'
    ? { status, ...requestBegun(set, lock, row) }
    : { status, ...nextAfter(set, row, at) }
}

/**
 * Before a subscription stops, requests payment for the periods that began while it was active. The
 * worker may be behind, for weeks after an outage, and would never request these periods.
 */
function requestBegun(
  set: SubscriptionSet,
  lock: AccountLock,
  row: SubscriptionRow,
): Pick<SubscriptionRow, 'next_period' | 'next_at'> {
  const { next_period, next_at } = row
  if (next_at === null || lock.status !== 'active') return { next_period, next_at: null }
  const by = set.locked.now
  if (periodAt(scheduleOf(set, row), next_period + periods_max) <= by) throw farBehind()
  return { next_period: requestUntil(set, row, next_at, by).next_period, next_at: null }
}

function farBehind(): Refusal {
  return new Refusal(
    'unavailable',
    'Payment requests for past periods are still being created. Retry in a few seconds.',
    { retry_after_s: 5 },
  )
}

function nextAfter(
  set: SubscriptionSet,
  row: SubscriptionRow,
  at: Date,
): Pick<SubscriptionRow, 'next_period' | 'next_at'> {
  const schedule = scheduleOf(set, row)
  const next_period = firstPeriodAfter(schedule, at, row.next_period)
  return { next_period, next_at: periodAt(schedule, next_period) }
}

function cancel(set: SubscriptionSet, lock: AccountLock, command: CancelCommand): SubscriptionRow {
  const row = set.getRow(command)
  if (row.status === 'canceled') {
    throw new Refusal('not_cancellable', 'The subscription has already been canceled.')
  }
  return cancelRow(set, lock, row)
}

/** Also used by slices, which cancel the paused subscriptions of a closed account. */
export function cancelRow(
  set: SubscriptionSet,
  lock: AccountLock,
  row: SubscriptionRow,
): SubscriptionRow {
  const updated_at = set.locked.timeOf(lock)
  set.change(lock, row, { status: 'canceled', updated_at, ...requestBegun(set, lock, row) })
  lock.open_subscriptions -= 1
  set.addEvent(lock, 'subscription.canceled', row)
  return row
}

// Maximum periods per command for a subscription that is behind; it stays due for the rest.
// A batch has up to 64 such commands, and writing 1,600 requests is well within the statement
// timeout.
const periods_max = 25

function processDue(set: SubscriptionSet, lock: AccountLock, command: DueCommand): SubscriptionRow {
  const row = set.getRow(command)
  const { by } = command
  if (row.next_at === null || row.next_at > by) throw new AlreadyHandled()
  // Periods that begin while the account is not active are skipped for good.
  if (lock.status !== 'active') {
    set.change(lock, row, nextAfter(set, row, by))
    return row
  }
  set.change(lock, row, requestUntil(set, row, row.next_at, by))
  return row
}

/** Requests payment for the periods that have begun by `by`, and returns the next one. */
function requestUntil(set: SubscriptionSet, row: SubscriptionRow, first_at: Date, by: Date) {
  const schedule = scheduleOf(set, row)
  let { next_period } = row
  let next_at = first_at
  for (let count = 0; count < periods_max && next_at <= by; count++) {
    requestPeriod(set, row, next_period, next_at)
    next_period += 1
    next_at = periodAt(schedule, next_period)
  }
  return { next_period, next_at }
}

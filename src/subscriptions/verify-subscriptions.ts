// Holds every subscription against its account's row and the periods that were asked for, and every
// period against its payment request. That more requests name a subscription than it has periods is
// no difference: whoever makes a request may write any metadata.

import { mustHaveNoOpenRows } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import { lastAtDifference } from '../ledger/verify-ledger.ts'
import { findPayments } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { Queryable } from '../postgres/database.ts'
import {
  type AccountRange,
  type Difference,
  differences_max,
  max_uuid,
} from '../primitives/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import {
  type BrokenSubscription,
  type RequestedPeriod,
  type SharedRequest,
  type SubscriptionFacts,
  selectBrokenSubscriptions,
  selectPeriodsAfter,
  selectSharedRequests,
  selectSubscriptionFacts,
} from './verify/queries.ts'

/** Locks of the same range, read in the same snapshot. */
export async function verifySubscriptions(
  db: Queryable,
  range: AccountRange,
  locks: CheckedLock[],
): Promise<Difference[]> {
  const facts = await selectSubscriptionFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const differences = facts.flatMap((one) => checkFacts(one, lock_of.get(one.account_id)))
  for (const { account_id, broken } of facts) {
    if (broken === 0) continue
    const rows = await selectBrokenSubscriptions(db, account_id, differences_max)
    differences.push(...rows.flatMap((row) => checkRow(toTypeId('account', account_id), row)))
  }
  const shared = await selectSharedRequests(db, range, differences_max)
  return [...differences, ...shared.map(checkShared), ...(await verifyPeriods(db, range))]
}

function checkFacts(facts: SubscriptionFacts, lock: CheckedLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const tell = (rule: string, object: string, found: string, expected: string): Difference => {
    return { rule, account_id, object, found, expected }
  }
  if (lock === undefined) {
    const found = `${facts.subscriptions} subscriptions of an account without books`
    return [tell('subscriptions_have_a_balance', 'subscriptions', found, 'none')]
  }
  const differences = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) => tell('currency_matches', 'currency of subscriptions', found, lock.currency))
  if (facts.newest_id > lock.last_transaction_id) {
    const expected = `${toTypeId('subscription', facts.newest_id)}, the newest, or later`
    const found = toTypeId('subscription', lock.last_transaction_id)
    const rule = 'last_transaction_id_is_latest'
    differences.push(tell(rule, 'last_transaction_id', found, expected))
  }
  if (mustHaveNoOpenRows(lock) && facts.open > 0) {
    const found = `${facts.open} not canceled`
    differences.push(tell('closed_accounts_request_nothing', 'subscriptions', found, 'none'))
  }
  if (facts.last_at > lock.last_at) {
    differences.push(lastAtDifference(account_id, lock, 'subscription', facts.last_at))
  }
  return differences
}

/** What a row and its periods say that cannot be, whatever the others say. */
export function checkRow(account_id: string, row: BrokenSubscription): Difference[] {
  const { status, next_at, first_period, last_period, next_period } = row
  const told: [broken: boolean, rule: string, found: string, expected: string][] = [
    [
      row.updated_at < row.created_at,
      'times_do_not_decrease',
      `updated_at ${toIso(row.updated_at)}`,
      `${toIso(row.created_at)} or later`,
    ],
    [
      (next_at !== null) !== (status === 'active'),
      'only_active_has_a_next_time',
      `${status} and ${next_at === null ? 'no next_at' : `next_at ${toIso(next_at)}`}`,
      status === 'active' ? 'a next_at' : 'no next_at',
    ],
    [
      first_period !== 0,
      'subscriptions_begin_with_a_period',
      first_period === null ? 'no period' : `period ${first_period} as the first`,
      'period 0',
    ],
    [
      last_period !== null && last_period >= next_period,
      'periods_are_requested_once',
      `period ${next_period} next, and period ${last_period} asked for`,
      `period ${(last_period ?? 0) + 1} next, or later`,
    ],
  ]
  const object = toTypeId('subscription', row.id)
  return told
    .filter(([broken]) => broken)
    .map(([, rule, found, expected]) => ({ rule, account_id, object, found, expected }))
}

function checkShared({ account_id, payment_id, periods }: SharedRequest): Difference {
  return {
    rule: 'a_request_is_of_one_period',
    account_id: toTypeId('account', account_id),
    object: toTypeId('payment', payment_id),
    found: `${periods} periods`,
    expected: 'one',
  }
}

// What is read at a time, however many have been asked for: a few megabytes.
const page_size = 5_000

async function verifyPeriods(db: Queryable, range: AccountRange): Promise<Difference[]> {
  const differences: Difference[] = []
  // Past every period of the account before the range, which itself is outside of it.
  let after = { account_id: range.after, subscription_id: max_uuid, period: 0 }
  for (;;) {
    const periods = await selectPeriodsAfter(db, range, after, page_size)
    differences.push(...(await judgePage(db, periods)))
    const last = periods.at(-1)
    if (last === undefined || periods.length < page_size) return differences
    if (differences.length >= differences_max) return differences
    after = last
  }
}

async function judgePage(db: Queryable, periods: RequestedPeriod[]): Promise<Difference[]> {
  if (periods.length === 0) return []
  const names = periods.map(({ account_id, payment_id: id }) => ({ account_id, id }))
  const rows = await findPayments(db, names)
  const row_of = new Map(rows.map((row) => [row.account_id + row.id, row]))
  return periods
    .flatMap((one) => checkPeriod(one, row_of.get(one.account_id + one.payment_id)))
    .slice(0, differences_max)
}

/** Asked for by a request over the very same amount, of the same customer. */
export function checkPeriod(asked: RequestedPeriod, row: PaymentRow | undefined): Difference[] {
  const account_id = toTypeId('account', asked.account_id)
  const object = `${toTypeId('subscription', asked.subscription_id)} period ${asked.period}`
  const rule = 'periods_have_their_request'
  if (asked.amount === null) {
    const found = 'a period of a subscription that is not there'
    return [{ rule, account_id, object, found, expected: 'none' }]
  }
  const expected = wordsOf({ ...asked, amount: asked.amount })
  const found = row === undefined ? 'a request that is not there' : wordsOf(row)
  return found === expected ? [] : [{ rule, account_id, object, found, expected }]
}

function wordsOf(asked: {
  amount: number
  currency: string | null
  customer_email: string | null
}): string {
  return `a request for ${asked.amount} ${asked.currency} to ${asked.customer_email}`
}

// Compares every subscription with its account's balance row and its periods, and every period with
// its payment request. Metadata of payment requests is not checked: clients can name a subscription
// in any request.

import { mustHaveNoOpenRows } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import { lastAtDifference } from '../ledger/verify-ledger.ts'
import { findPayments } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { max_uuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import {
  type BrokenSubscription,
  type RequestedPeriod,
  type ReusedRequest,
  type SubscriptionFacts,
  selectBrokenSubscriptions,
  selectPeriodsAfter,
  selectReusedRequests,
  selectSubscriptionFacts,
} from './verify-queries.ts'

/** `locks` must cover the same range and come from the same snapshot. */
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
  const reused = await selectReusedRequests(db, range, differences_max)
  return [...differences, ...reused.map(reuseDifference), ...(await verifyPeriods(db, range))]
}

function checkFacts(facts: SubscriptionFacts, lock: CheckedLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const differ = (rule: string, object: string, found: string, expected: string): Difference => {
    return { rule, account_id, object, found, expected }
  }
  if (lock === undefined) {
    const found = `${facts.subscriptions} subscriptions of an account without a balance`
    return [differ('subscriptions_have_a_balance', 'subscriptions', found, 'none')]
  }
  const differences = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) => differ('currency_matches', 'currency of subscriptions', found, lock.currency))
  if (facts.newest_id > lock.last_transaction_id) {
    const expected = `${toTypeId('subscription', facts.newest_id)}, the newest, or later`
    const found = toTypeId('subscription', lock.last_transaction_id)
    const rule = 'last_transaction_id_is_latest'
    differences.push(differ(rule, 'last_transaction_id', found, expected))
  }
  if (mustHaveNoOpenRows(lock) && facts.open > 0) {
    const found = `${facts.open} not canceled`
    differences.push(differ('closed_accounts_request_nothing', 'subscriptions', found, 'none'))
  }
  if (facts.last_at > lock.last_at) {
    differences.push(lastAtDifference(account_id, lock, 'subscription', facts.last_at))
  }
  return differences
}

/** Checks a row and its periods for contradictions, regardless of other rows. */
function checkRow(account_id: string, row: BrokenSubscription): Difference[] {
  const { status, next_at, first_period, last_period, next_period } = row
  const checks: [broken: boolean, rule: string, found: string, expected: string][] = [
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
      `period ${next_period} next, and period ${last_period} requested`,
      `period ${(last_period ?? 0) + 1} next, or later`,
    ],
  ]
  const object = toTypeId('subscription', row.id)
  return checks
    .filter(([broken]) => broken)
    .map(([, rule, found, expected]) => ({ rule, account_id, object, found, expected }))
}

function reuseDifference({ account_id, payment_id, periods }: ReusedRequest): Difference {
  return {
    rule: 'a_request_is_of_one_period',
    account_id: toTypeId('account', account_id),
    object: toTypeId('payment', payment_id),
    found: `${periods} periods`,
    expected: 'one',
  }
}

// Bounds the memory to a few megabytes, however many periods there are.
const page_size = 5_000

async function verifyPeriods(db: Queryable, range: AccountRange): Promise<Difference[]> {
  const differences: Difference[] = []
  // range.after is exclusive: start after the last possible subscription of that account.
  let after = { account_id: range.after, subscription_id: max_uuid, period: 0 }
  for (;;) {
    const periods = await selectPeriodsAfter(db, range, after, page_size)
    differences.push(...(await checkPage(db, periods)))
    const last = periods.at(-1)
    if (last === undefined || periods.length < page_size) return differences
    if (differences.length >= differences_max) return differences
    after = last
  }
}

async function checkPage(db: Queryable, periods: RequestedPeriod[]): Promise<Difference[]> {
  if (periods.length === 0) return []
  const names = periods.map(({ account_id, payment_id: id }) => ({ account_id, id }))
  const rows = await findPayments(db, names)
  const row_of = new Map(rows.map((row) => [row.account_id + row.id, row]))
  return periods
    .flatMap((one) => checkPeriod(one, row_of.get(one.account_id + one.payment_id)))
    .slice(0, differences_max)
}

/** A period must have a request of the same amount to the same customer. */
function checkPeriod(period: RequestedPeriod, row: PaymentRow | undefined): Difference[] {
  const account_id = toTypeId('account', period.account_id)
  const object = `${toTypeId('subscription', period.subscription_id)} period ${period.period}`
  const rule = 'periods_have_their_request'
  if (period.amount === null) {
    const found = 'a period of a missing subscription'
    return [{ rule, account_id, object, found, expected: 'none' }]
  }
  const expected = describe({ ...period, amount: period.amount })
  const found = row === undefined ? 'a missing request' : describe(row)
  return found === expected ? [] : [{ rule, account_id, object, found, expected }]
}

function describe(request: {
  amount: number
  currency: string | null
  customer_email: string | null
}): string {
  return `a request for ${request.amount} ${request.currency} to ${request.customer_email}`
}

// Compares every payment request with its account's balance row, the transaction that paid it, and
// its link. Does not check that transaction's metadata, which the account can change.

import { mustHaveNoOpenRows } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import { lastAtDifference } from '../ledger/verify-ledger.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { max_uuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import {
  type PayingTransaction,
  selectPayingTransactions,
} from '../transactions/verify-transactions.ts'
import {
  type BrokenLink,
  type BrokenPayment,
  type PaidRequest,
  type PaymentFacts,
  type ReusedTransaction,
  selectBrokenLinks,
  selectBrokenPayments,
  selectPaidAfter,
  selectPaymentFacts,
  selectReusedTransactions,
  selectWrongAttempts,
  type WrongAttempts,
} from './verify-queries.ts'

/** `locks` must cover the same range and come from the same snapshot. */
export async function verifyPayments(
  db: Queryable,
  range: AccountRange,
  locks: CheckedLock[],
): Promise<Difference[]> {
  const facts = await selectPaymentFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const differences = facts.flatMap((one) => checkFacts(one, lock_of.get(one.account_id)))
  for (const { account_id, broken } of facts) {
    if (broken === 0) continue
    const rows = await selectBrokenPayments(db, account_id, differences_max)
    differences.push(...rows.flatMap((row) => checkRow(toTypeId('account', account_id), row)))
  }
  const reused = await selectReusedTransactions(db, range, differences_max)
  const attempts = await selectWrongAttempts(db, range, differences_max)
  return [
    ...differences,
    ...reused.map(reuseDifference),
    ...attempts.map(attemptsDifference),
    ...(await verifyPaid(db, range)),
  ]
}

/** Every link must have its request and vice versa. Checked once for the whole database. */
export async function verifyLinks(db: Queryable): Promise<Difference[]> {
  return (await selectBrokenLinks(db, differences_max)).map(checkLink)
}

function checkFacts(facts: PaymentFacts, lock: CheckedLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const differ = (rule: string, object: string, found: string, expected: string): Difference => {
    return { rule, account_id, object, found, expected }
  }
  if (lock === undefined) {
    const found = `${facts.payments} payment requests of an account without a balance`
    return [differ('payments_have_a_balance', 'payment requests', found, 'none')]
  }
  const differences = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) =>
      differ('currency_matches', 'currency of payment requests', found, lock.currency),
    )
  if (facts.newest_id > lock.last_transaction_id) {
    const expected = `${toTypeId('payment', facts.newest_id)}, the newest, or later`
    const found = toTypeId('payment', lock.last_transaction_id)
    const rule = 'last_transaction_id_is_latest'
    differences.push(differ(rule, 'last_transaction_id', found, expected))
  }
  if (mustHaveNoOpenRows(lock) && facts.pending > 0) {
    const found = `${facts.pending} pending`
    differences.push(differ('closed_accounts_request_nothing', 'payment requests', found, 'none'))
  }
  if (facts.last_at > lock.last_at) {
    differences.push(lastAtDifference(account_id, lock, 'payment request', facts.last_at))
  }
  return differences
}

/** Checks a row for contradictions, regardless of other rows. */
function checkRow(account_id: string, row: BrokenPayment): Difference[] {
  const { status, due_at, transaction_id } = row
  const due = due_at === null ? 'never due' : `due at ${toIso(due_at)}`
  const paid_by =
    transaction_id === null ? 'no transaction' : toTypeId('transaction', transaction_id)
  const checks: [broken: boolean, rule: string, found: string, expected: string][] = [
    [row.id === row.id_before, 'ids_are_unique', 'two rows with this id', 'one'],
    [
      row.updated_at < row.created_at,
      'times_do_not_decrease',
      `updated_at ${toIso(row.updated_at)}`,
      `${toIso(row.created_at)} or later`,
    ],
    [
      (due_at !== null) !== (status === 'pending'),
      'only_pending_is_due',
      `${status} and ${due}`,
      status === 'pending' ? 'a due_at' : 'no due_at',
    ],
    [
      (transaction_id !== null) !== (status === 'succeeded'),
      'paid_requests_have_their_transaction',
      `${status} with ${paid_by}`,
      status === 'succeeded' ? 'a transaction' : 'no transaction',
    ],
  ]
  const object = toTypeId('payment', row.id)
  return checks
    .filter(([broken]) => broken)
    .map(([, rule, found, expected]) => ({ rule, account_id, object, found, expected }))
}

function reuseDifference({ account_id, transaction_id, payments }: ReusedTransaction): Difference {
  return {
    rule: 'a_transaction_pays_one_request',
    account_id: toTypeId('account', account_id),
    object: toTypeId('transaction', transaction_id),
    found: `${payments} payment requests`,
    expected: 'one',
  }
}

function attemptsDifference(wrong: WrongAttempts): Difference {
  const { attempts, declines, stored, stored_declines } = wrong
  const expected =
    wrong.status === null
      ? 'the payment request of these attempts'
      : `${attempts ?? 'some'} attempts, ${declines} of them declined`
  return {
    rule: 'attempts_are_stored',
    account_id: toTypeId('account', wrong.account_id),
    object: toTypeId('payment', wrong.payment_id),
    found: `${stored} stored attempts, ${stored_declines} of them declined`,
    expected,
  }
}

// Bounds the memory to a few megabytes, however many requests have been paid.
const page_size = 5_000

async function verifyPaid(db: Queryable, range: AccountRange): Promise<Difference[]> {
  const differences: Difference[] = []
  // range.after is exclusive: start after the last possible id of that account.
  let after = { account_id: range.after, id: max_uuid }
  for (;;) {
    const paid = await selectPaidAfter(db, range, after, page_size)
    differences.push(...(await checkPage(db, paid)))
    const last = paid.at(-1)
    if (last === undefined || paid.length < page_size) return differences
    if (differences.length >= differences_max) return differences
    after = last
  }
}

async function checkPage(db: Queryable, paid: PaidRequest[]): Promise<Difference[]> {
  const linked = paid.flatMap(({ account_id, transaction_id: id }) =>
    id === null ? [] : [{ account_id, id }],
  )
  if (linked.length === 0) return []
  const rows = await selectPayingTransactions(db, linked)
  const row_of = new Map(rows.map((row) => [row.account_id + row.id, row]))
  return paid
    .filter(({ transaction_id }) => transaction_id !== null)
    .flatMap((one) => checkPaid(one, row_of.get(one.account_id + one.transaction_id)))
    .slice(0, differences_max)
}

/** A paid request must have a succeeded payment of the same amount. */
function checkPaid(paid: PaidRequest, row: PayingTransaction | undefined): Difference[] {
  const expected = `a succeeded payment of ${paid.amount} ${paid.currency}`
  const found = row && `a ${row.status} ${row.type} of ${row.amount} ${row.currency}`
  if (found === expected) return []
  return [
    {
      rule: 'paid_requests_have_their_transaction',
      account_id: toTypeId('account', paid.account_id),
      object: toTypeId('payment', paid.id),
      found: found ?? 'a missing transaction',
      expected,
    },
  ]
}

function checkLink(link: BrokenLink): Difference {
  return {
    rule: 'links_lead_to_their_request',
    account_id: toTypeId('account', link.account_id),
    object: toTypeId('payment', link.payment_id),
    found: link.has_link ? 'a link without its request' : 'a request without its link',
    expected: 'both',
  }
}

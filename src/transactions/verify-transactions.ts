// Compares every transaction with its postings, its account's balance row and its refunds.
// Transactions and postings are compared by fingerprint; rows are read only where those differ.

import { mustHaveNoOpenRows } from '../ledger/closings.ts'
import type { CheckedLock } from '../ledger/lock-row.ts'
import { postingRules, type TransactionStatus } from '../ledger/posting-rules.ts'
import {
  fingerprintParts,
  lastAtDifference,
  listMovements,
  type PostingFacts,
  type TransactionMovements,
} from '../ledger/verify-ledger.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { verifyCharges } from './verify-charges.ts'
import {
  type BrokenRefund,
  type BrokenTransaction,
  type MovementRule,
  selectBrokenRefunds,
  selectBrokenTransactions,
  selectStatesOfPart,
  selectTransactionFacts,
  selectTransactionParts,
  type TransactionFacts,
  type TransactionState,
} from './verify-queries.ts'

export { type PayingTransaction, selectPayingTransactions } from './verify-queries.ts'

interface TransactionsVerification {
  transactions: number
  differences: Difference[]
}

/** `locks` and `postings` must cover the same range and come from the same snapshot. */
export async function verifyTransactions(
  db: Queryable,
  range: AccountRange,
  locks: CheckedLock[],
  postings: PostingFacts[],
): Promise<TransactionsVerification> {
  const facts = await selectTransactionFacts(db, range, rules)
  const facts_of = new Map(facts.map((one) => [one.account_id, one]))
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const posted = new Map(postings.map((one) => [one.account_id, one.fingerprint]))
  const differences = facts.flatMap((one) => checkFacts(one, lock_of.get(one.account_id)))
  for (const { account_id, broken } of facts) {
    if (broken > 0) differences.push(...(await nameBroken(db, account_id)))
  }
  for (const account_id of new Set([...facts_of.keys(), ...posted.keys()])) {
    const agree = facts_of.get(account_id)?.fingerprint === posted.get(account_id)
    if (!agree) differences.push(...(await nameDisagreement(db, account_id)))
  }
  const refunds = await selectBrokenRefunds(db, range, differences_max)
  differences.push(...refunds.flatMap(checkRefund))
  differences.push(...(await verifyCharges(db, range, locks, postings)))
  const transactions = facts.reduce((sum, one) => sum + one.transactions, 0)
  return { transactions, differences }
}

const rules: MovementRule[] = Object.entries(postingRules).flatMap(([type, by_status]) =>
  Object.entries(by_status).map(([status, movement]) => ({
    type: type as MovementRule['type'],
    status: status as TransactionStatus,
    begins: by_status.pending,
    ends: status === 'pending' ? null : movement,
  })),
)

function checkFacts(facts: TransactionFacts, lock: CheckedLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const differ = (rule: string, object: string, found: string, expected: string): Difference => {
    return { rule, account_id, object, found, expected }
  }
  if (lock === undefined) {
    const found = `${facts.transactions} transactions of an account without a balance`
    return [differ('transactions_have_a_balance', 'transactions', found, 'none')]
  }
  const differences = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) => differ('currency_matches', 'currency of transactions', found, lock.currency))
  if (mustHaveNoOpenRows(lock) && lock.incoming + lock.held > 0) {
    const found = `${lock.incoming} incoming and ${lock.held} held`
    differences.push(differ('closed_accounts_move_no_money', 'transactions', found, 'none'))
  }
  if (facts.newest_id > lock.last_transaction_id) {
    const expected = `${toTypeId('transaction', facts.newest_id)}, the newest, or later`
    const found = toTypeId('transaction', lock.last_transaction_id)
    const object = 'last_transaction_id'
    differences.push(differ('last_transaction_id_is_latest', object, found, expected))
  }
  if (facts.last_at > lock.last_at) {
    differences.push(lastAtDifference(account_id, lock, 'transaction', facts.last_at))
  }
  return differences
}

async function nameBroken(db: Queryable, account_id: string): Promise<Difference[]> {
  const broken = await selectBrokenTransactions(db, account_id, differences_max)
  return broken.flatMap((row) => checkRow(toTypeId('account', account_id), row))
}

/** Checks a row for contradictions, regardless of its postings. */
function checkRow(account_id: string, row: BrokenTransaction): Difference[] {
  const checks: [broken: boolean, rule: string, found: string, expected: string][] = [
    [row.id === row.id_before, 'ids_are_unique', 'two rows with this id', 'one'],
    [
      row.updated_at < row.created_at,
      'times_do_not_decrease',
      `updated_at ${toIso(row.updated_at)}`,
      `${toIso(row.created_at)} or later`,
    ],
    [
      row.due_at !== null && row.status !== 'pending',
      'only_pending_is_due',
      `${row.status} and due at ${row.due_at && toIso(row.due_at)}`,
      'no due_at',
    ],
    [
      row.refund_of !== null && row.type !== 'refund',
      'only_refunds_are_linked',
      `a ${row.type} that refunds ${row.refund_of && toTypeId('transaction', row.refund_of)}`,
      'a refund',
    ],
  ]
  const object = toTypeId('transaction', row.id)
  return checks
    .filter(([broken]) => broken)
    .map(([, rule, found, expected]) => ({ rule, account_id, object, found, expected }))
}

/**
 * Finds the transactions that contradict their postings. Reads one of 256 parts at a time to bound
 * memory, and stops once enough differences are found.
 */
async function nameDisagreement(db: Queryable, account_id: string): Promise<Difference[]> {
  const ours = await selectTransactionParts(db, account_id, rules)
  const theirs = await fingerprintParts(db, account_id)
  const ours_of = new Map(ours.map(({ part, fingerprint }) => [part, fingerprint]))
  const theirs_of = new Map(theirs.map(({ part, fingerprint }) => [part, fingerprint]))
  const parts = [...new Set([...ours_of.keys(), ...theirs_of.keys()])]
  const differences: Difference[] = []
  for (const part of parts.filter((one) => ours_of.get(one) !== theirs_of.get(one))) {
    const states = await selectStatesOfPart(db, account_id, part)
    const movements = await listMovements(db, account_id, part)
    differences.push(...checkMovements(toTypeId('account', account_id), states, movements))
    if (differences.length >= differences_max) break
  }
  return differences
}

/** Every transaction must have the movements of its status, and every movement a transaction. */
function checkMovements(
  account_id: string,
  states: TransactionState[],
  movements: TransactionMovements[],
): Difference[] {
  const found_of = new Map(movements.map((one) => [one.transaction_id, one.movements]))
  const known = new Set(states.map(({ id }) => id))
  const wrong = states
    .map((state) => ({ state, expected: movementsOf(state), found: found_of.get(state.id) ?? [] }))
    .filter(({ expected, found }) => expected.join() !== found.join())
  const orphans = movements.filter(({ transaction_id }) => !known.has(transaction_id))
  const rule = 'states_have_their_postings'
  return [
    ...wrong.map(({ state, expected, found }) => ({
      rule,
      account_id,
      object: toTypeId('transaction', state.id),
      found: `a ${state.status} ${state.type} of ${state.amount} with ${describe(found)}`,
      expected: describe(expected),
    })),
    ...orphans.map(({ transaction_id, movements: found }) => ({
      rule,
      account_id,
      object: toTypeId('transaction', transaction_id),
      found: `no such transaction, with ${describe(found)}`,
      expected: 'no postings',
    })),
  ]
}

function movementsOf({ type, status, amount }: TransactionState): string[] {
  const { pending, [status]: end } = postingRules[type]
  const names = status === 'pending' ? [pending] : [pending, end]
  return names.map((movement) => `${movement} ${amount}`)
}

function describe(movements: string[]): string {
  return movements.length === 0 ? 'no postings' : movements.join(', ')
}

/** Refunds must not exceed their payment, and the stored total must equal their sum. */
function checkRefund(refund: BrokenRefund): Difference[] {
  const { refunded, stored_refunded, succeeded, stored_succeeded, paid_out } = refund
  const { payment_amount, payment_type, payment_status } = refund
  const account_id = toTypeId('account', refund.account_id)
  const object = toTypeId('transaction', refund.payment_id)
  const differences: Difference[] = []
  const report = (rule: string, found: string, expected: string) =>
    differences.push({ rule, account_id, object, found, expected })
  if (refunded !== stored_refunded) {
    const expected = `${refunded}, the sum of its refunds`
    report('refund_total_matches', `a total of ${stored_refunded}`, expected)
  } else if (succeeded !== stored_succeeded) {
    const expected = `${succeeded}, the sum of its succeeded refunds`
    report('refund_total_matches', `a succeeded total of ${stored_succeeded}`, expected)
  }
  if (payment_amount === null) {
    report('refunds_have_their_payment', 'refunds of a missing transaction', 'a payment')
  } else if (payment_type !== 'payment' || payment_status !== 'succeeded') {
    const found = `refunds of a ${payment_status} ${payment_type}`
    report('refunds_have_their_payment', found, 'a succeeded payment')
  } else if (paid_out > payment_amount) {
    report('refunds_stay_within_payment', `${paid_out} refunded`, `at most ${payment_amount}`)
  }
  return differences
}

// Compares disputes with the postings that withdraw and reinstate their amounts, and with the
// charges that know whether they are disputed. Transfers withdraw and reinstate money too, so the
// postings of both are compared together.

import { rowKey } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import {
  lastAtDifference,
  listDisputeMovements,
  type PostingFacts,
} from '../ledger/verify-ledger.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { listDisputedCharges } from '../transactions/charges.ts'
import { listTransferMovements } from '../transfers/verify-transfers.ts'
import type { PaymentKey } from './queries.ts'
import {
  type DisputeFacts,
  selectDisputedPayments,
  selectDisputeFacts,
  selectExpectedMovements,
  selectProviderDisputes,
} from './verify-queries.ts'

/** For reconciliation: the disputes of these accounts at these providers. */
export const listProviderDisputes = selectProviderDisputes

/**
 * `locks`, `postings` and the fingerprints of transfers must cover the same range and come from the
 * same snapshot.
 */
export async function verifyDisputes(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
  postings: PostingFacts[],
  transfers: ReadonlyMap<string, string>,
): Promise<Difference[]> {
  const facts = await selectDisputeFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const differences = facts.flatMap((one) => checkFacts(one, lock_of.get(one.account_id)))
  const expected = new Map(facts.map((one) => [one.account_id, one.fingerprint]))
  const posted = new Map(
    postings.map(({ account_id, dispute_fingerprint }) => [account_id, dispute_fingerprint]),
  )
  for (const account_id of new Set([...expected.keys(), ...transfers.keys(), ...posted.keys()])) {
    const sum = BigInt(expected.get(account_id) ?? 0) + BigInt(transfers.get(account_id) ?? 0)
    if (sum === BigInt(posted.get(account_id) ?? 0)) continue
    differences.push(...(await nameDisagreement(db, account_id)))
  }
  const disputed = await selectDisputedPayments(db, range)
  return [...differences, ...checkCharges(disputed, await listDisputedCharges(db, range))]
}

function checkFacts(facts: DisputeFacts, lock: AccountLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const of_account = { account_id, object: 'disputes' }
  if (lock === undefined) {
    const found = 'disputes of an account without a balance'
    return [{ rule: 'disputes_have_a_balance', ...of_account, found, expected: 'none' }]
  }
  const differences = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) => ({ rule: 'currency_matches', ...of_account, found, expected: lock.currency }))
  if (facts.last_at <= lock.last_at) return differences
  return [...differences, lastAtDifference(account_id, lock, 'dispute', facts.last_at)]
}

async function nameDisagreement(db: Queryable, account_id: string): Promise<Difference[]> {
  const disputes = await selectExpectedMovements(db, account_id)
  const transfers = await listTransferMovements(db, account_id)
  const found = await listDisputeMovements(db, account_id)
  const transfer_ids = new Set(transfers.map(({ transaction_id }) => transaction_id))
  const expected_of = new Map(
    [...disputes, ...transfers].map((one) => [one.transaction_id, one.movements.join(', ')]),
  )
  const found_of = new Map(found.map((one) => [one.transaction_id, one.movements.join(', ')]))
  const ids = [...new Set([...expected_of.keys(), ...found_of.keys()])]
  return ids
    .filter((id) => expected_of.get(id) !== found_of.get(id))
    .map((id) => ({
      rule: transfer_ids.has(id) ? 'transfers_have_their_postings' : 'disputes_have_their_postings',
      account_id: toTypeId('account', account_id),
      object: toTypeId(transfer_ids.has(id) ? 'transfer' : 'transaction', id),
      found: found_of.get(id) ?? 'no postings',
      expected: expected_of.get(id) ?? 'no postings',
    }))
}

function checkCharges(disputed: PaymentKey[], charges: PaymentKey[]): Difference[] {
  const keyOf = ({ account_id, transaction_id }: PaymentKey) => rowKey(account_id, transaction_id)
  const disputed_keys = new Set(disputed.map(keyOf))
  const charge_keys = new Set(charges.map(keyOf))
  const differ = (payment: PaymentKey, found: string, expected: string) => ({
    rule: 'charges_know_their_disputes',
    account_id: toTypeId('account', payment.account_id),
    object: toTypeId('transaction', payment.transaction_id),
    found,
    expected,
  })
  return [
    ...disputed
      .filter((payment) => !charge_keys.has(keyOf(payment)))
      .map((payment) => differ(payment, 'a charge without a dispute', 'a disputed charge')),
    ...charges
      .filter((charge) => !disputed_keys.has(keyOf(charge)))
      .map((charge) => differ(charge, 'a disputed charge', 'no dispute, or only won ones')),
  ]
}

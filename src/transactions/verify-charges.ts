// Compares charges with the payments that they paid, fees with postings, and the refunds at
// providers with their transactions.

import type { CheckedLock } from '../ledger/lock-row.ts'
import type { PostingFacts } from '../ledger/verify-ledger.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import {
  type BrokenCharge,
  type CheckedRefund,
  selectBrokenCharges,
  selectFees,
  selectUnsentRefunds,
  selectUnusualRefunds,
} from './verify-charge-queries.ts'

/** `locks` and `postings` must cover the same range and come from the same snapshot. */
export async function verifyCharges(
  db: Queryable,
  range: AccountRange,
  locks: CheckedLock[],
  postings: PostingFacts[],
): Promise<Difference[]> {
  const closed = new Set(
    locks.flatMap(({ account_id, status }) => (status === 'closed' ? [account_id] : [])),
  )
  const charges = await selectBrokenCharges(db, range, differences_max)
  const fees = await selectFees(db, range)
  const unusual = await selectUnusualRefunds(db, range, differences_max)
  const refunds = [...unusual, ...(await selectUnsentRefunds(db, range, differences_max))]
  return [
    ...charges.map(checkCharge),
    ...checkFees(fees, postings),
    ...refunds.flatMap((refund) => checkRefund(refund, closed.has(refund.account_id))),
  ]
}

function checkCharge(charge: BrokenCharge): Difference {
  const { amount, payment_amount, payment_type, payment_status } = charge
  return {
    rule: 'charges_have_their_payment',
    account_id: toTypeId('account', charge.account_id),
    object: toTypeId('transaction', charge.transaction_id),
    found:
      payment_amount === null
        ? `a charge of ${amount} for a missing transaction`
        : `a charge of ${amount} for a ${payment_status} ${payment_type} of ${payment_amount}`,
    expected: `a succeeded payment of ${amount}`,
  }
}

function checkFees(
  fees: { account_id: string; fees: number }[],
  postings: PostingFacts[],
): Difference[] {
  const charged = new Map(fees.map((one) => [one.account_id, one.fees]))
  const posted = new Map(postings.map((one) => [one.account_id, one.fees]))
  return [...new Set([...charged.keys(), ...posted.keys()])].flatMap((account_id) => {
    const found = posted.get(account_id) ?? 0
    const expected = charged.get(account_id) ?? 0
    if (found === expected) return []
    return {
      rule: 'fees_match_charges',
      account_id: toTypeId('account', account_id),
      object: 'fees',
      found: `${found} posted`,
      expected: `${expected}, the fees of its charges`,
    }
  })
}

function checkRefund(refund: CheckedRefund, is_closed: boolean): Difference[] {
  const { state, status, refund_of, payment_id } = refund
  // A closed account has no pending transactions, so they end before the provider has decided.
  const is_open = state === 'queued' || state === 'submitted'
  const is_normal = is_open && (status === 'succeeded' || status === 'canceled')
  if (is_closed && is_normal && refund_of === payment_id) return []
  return [
    {
      rule: 'refunds_match_their_provider',
      account_id: toTypeId('account', refund.account_id),
      object: toTypeId('transaction', refund.id),
      found: `${describeState(refund)} with ${describeTransaction(refund)}`,
      expected: `a refund of ${toTypeId('transaction', payment_id)} in the same state`,
    },
  ]
}

function describeState({ state, credit_id, credited }: CheckedRefund): string {
  if (state === null) return 'no row for the provider'
  if (credit_id === null) return `${state} at the provider`
  return `${state} at the provider and credited ${credited ?? 'nothing'}`
}

function describeTransaction({ status, amount, refund_of }: CheckedRefund): string {
  if (status === null) return 'no transaction'
  const of = refund_of === null ? 'nothing' : toTypeId('transaction', refund_of)
  return `a ${status} transaction of ${amount} that refunds ${of}`
}

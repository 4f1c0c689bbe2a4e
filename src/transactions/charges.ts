// Charges: what a provider collected for a payment, its fee and its refunds. The state of the
// provider enters here, and never through the API. Money that has moved is a fact: it is recorded
// even if the account is closed, disputed or short of funds.

import type { RowKey } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { postCovered } from '../ledger/post.ts'
import type { Queryable } from '../postgres/database.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import type { ProviderRefund } from '../processors/provider.ts'
import { type ChargeRow, nextAttemptAt, type ProviderRefundRow } from './charge.ts'
import {
  type ChargeKey,
  selectCharges,
  selectChargesByKey,
  selectDisputedCharges,
  selectProviderRefunds,
  selectRefundsOfCharges,
  selectTransferCharges,
} from './charge-queries.ts'
import { decide } from './decide.ts'
import { selectChargeMovements } from './movement-queries.ts'
import { selectRefundTotals, selectTransactions } from './queries.ts'
import type { LoadedCharges, TransactionSet } from './transaction-set.ts'

export type { ChargeKey }

/**
 * Reads what the functions below need, under the account locks. Callers apply closings to the rows.
 * Charges that are not recorded yet are left out.
 */
export async function loadCharges(tx: Queryable, keys: ChargeKey[]): Promise<LoadedCharges> {
  if (keys.length === 0) return { rows: [], refunded: [], charges: [], provider_refunds: [] }
  const [charges, provider_refunds] = await Promise.all([
    selectChargesByKey(tx, keys),
    selectRefundsOfCharges(tx, keys),
  ])
  if (charges.length === 0) return { rows: [], refunded: [], charges, provider_refunds }
  const payments = charges.map(({ account_id, transaction_id: id }) => ({ account_id, id }))
  const [rows, refunded] = await Promise.all([
    selectTransactions(tx, [...payments, ...provider_refunds]),
    selectRefundTotals(tx, payments),
  ])
  return { rows, refunded, charges, provider_refunds }
}

/** The charges that paid these transactions. */
export async function findCharges(db: Queryable, payments: RowKey[]): Promise<ChargeRow[]> {
  return payments.length === 0 ? [] : selectCharges(db, payments)
}

/** By refund, the credit that gave its amount back because the bank or the provider returned it. */
export async function findRefundCredits(
  db: Queryable,
  refunds: RowKey[],
): Promise<Map<string, string>> {
  const rows = refunds.length === 0 ? [] : await selectProviderRefunds(db, refunds)
  return new Map(
    rows.flatMap(({ id, credit_id }) => (credit_id === null ? [] : [[id, credit_id] as const])),
  )
}

/** For reconciliation: the charges and refunds of these accounts at these providers. */
export const listChargeMovements = selectChargeMovements

/** For verification: the payments whose charge is marked as disputed. */
export const listDisputedCharges = selectDisputedCharges

/** For verification: what bank transfers have paid. */
export const listTransferCharges = selectTransferCharges

/** Posts the fee once. Null if the provider has not determined it yet. */
export function applyFee(
  set: TransactionSet,
  lock: AccountLock,
  charge: ChargeRow,
  fee: number | null,
): void {
  if (fee === null || charge.fee !== null) return
  const at = set.locked.timeOf(lock)
  const { transaction_id } = charge
  if (fee > 0) {
    const posting = { transaction_id, movement: 'fee', amount: fee, at } as const
    set.locked.postings.push(...postCovered(lock, posting))
    set.locked.touch(lock, at)
  }
  set.changeCharge(charge, { fee })
}

/** Applying the same refunds again changes nothing. */
export function applyRefunds(
  set: TransactionSet,
  lock: AccountLock,
  charge: ChargeRow,
  refunds: ProviderRefund[],
): void {
  for (const refund of refunds) {
    const row = findKnown(set, charge, refund) ?? adoptRefund(set, lock, charge, refund)
    if (row !== undefined) applyState(set, lock, row, refund)
  }
}

function findKnown(
  set: TransactionSet,
  charge: ChargeRow,
  refund: ProviderRefund,
): ProviderRefundRow | undefined {
  const { account_id, transaction_id: payment_id } = charge
  const by_provider_id = set.provider_refunds
    .values()
    .find((row) => row.provider_refund_id === refund.id && isOf(row, charge))
  if (by_provider_id !== undefined) return by_provider_id
  const id = findUuid('transaction', refund.transaction_id ?? '')
  const row = id === undefined ? undefined : set.findProviderRefund(account_id, id)
  return row?.payment_id === payment_id && isOpen(set, row) ? row : undefined
}

function isOf(row: ProviderRefundRow, charge: ChargeRow): boolean {
  return row.account_id === charge.account_id && row.provider === charge.provider
}

/**
 * Whether the provider's state belongs to this transaction. A refund that was canceled because its
 * account closed, or rejected and credited, may still be paid out: then another transaction records
 * it.
 */
function isOpen(set: TransactionSet, row: ProviderRefundRow): boolean {
  const { status } = set.getRow(row)
  if (row.state === 'failed' || row.provider_refund_id !== null) return false
  return status === 'pending' || status === 'succeeded'
}

/** Records a refund that Florin did not create, or that ended here before it did there. */
function adoptRefund(
  set: TransactionSet,
  lock: AccountLock,
  charge: ChargeRow,
  refund: ProviderRefund,
): ProviderRefundRow | undefined {
  endOriginal(set, charge, refund)
  if (refund.state === 'failed') return undefined
  const { account_id, transaction_id: payment_id } = charge
  const created = decide(set, {
    kind: 'create',
    account_id,
    amount: refund.amount,
    currency: lock.currency,
    type: 'refund',
    reference: toTypeId('transaction', payment_id),
    metadata: JSON.stringify({ provider_refund: refund.id }),
    linked_id: payment_id,
    settle_after_ms: undefined,
    is_paid: true,
  })
  const row = set.findProviderRefund(account_id, created.id)!
  const at = set.locked.timeOf(lock)
  const submitted = { submitted_at: at, next_at: nextAttemptAt(at, 1), attempts: 1 }
  set.changeProviderRefund(row, { state: 'submitted', provider_refund_id: refund.id, ...submitted })
  return row
}

/** The worker no longer needs to ask about a refund that was canceled here. */
function endOriginal(set: TransactionSet, charge: ChargeRow, refund: ProviderRefund): void {
  const id = findUuid('transaction', refund.transaction_id ?? '')
  const row = id === undefined ? undefined : set.findProviderRefund(charge.account_id, id)
  if (row?.state !== 'submitted' || row.provider_refund_id !== null) return
  if (row.payment_id !== charge.transaction_id) return
  set.changeProviderRefund(row, { state: 'failed', next_at: null })
}

/** Failed is final: an older snapshot may be applied after a newer one. */
function applyState(
  set: TransactionSet,
  lock: AccountLock,
  row: ProviderRefundRow,
  refund: ProviderRefund,
): void {
  if (row.state === 'failed') return
  if (refund.state === 'failed') {
    failRefund(set, lock, row, refund.id)
  } else if (refund.state === 'succeeded') {
    // An operator may have settled one by transfer, which has no id at the provider then.
    if (row.state === 'succeeded' && row.provider_refund_id !== null) return
    if (set.getRow(row).status === 'pending') endByProvider(set, row, 'succeeded')
    const ended = { state: 'succeeded', provider_refund_id: refund.id, next_at: null } as const
    set.changeProviderRefund(row, ended)
  } else if (row.provider_refund_id === null) {
    const submitted_at = row.submitted_at ?? set.locked.timeOf(lock)
    const known = { state: 'submitted', provider_refund_id: refund.id, submitted_at } as const
    set.changeProviderRefund(row, known)
  }
}

/** Releases the amount; if the refund has already succeeded, a credit returns it. */
export function failRefund(
  set: TransactionSet,
  lock: AccountLock,
  row: ProviderRefundRow,
  provider_refund_id = row.provider_refund_id,
): void {
  const { status } = set.getRow(row)
  if (status === 'pending') endByProvider(set, row, 'failed')
  const credit_id = status === 'succeeded' ? creditRefund(set, lock, row) : null
  const failed = { state: 'failed', next_at: null } as const
  set.changeProviderRefund(row, { ...failed, provider_refund_id, credit_id })
}

function creditRefund(set: TransactionSet, lock: AccountLock, row: ProviderRefundRow): string {
  const { account_id, id, payment_id } = row
  const { amount } = set.getRow(row)
  const credit = decide(set, {
    kind: 'create',
    account_id,
    amount,
    currency: lock.currency,
    type: 'credit',
    reference: toTypeId('transaction', id),
    metadata: null,
    linked_id: undefined,
    settle_after_ms: undefined,
    is_paid: true,
  })
  endByProvider(set, credit, 'succeeded')
  set.revertRefund(account_id, payment_id, amount)
  return credit.id
}

function endByProvider(
  set: TransactionSet,
  { account_id, id }: { account_id: string; id: string },
  to: 'succeeded' | 'failed',
): void {
  const if_not_pending = 'conflict'
  decide(set, { kind: 'end', account_id, id, to, if_not_pending, by: 'provider' })
}

// Verifies transfers in two ways. Within an account: its rows and its postings agree. Between
// accounts: every completed transfer has the receipts of its target and its fee account, and every
// receipt has a transfer. So the total over all accounts, with what is in transit, is constant.

import type { AccountLock } from '../ledger/lock-row.ts'
import { lastAtDifference } from '../ledger/verify-ledger.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import {
  type PairedRow,
  selectExpectedMovements,
  selectReceiptParts,
  selectReceiptsInTransit,
  selectTransferFacts,
  selectTransferParts,
  selectTransfersOfPart,
  type TransferFacts,
} from './verify-queries.ts'

interface TransferVerification {
  differences: Difference[]
  /** Of the withdrawals and reinstatements that transfers make, by account. */
  fingerprints: ReadonlyMap<string, string>
}

/** `locks` must cover the same range and come from the same snapshot. */
export async function verifyTransfers(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
): Promise<TransferVerification> {
  const facts = await selectTransferFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  return {
    differences: facts.flatMap((one) => checkFacts(one, lock_of.get(one.account_id))),
    fingerprints: new Map(facts.map((one) => [one.account_id, one.fingerprint])),
  }
}

/** The postings that the transfers of an account must have. */
export const listTransferMovements = selectExpectedMovements

function checkFacts(facts: TransferFacts, lock: AccountLock | undefined): Difference[] {
  const account_id = toTypeId('account', facts.account_id)
  const of_account = { account_id, object: 'transfers' }
  if (lock === undefined) {
    const found = 'transfers of an account without a balance'
    return [{ rule: 'transfers_have_a_balance', ...of_account, found, expected: 'none' }]
  }
  const differences: Difference[] = [...new Set(facts.currencies)]
    .filter((currency) => currency !== lock.currency)
    .map((found) => ({ rule: 'currency_matches', ...of_account, found, expected: lock.currency }))
  if (facts.broken > 0) {
    const found = `${facts.broken} with another returned amount than their status requires`
    const rule = 'transfers_return_what_was_rejected'
    differences.push({ rule, ...of_account, found, expected: 'none' })
  }
  if (facts.last_at <= lock.last_at) return differences
  return [...differences, lastAtDifference(account_id, lock, 'transfer', facts.last_at)]
}

/** Over all accounts. Without a common snapshot, transfers in progress may seem to differ. */
export async function verifyTransferPairs(
  db: Queryable,
  pair_differences_max: number,
): Promise<Difference[]> {
  const parts = await selectTransferParts(db)
  const receipts = await selectReceiptsInTransit(db)
  const early = receipts.length === 0 ? [] : await selectReceiptParts(db, receipts)
  const early_of = new Map(early.map((one) => [one.part, BigInt(one.early)]))
  const wrong = parts.filter(
    ({ part, expected, found }) => BigInt(expected) + (early_of.get(part) ?? 0n) !== BigInt(found),
  )
  const differences: Difference[] = []
  for (const { part } of wrong) {
    if (differences.length >= pair_differences_max) break
    differences.push(...checkPairs(await selectTransfersOfPart(db, part)))
  }
  return differences
}

function checkPairs(rows: PairedRow[]): Difference[] {
  const by_id = Map.groupBy(rows, ({ id }) => id)
  return [...by_id.values()].flatMap((of_transfer) => {
    const source = of_transfer.find(({ side }) => side === 'out')
    const receipts = of_transfer.filter(({ side }) => side !== 'out')
    const found = receipts.map(describe).sort()
    const expected = source === undefined ? [] : expectedReceipts(source)
    // The worker may have credited a part, or everything, without having ended the transfer.
    const is_early = source?.status === 'in_transit' && found.every((one) => expected.includes(one))
    if (is_early || found.join() === expected.join()) return []
    return [pairDifference(of_transfer[0]!, found, expected)]
  })
}

function pairDifference(row: PairedRow, found: string[], expected: string[]): Difference {
  return {
    rule: 'transfers_arrive_once',
    account_id: toTypeId('account', row.account_id),
    object: toTypeId('transfer', row.id),
    found: found.join(', ') || 'no receipts',
    expected: expected.join(', ') || 'no receipts',
  }
}

function expectedReceipts(source: PairedRow): string[] {
  if (source.status === 'returned') return []
  const { id, amount, fee_amount, returned_amount, to_account_id, fee_account_id } = source
  const receipt = { ...source, id, amount, fee_amount }
  const target = describe({ ...receipt, side: 'in', account_id: to_account_id })
  if (fee_account_id === null || returned_amount > 0) return [target]
  return [target, describe({ ...receipt, side: 'fee', account_id: fee_account_id })].sort()
}

function describe({ side, account_id, amount, fee_amount }: PairedRow): string {
  const received = side === 'fee' ? fee_amount : amount - fee_amount
  return `${side} ${received} of ${toTypeId('account', account_id)}`
}

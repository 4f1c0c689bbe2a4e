// Records the entry of a bank statement that shows a settlement, and the one that takes it back. An
// entry and a settlement belong to each other at most once.

import type { Queryable, Tx } from '../postgres/database.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type BankMovement, matchBankEntry, settledAmount } from './match-bank-entry.ts'
import {
  selectCandidates,
  selectSettlementOf,
  selectSettlements,
  selectUnseenAmounts,
  updateBankEntry,
  updateReturnedEntry,
} from './queries.ts'
import type { SettlementRow } from './settlement.ts'

/** The amounts of settlements that no entry of a bank statement shows yet. */
export const listUnseenAmounts = selectUnseenAmounts

/**
 * Returns the id of the settlement that the entry shows, with its prefix. Undefined if it shows
 * none. Repeating it with the same entry returns the same.
 */
export async function settleBankEntry(
  db: Queryable,
  entry: BankMovement & { id: string },
): Promise<string | undefined> {
  const known = await selectSettlementOf(db, entry.id)
  if (known !== undefined) return toTypeId('settlement', known.id)
  const candidates = await selectCandidates(db, settledAmount(entry), entry.currency)
  const found = matchBankEntry(entry, candidates)
  if (found === undefined || !(await updateBankEntry(db, found.id, entry.id))) return undefined
  return toTypeId('settlement', found.id)
}

/**
 * A person has decided that the entry shows this settlement, for example because the bank wrote
 * another name, or that it takes the settlement back. The amount must be the same: a match would
 * hide a missing part.
 */
export async function assignBankEntry(
  tx: Tx,
  entry: BankMovement & { id: string },
  settlement_id: string,
): Promise<string> {
  const id = findUuid('settlement', settlement_id)
  const [row] = id === undefined ? [] : await selectSettlements(tx, [id])
  if (row === undefined) {
    throw new Refusal('not_found', 'No settlement with the id in "settlement_id" exists.')
  }
  const is_return = isReturnOf(entry, row)
  if (!is_return) requireSameMoney(entry, row)
  const known = await selectSettlementOf(tx, entry.id)
  if (known !== undefined && known.id !== row.id) {
    const other = toTypeId('settlement', known.id)
    throw new Refusal('conflict', `The entry shows the settlement ${other} already.`)
  }
  if (is_return && known === undefined && !(await updateReturnedEntry(tx, row.id, entry.id))) {
    throw new Refusal('conflict', returned_message)
  }
  if (!is_return && known === undefined && !(await updateBankEntry(tx, row.id, entry.id))) {
    throw new Refusal('conflict', 'Another bank entry shows this settlement already.')
  }
  return toTypeId('settlement', row.id)
}

const returned_message =
  'The entry takes the settlement back. Match the entry that shows the settlement first; another ' +
  'entry must not have taken it back already.'

function isReturnOf(entry: BankMovement, { amount, currency }: SettlementRow): boolean {
  return settledAmount(entry) === 0 - amount && entry.currency === currency
}

function requireSameMoney(entry: BankMovement, { amount, currency, status }: SettlementRow): void {
  if (entry.is_reversal || entry.return_reason !== null) {
    throw new Refusal('invalid_request', 'A reversal or a return does not show a settlement.')
  }
  // The bank may have shown a settlement that failed, and then taken it back.
  if (status === 'canceled') {
    throw new Refusal('invalid_request', 'The settlement must not be canceled; got one that is.')
  }
  const at_bank = settledAmount(entry)
  if (at_bank === amount && entry.currency === currency) return
  throw new Refusal(
    'invalid_request',
    `The settlement must have the amount of the entry, ${at_bank} ${entry.currency}; got ` +
      `${amount} ${currency}.`,
  )
}

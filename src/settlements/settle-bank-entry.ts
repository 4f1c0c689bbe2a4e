// Records the entry of a bank statement that shows a settlement. An entry and a settlement belong
// to each other at most once.

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
 * another name. The amount must be the same: a match would hide a missing part.
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
  requireSameMoney(entry, row)
  const known = await selectSettlementOf(tx, entry.id)
  if (known !== undefined && known.id !== row.id) {
    const other = toTypeId('settlement', known.id)
    throw new Refusal('conflict', `The entry shows the settlement ${other} already.`)
  }
  if (known === undefined && !(await updateBankEntry(tx, row.id, entry.id))) {
    throw new Refusal('conflict', 'Another bank entry shows this settlement already.')
  }
  return toTypeId('settlement', row.id)
}

function requireSameMoney(entry: BankMovement, { amount, currency, status }: SettlementRow): void {
  if (entry.is_reversal || entry.return_reason !== null) {
    throw new Refusal('invalid_request', 'A reversal or a return does not show a settlement.')
  }
  if (status === 'failed' || status === 'canceled') {
    throw new Refusal(
      'invalid_request',
      `The settlement must be on its way or paid; got one that is ${status}.`,
    )
  }
  const at_bank = settledAmount(entry)
  if (at_bank === amount && entry.currency === currency) return
  throw new Refusal(
    'invalid_request',
    `The settlement must have the amount of the entry, ${at_bank} ${entry.currency}; got ` +
      `${amount} ${currency}.`,
  )
}

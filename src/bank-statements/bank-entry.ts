// A transaction on a bank statement, as a row and as JSON.

import type { Proposal } from '../bank/match-transaction.ts'
import type { BankTransaction, Direction } from '../bank/statements/statement.ts'
import type { LatePolicy } from '../payments/checkout-commands.ts'
import type { TransferCommand } from '../payments/transfer-command.ts'
import { findUuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'

export const entryStatuses = ['new', 'open', 'settling', 'settled', 'ignored'] as const

/**
 * - `new`: not matched yet
 * - `open`: a person must decide
 * - `settling`: the worker records what it pays: its payment request, else a payout or another
 * - `settled`: recorded
 * - `ignored`: a person, or its amount of zero, has decided that it pays nothing here
 */
export type EntryStatus = (typeof entryStatuses)[number]

export interface EntryRow {
  id: string
  statement_id: string
  bank_account: string
  fingerprint: string
  occurrence: number
  /** 0, or from 1 on in a collective entry. */
  part: number
  amount: number
  currency: string
  direction: Direction
  is_reversal: boolean
  is_complete: boolean
  booked_on: string | null
  value_on: string | null
  bank_reference: string | null
  description: string | null
  end_to_end_id: string | null
  payment_information_id: string | null
  creditor_reference: string | null
  counterparty_name: string | null
  counterparty_account: string | null
  remittance: string | null
  return_reason: string | null
  status: EntryStatus
  reason: string | null
  /** JSON. */
  proposals: string
  account_id: string | null
  payment_id: string | null
  accepts: TransferCommand['accepts'] | null
  late: LatePolicy | null
  note: string | null
  /** The payout or refund that a person has chosen, while it settles. */
  target: string | null
  /** The id of what it has settled, with its prefix. */
  settles: string | null
  updated_at: Date
}

interface BankEntry {
  id: string
  statement_id: string
  bank_account: string
  amount: number
  currency: string
  direction: Direction
  is_reversal: boolean
  is_complete: boolean
  booked_on: string | null
  value_on: string | null
  bank_reference: string | null
  end_to_end_id: string | null
  creditor_reference: string | null
  counterparty_name: string | null
  counterparty_account: string | null
  remittance: string | null
  return_reason: string | null
  status: EntryStatus
  reason: string | null
  proposals: PresentedProposal[]
  payment_id: string | null
  account_id: string | null
  settles: string | null
  note: string | null
  created_at: string
  updated_at: string
}

/** A payment request that the entry may pay. */
type PresentedProposal = Omit<Proposal, 'candidate_id'> & { payment_id: string }

export function presentEntry(row: EntryRow): BankEntry {
  const typeId = (kind: 'payment' | 'account', id: string | null) => id && toTypeId(kind, id)
  return {
    id: toTypeId('bank_entry', row.id),
    statement_id: toTypeId('bank_statement', row.statement_id),
    bank_account: row.bank_account,
    amount: row.amount,
    currency: row.currency,
    direction: row.direction,
    is_reversal: row.is_reversal,
    is_complete: row.is_complete,
    booked_on: row.booked_on,
    value_on: row.value_on,
    bank_reference: row.bank_reference,
    end_to_end_id: row.end_to_end_id,
    creditor_reference: row.creditor_reference,
    counterparty_name: row.counterparty_name,
    counterparty_account: row.counterparty_account,
    remittance: row.remittance,
    return_reason: row.return_reason,
    status: row.status,
    reason: row.reason,
    proposals: (JSON.parse(row.proposals) as Proposal[]).map(presentProposal),
    payment_id: typeId('payment', row.payment_id),
    account_id: typeId('account', row.account_id),
    settles: row.settles,
    note: row.note,
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

function presentProposal({ candidate_id, ...rest }: Proposal): PresentedProposal {
  return { payment_id: toTypeId('payment', candidate_id), ...rest }
}

/** The transaction, as the matching reads it. */
export function transactionOf(row: EntryRow): BankTransaction {
  return { ...row, counterparty_iban: row.counterparty_account, counterparty_number: null }
}

/** The UUID in the id of an entry. Malformed ids are reported as unknown. */
export function readEntryId(text: string): string {
  const id = findUuid('bank_entry', text)
  if (id === undefined) throw unknownEntry()
  return id
}

export function unknownEntry(): Refusal {
  return new Refusal('not_found', 'No bank entry with this id exists.')
}

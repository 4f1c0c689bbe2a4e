// What every format of bank statements is read into. Amounts are integers in minor units.

export type StatementFormat = 'camt.053' | 'camt.054' | 'mt940' | 'ofx' | 'csv'

export type Direction = 'credit' | 'debit'

/** The parts of a file in order: each statement has a start, its entries and an end. */
export type StatementPart =
  | ({ kind: 'start' } & StatementStart)
  | ({ kind: 'entry' } & BankEntry)
  | ({ kind: 'end' } & StatementEnd)

export interface StatementStart {
  format: StatementFormat
  /** The bank's id of the statement. */
  id: string | null
  /** The bank's number of the statement, as written: "12", "12/1". */
  sequence: string | null
  account: StatementAccount
  currency: string | null
}

export interface StatementAccount {
  iban: string | null
  /** Any other number, if there is no valid IBAN. */
  number: string | null
}

export interface StatementEnd {
  currency: string | null
  opening: BankBalance | null
  closing: BankBalance | null
  /** All entries, and the signed sum of those that are booked. */
  entry_count: number
  booked_sum: number
  /** closing − (opening + booked_sum). Null if the statement does not contain both balances. */
  difference: number | null
}

export interface BankBalance {
  /** Negative if the account is overdrawn. */
  amount: number
  currency: string
  /** YYYY-MM-DD. */
  on: string | null
}

export interface BankEntry {
  /** Never negative: `direction` has the sign. A credit increases the balance. */
  amount: number
  currency: string
  direction: Direction
  /** Only booked entries change the balance. Pending and informational ones do not. */
  is_booked: boolean
  /** The entry reverses an earlier one of the opposite direction. */
  is_reversal: boolean
  /** YYYY-MM-DD. */
  booked_on: string | null
  value_on: string | null
  bank_reference: string | null
  /** The bank's name of this kind of entry. */
  description: string | null
  /** At least one. A collective entry has one for each transfer. */
  transactions: BankTransaction[]
  /** Whether the transactions add up to the amount. Otherwise they must not be settled alone. */
  is_complete: boolean
  /**
   * Identifies the entry together with `occurrence`: in the same file, in another export and in
   * another format that has the bank's reference.
   */
  fingerprint: string
  /** 1, or more if the file contains equal entries before this one. */
  occurrence: number
  line: number
}

export interface BankTransaction {
  amount: number
  currency: string
  direction: Direction
  /** Set by the party that initiated the transfer. In a payment file it is the id of the payout. */
  end_to_end_id: string | null
  /** The id of the order in a payment file that the bank booked as one entry. */
  payment_information_id: string | null
  /** From the structured part of the remittance information, as written. */
  creditor_reference: string | null
  counterparty_name: string | null
  counterparty_iban: string | null
  /** Any other account number, if there is no valid IBAN. */
  counterparty_number: string | null
  remittance: string | null
  /** An ISO code such as AC04. The transfer is an earlier one that was returned. */
  return_reason: string | null
}

/** A transaction of which only the amount is known. */
export function bareTransaction(
  entry: Pick<BankEntry, 'amount' | 'currency' | 'direction'>,
): BankTransaction {
  return {
    amount: entry.amount,
    currency: entry.currency,
    direction: entry.direction,
    end_to_end_id: null,
    payment_information_id: null,
    creditor_reference: null,
    counterparty_name: null,
    counterparty_iban: null,
    counterparty_number: null,
    remittance: null,
    return_reason: null,
  }
}

export function signedAmount(one: { amount: number; direction: Direction }): number {
  return one.direction === 'credit' ? one.amount : -one.amount
}

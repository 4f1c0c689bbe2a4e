// The bank account that payers of an account transfer to, as a row and as an API object.

import { toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import type { BankAccount } from '../../processor-settings.ts'

/** Identifies a bank account in countries without IBANs, such as a routing number. */
export interface BankField {
  label: string
  value: string
}

/** Either `iban` or `fields` identifies the bank account. */
export interface BankDetailsRow {
  account_id: string
  /** The holder. */
  name: string
  /** In electronic form, as the BIC. */
  iban: string | null
  bic: string | null
  fields: BankField[]
  updated_at: Date
}

export interface BankDetails {
  account_id: string
  /** `account`: set for this account. `instance`: the server's. Null: there is none. */
  source: 'account' | 'instance' | null
  name: string | null
  iban: string | null
  bic: string | null
  fields: BankField[]
  updated_at: string | null
}

export function presentBankDetails(
  account_id: string,
  row: BankDetailsRow | undefined,
  instance: BankAccount | undefined,
): BankDetails {
  const id = toTypeId('account', account_id)
  if (row !== undefined) {
    const { name, iban, bic, fields, updated_at } = row
    return {
      account_id: id,
      source: 'account',
      name,
      iban,
      bic,
      fields,
      updated_at: toIso(updated_at),
    }
  }
  const { name, iban, bic } = instance ?? { name: null, iban: null, bic: null }
  const source = instance === undefined ? null : 'instance'
  return { account_id: id, source, name, iban, bic, fields: [], updated_at: null }
}

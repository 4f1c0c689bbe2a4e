// Sets the bank account that payers of an account transfer to. Admins only: an owner who could
// change it would receive money that Florin records as received by the operator. Every change has
// an audit entry.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { bicError, findBic, findIban, ibanError } from '../../bank/iban.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import {
  findActingAccount,
  lockOpenAccount,
  unknownActingAccount,
} from '../../identity/acting-account.ts'
import type { Caller } from '../../identity/caller.ts'
import { actorOf } from '../../identity/sessions/actor.ts'
import { timeUnderLock } from '../../ledger/account-lock.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { isBlank, quote } from '../../primitives/text.ts'
import type { BankAccount } from '../../processor-settings.ts'
import {
  type BankDetails,
  type BankDetailsRow,
  type BankField,
  presentBankDetails,
} from './bank-details.ts'
import { findBankDetails } from './find-bank-details.ts'
import { deleteBankDetails, upsertBankDetails } from './queries.ts'

interface ServerFacts {
  db: Db
  bank_account: BankAccount | undefined
}

/** The schema has checked types and lengths. */
interface BankDetailsInput {
  name: string
  iban?: string | undefined
  bic?: string | undefined
  fields?: BankField[] | undefined
}

/** Replaces all of them. */
export async function setBankDetails(
  server: ServerFacts,
  caller: Caller,
  input: BankDetailsInput,
): Promise<BankDetails> {
  return change(server, caller, readInput(input))
}

/** Payers then transfer to the bank account in the settings of the server. */
export async function removeBankDetails(server: ServerFacts, caller: Caller): Promise<BankDetails> {
  return change(server, caller, undefined)
}

type NewDetails = Pick<BankDetailsRow, 'name' | 'iban' | 'bic' | 'fields'>

async function change(
  { db, bank_account }: ServerFacts,
  caller: Caller,
  details: NewDetails | undefined,
): Promise<BankDetails> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const before = await findBankDetails(tx, account_id)
    if (isSame(before, details)) return presentBankDetails(account_id, before, bank_account)
    const updated_at = timeUnderLock(tx, lock)
    const after = details && { account_id, ...details, updated_at }
    if (after === undefined) await deleteBankDetails(tx, account_id)
    else await upsertBankDetails(tx, after)
    await recordAuditEntry(tx, actorOf(caller), {
      action: after ? 'account.bank_details_set' : 'account.bank_details_removed',
      object_id: account_id,
      account_id,
      details: { ...details },
    })
    return presentBankDetails(account_id, after, bank_account)
  })
}

function isSame(before: BankDetailsRow | undefined, after: NewDetails | undefined): boolean {
  const textOf = (one: NewDetails | undefined) =>
    one && JSON.stringify([one.name, one.iban, one.bic, one.fields])
  return textOf(before) === textOf(after)
}

function readInput({ name, iban, bic, fields = [] }: BankDetailsInput): NewDetails {
  requireText('name', name)
  for (const [at, { label, value }] of fields.entries()) {
    requireText(`fields[${at}].label`, label)
    requireText(`fields[${at}].value`, value)
  }
  if ((iban === undefined) === (fields.length === 0)) {
    throw invalid(
      'Either "iban" or "fields" must identify the bank account: send "iban", or in countries ' +
        'without IBANs at least one of "fields", not both.',
    )
  }
  if (iban === undefined) {
    if (bic === undefined) return { name, iban: null, bic: null, fields }
    throw invalid('"bic" must be sent with "iban" only: add the BIC to "fields".')
  }
  const error = ibanError('iban', iban) ?? (bic === undefined ? undefined : bicError('bic', bic))
  if (error !== undefined) throw invalid(error)
  return { name, iban: findIban(iban)!, bic: bic === undefined ? null : findBic(bic)!, fields }
}

function requireText(field: string, text: string): void {
  if (isBlank(text)) throw invalid(`"${field}" must not be blank; got ${quote(text)}.`)
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

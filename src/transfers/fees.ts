// The fee of transfers from an account. The platform or an admin sets it; the account's users and
// keys can read it.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  getActingAccountId,
  lockOpenAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { timeUnderLock } from '../ledger/account-lock.ts'
import { findAccountStates } from '../ledger/find-balance.ts'
import type { Db } from '../postgres/database.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { toIso } from '../primitives/time.ts'
import {
  deleteTransferFee,
  selectTransferFee,
  type TransferFeeRow,
  upsertTransferFee,
} from './queries.ts'

/** All null or 0 if transfers from the account have no fee. */
interface TransferFee {
  account_id: string
  fee_account_id: string | null
  basis_points: number
  fixed_amount: number
  updated_at: string | null
}

/** Rounded down to the minor unit. The product may exceed 2^53. */
export function feeOf(
  amount: number,
  { basis_points, fixed_amount }: Pick<TransferFeeRow, 'basis_points' | 'fixed_amount'>,
): number {
  return Number((BigInt(amount) * BigInt(basis_points)) / 10_000n) + fixed_amount
}

export async function getTransferFee(db: Db, caller: Caller): Promise<TransferFee> {
  const account_id = await getActingAccountId(db, caller)
  return presentFee(account_id, await selectTransferFee(db, account_id))
}

interface FeeInput {
  fee_account_id: string
  basis_points?: number
  fixed_amount?: number
}

export async function setTransferFee(
  db: Db,
  caller: Caller,
  input: FeeInput,
): Promise<TransferFee> {
  const { basis_points = 0, fixed_amount = 0 } = input
  const fee_account = await getFeeAccount(db, input.fee_account_id)
  return change(db, caller, async (account_id, currency) => {
    if (fee_account.account_id === account_id) {
      throw invalid(
        '"fee_account_id" must be another account than the one that pays the fee; got ' +
          `"${input.fee_account_id}", the account in the Florin-Account header.`,
      )
    }
    if (fee_account.currency !== currency) {
      throw new Refusal(
        'currency_mismatch',
        `"fee_account_id" must be an account in "${currency}", the currency of the account; ` +
          `got one in "${fee_account.currency}".`,
      )
    }
    return { account_id, fee_account_id: fee_account.account_id, basis_points, fixed_amount }
  })
}

/** Transfers from the account have no fee from now on. */
export function removeTransferFee(db: Db, caller: Caller): Promise<TransferFee> {
  return change(db, caller, async () => undefined)
}

async function getFeeAccount(db: Db, text: string) {
  const id = findUuid('account', text)
  const [state] = id === undefined ? [] : await findAccountStates(db, [id])
  if (state?.status === 'active') return state
  throw invalid(`"fee_account_id" must be the id of an active account; got ${quote(text)}.`)
}

async function change(
  db: Db,
  caller: Caller,
  decide: (
    account_id: string,
    currency: string,
  ) => Promise<Omit<TransferFeeRow, 'updated_at'> | undefined>,
): Promise<TransferFee> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const before = presentFee(account_id, await selectTransferFee(tx, account_id))
    const decided = await decide(account_id, lock.currency)
    const row = decided && { ...decided, updated_at: timeUnderLock(tx, lock) }
    const after = presentFee(account_id, row)
    const details = changedFields(before, after)
    if (Object.keys(details).length === 0) return before
    if (row === undefined) await deleteTransferFee(tx, account_id)
    else await upsertTransferFee(tx, row)
    tx.proveByRow(account_id)
    const action = 'account.transfer_fee_updated'
    const audit_entry = { action, object_id: account_id, account_id, details } as const
    await recordAuditEntry(tx, actorOf(caller), audit_entry)
    return after
  })
}

const compared = ['fee_account_id', 'basis_points', 'fixed_amount'] as const

function changedFields(before: TransferFee, after: TransferFee): Record<string, unknown> {
  const changed = compared.filter((field) => before[field] !== after[field])
  return Object.fromEntries(changed.map((field) => [field, after[field]]))
}

function presentFee(account_id: string, row: TransferFeeRow | undefined): TransferFee {
  return {
    account_id: toTypeId('account', account_id),
    fee_account_id: row === undefined ? null : toTypeId('account', row.fee_account_id),
    basis_points: row?.basis_points ?? 0,
    fixed_amount: row?.fixed_amount ?? 0,
    updated_at: row === undefined ? null : toIso(row.updated_at),
  }
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

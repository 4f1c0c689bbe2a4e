// POST /v1/transfers: debits the source. The amount is in transit until a worker has credited the
// target (complete-transfers.ts).

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  lockOpenAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { forbidden } from '../identity/permissions.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireFreshLogin } from '../identity/sessions/fresh-login.ts'
import { type AccountState, findAccountStates } from '../ledger/find-balance.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { post } from '../ledger/post.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { findUuid, timeOfUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import { feeOf } from './fees.ts'
import { selectTransferFee } from './queries.ts'
import { presentTransfer, type Transfer, type TransferRow } from './transfer.ts'
import { openTransferSet, writeTransfers } from './transfer-set.ts'

interface TransferInput {
  to_account_id: string
  amount: number
  currency: string
  reference?: string | null
  fee_amount?: number
  fee_account_id?: string
}

export async function createTransfer(
  db: Db,
  caller: Caller,
  input: TransferInput,
): Promise<Transfer> {
  const from = findActingAccount(caller)
  if (from === undefined) throw unknownActingAccount(caller)
  // Step-up for every client, not only the dashboard: a stolen token must not empty the account.
  if (caller.role === 'owner') await requireFreshLogin(db, caller)
  requireFeeFields(caller, input)
  const partners = await getPartners(db, from, input)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, from)
    const row = await debit(tx, lock, input, partners)
    if (isAdminOrPlatform(caller)) {
      const { id: object_id, amount, fee_amount } = row
      const details = { to_account_id: input.to_account_id, amount, fee_amount }
      const action = 'transfer.created'
      await recordAuditEntry(tx, actorOf(caller), { action, object_id, account_id: from, details })
    }
    return presentTransfer(row)
  })
}

function requireFeeFields(caller: Caller, { fee_amount, fee_account_id }: TransferInput): void {
  const is_set = fee_amount !== undefined || fee_account_id !== undefined
  if (is_set && !isAdminOrPlatform(caller)) {
    throw forbidden(
      'Only an admin or a platform may send "fee_amount" and "fee_account_id". ' +
        'Omit them: the fee of the account applies.',
    )
  }
  if ((fee_amount ?? 0) > 0 === (fee_account_id !== undefined)) return
  const got = `${fee_amount ?? 'no "fee_amount"'} and ${fee_account_id ?? 'no "fee_account_id"'}`
  throw invalid(
    `"fee_account_id" is required with a "fee_amount" above 0, and not otherwise; got ${got}. ` +
      'Send both, or none for the fee of the account.',
  )
}

interface Partners {
  to: AccountState
  fee: AccountState | undefined
}

/**
 * Not locked: an account may be closed right after. What counts is its state when it is credited,
 * and money that it does not accept is returned.
 */
async function getPartners(db: Db, from: string, input: TransferInput): Promise<Partners> {
  const { to_account_id, fee_account_id } = input
  const ids = [to_account_id, ...(fee_account_id === undefined ? [] : [fee_account_id])]
  const known = ids.flatMap((text) => findUuid('account', text) ?? [])
  const states = await findAccountStates(db, known)
  const get = (field: string, text: string) => getPartner(states, field, text, from)
  const to = get('to_account_id', to_account_id)
  const fee = fee_account_id === undefined ? undefined : get('fee_account_id', fee_account_id)
  if (fee?.account_id === to.account_id) {
    throw invalid(
      '"fee_account_id" must be another account than "to_account_id"; got ' +
        `"${fee_account_id}" for both. Send the transfer without a fee.`,
    )
  }
  return { to, fee }
}

function getPartner(
  states: AccountState[],
  field: string,
  text: string,
  from: string,
): AccountState {
  const id = findUuid('account', text)
  if (id === from) {
    throw invalid(
      `"${field}" must be another account than the source; got "${text}". Send another id.`,
    )
  }
  const state = states.find(({ account_id }) => account_id === id)
  if (state?.status === 'active') return state
  throw invalid(`"${field}" must be the id of an active account; got ${quote(text)}.`)
}

async function debit(
  tx: Tx,
  lock: AccountLock,
  input: TransferInput,
  partners: Partners,
): Promise<TransferRow> {
  const { amount } = input
  requireActive(lock)
  requireCurrency(input.currency, lock, partners)
  const fee = await chooseFee(tx, lock, input, partners)
  const set = await openTransferSet(tx, lock)
  const id = set.locked.nextId(lock)
  const at = timeOfUuid(id)
  const posting = { transaction_id: id, movement: 'withdraw', amount, at } as const
  set.locked.postings.push(...post(lock, posting))
  const row: TransferRow = {
    account_id: lock.account_id,
    id,
    side: 'out',
    from_account_id: lock.account_id,
    to_account_id: partners.to.account_id,
    amount,
    ...fee,
    currency: lock.currency,
    reference: input.reference ?? null,
    status: 'in_transit',
    returned_amount: 0,
    reason: null,
    updated_at: at,
  }
  set.insert(lock, row)
  set.addEvent(lock, 'transfer.created', row)
  writeTransfers(tx, set)
  return row
}

function requireActive({ status }: AccountLock): void {
  if (status === 'active') return
  throw invalid(`The account must be active to create transfers; it is ${status}.`)
}

function requireCurrency(currency: string, source: AccountLock, { to, fee }: Partners): void {
  const requireSame = (expected: string, whose: string) => {
    if (currency === expected) return
    throw new Refusal(
      'currency_mismatch',
      `"currency" must be "${expected}", the currency of ${whose}; got "${currency}". ` +
        'A transfer does not convert money.',
    )
  }
  requireSame(source.currency, 'the source')
  requireSame(to.currency, 'the target')
  if (fee !== undefined) requireSame(fee.currency, 'the fee account')
}

type Fee = Pick<TransferRow, 'fee_amount' | 'fee_account_id'>

const no_fee: Fee = { fee_amount: 0, fee_account_id: null }

/** Of the request, else the default of the source. An account pays no fee to itself. */
async function chooseFee(
  tx: Tx,
  { account_id, currency }: AccountLock,
  { amount, fee_amount }: TransferInput,
  { to, fee }: Partners,
): Promise<Fee> {
  if (fee_amount !== undefined) {
    return requirePart(amount, fee_amount, fee === undefined ? null : fee.account_id)
  }
  const set = await selectTransferFee(tx, account_id)
  if (set === undefined || set.fee_account_id === to.account_id) return no_fee
  const [fee_account] = await findAccountStates(tx, [set.fee_account_id])
  if (fee_account !== undefined && fee_account.currency !== currency) {
    // The owner has changed the currency since the fee was set, which must not avoid the fee.
    throw new Refusal(
      'currency_mismatch',
      `"currency" must be "${fee_account.currency}", the currency of the account that gets the ` +
        `transfer fee; got "${currency}". Ask the platform to set the fee again.`,
    )
  }
  return requirePart(amount, feeOf(amount, set), set.fee_account_id)
}

function requirePart(amount: number, fee_amount: number, fee_account_id: string | null): Fee {
  if (fee_amount === 0) return no_fee
  if (fee_amount < amount) return { fee_amount, fee_account_id }
  throw invalid(
    `"amount" must be greater than the fee of ${fee_amount}; got ${amount}. Transfer more.`,
  )
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

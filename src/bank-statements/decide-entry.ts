// What a person decides about an open bank entry: the payment request that it pays, the settlement
// of a provider that it shows, the payout or refund that it pays or returns, or that it pays
// nothing here.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import type { LatePolicy } from '../payments/checkout-commands.ts'
import { findPaymentsById, readPaymentId } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/payment.ts'
import { requireTarget } from '../payouts/settle-outgoing.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { amount_max } from '../primitives/money.ts'
import { Refusal } from '../primitives/refusal.ts'
import { assignBankEntry } from '../settlements/settle-bank-entry.ts'
import { type EntryRow, presentEntry, readEntryId, unknownEntry } from './bank-entry.ts'
import { type EntryChange, lockEntry, selectStoredParts, updateEntry } from './queries.ts'

interface MatchInput {
  payment_id?: string | undefined
  settlement_id?: string | undefined
  payout_id?: string | undefined
  /** A refund by transfer. */
  transaction_id?: string | undefined
  /** What happens to money that does not pay the request. */
  late?: LatePolicy | undefined
  note?: string | undefined
}

interface MatchParts {
  db: Db
  late_payments: LatePolicy
}

/**
 * A settlement is matched at once. Otherwise the entry is settling from now on: the worker records
 * its money within seconds.
 * - the amount of an open request, or more: the request is paid, and the rest is a late payment
 * - less, or a request that has ended: all of it is a late payment
 * - part of a collective entry: `late` is required, because its money may have several payers
 * - another currency, a debit, a reversal: rejected
 *
 * In the same way, a debit pays a payout or a refund by transfer, and a credit returns it.
 */
export async function matchEntry(
  { db, late_payments }: MatchParts,
  caller: Caller,
  entry_id: string,
  { payment_id, late, note: typed, ...others }: MatchInput,
): Promise<ReturnType<typeof presentEntry>> {
  const note = typed?.trim() || null
  return decide(db, caller, entry_id, 'bank_entry.matched', async (tx, entry) => {
    const { settlement_id, payout_id, transaction_id } = others
    const [other, another] = Object.values(others).filter((id) => id !== undefined)
    const is_one = another === undefined && (other === undefined) !== (payment_id === undefined)
    if (!is_one || (other !== undefined && late !== undefined)) throw eitherOne()
    if (settlement_id !== undefined) {
      const settles = await assignBankEntry(tx, entry, settlement_id)
      return { change: { status: 'settled', settles, note } }
    }
    const target = payout_id ?? transaction_id
    if (target !== undefined) {
      const of = await requireTarget(tx, { ...entry, target }, note)
      return { change: { status: 'settling', target, note }, account_id: of.account_id }
    }
    const [payment] = await findPaymentsById(tx, [readPaymentId(payment_id!)])
    if (payment === undefined) throw unknownRequest()
    requireMatch(entry, payment)
    if (!entry.is_complete && late === undefined) throw lateMissing()
    const { account_id, id } = payment
    const policy = late ?? late_payments
    const of = { account_id, payment_id: id, accepts: 'any', late: policy } as const
    return { change: { status: 'settling', ...of, note }, account_id }
  })
}

function eitherOne(): Refusal {
  return new Refusal(
    'invalid_request',
    'Send one of "payment_id", with "late" if you need it, "settlement_id", "payout_id" and ' +
      '"transaction_id".',
  )
}

function lateMissing(): Refusal {
  return new Refusal(
    'invalid_request',
    '"late" must be "keep" or "refund", because the transfers of this collective entry do not ' +
      'add up to its amount; got nothing. Choose "keep", and return at your bank what other ' +
      'payers have sent.',
  )
}

function unknownRequest(): Refusal {
  return new Refusal('not_found', 'No payment request with the id in "payment_id" exists.')
}

function requireMatch(entry: EntryRow, payment: PaymentRow): void {
  if (entry.direction === 'debit' || entry.is_reversal || entry.return_reason !== null) {
    throw new Refusal(
      'invalid_request',
      'The entry must be money that arrived; got a debit, a reversal or a return. Match it with ' +
        '"payout_id" or "transaction_id" if it belongs to a payout or a refund, or ignore it.',
    )
  }
  if (entry.amount > amount_max) {
    throw new Refusal(
      'invalid_request',
      `The entry must have at most ${amount_max}, the maximum of a payment; got ${entry.amount}. ` +
        'Return the money at your bank, and ignore the entry.',
    )
  }
  if (entry.currency === payment.currency) return
  throw new Refusal(
    'invalid_request',
    `The payment request must be in ${entry.currency}, the currency of the entry; got ` +
      `${payment.currency}. Return the money at your bank, and ignore the entry.`,
  )
}

/** The entry pays nothing here: rent, salaries, money that was returned. */
export async function ignoreEntry(
  db: Db,
  caller: Caller,
  entry_id: string,
  { note }: { note?: string | undefined },
): Promise<ReturnType<typeof presentEntry>> {
  const change = { status: 'ignored', note: note ?? null } as const
  return decide(db, caller, entry_id, 'bank_entry.ignored', async () => ({ change }))
}

/** The entry is to be matched again, for example after its request was created. */
export async function reopenEntry(
  db: Db,
  caller: Caller,
  entry_id: string,
): Promise<ReturnType<typeof presentEntry>> {
  const change = { status: 'new', reason: null, proposals: '[]', note: null } as const
  return decide(db, caller, entry_id, 'bank_entry.reopened', async () => ({ change }))
}

interface Decision {
  change: EntryChange
  /** Whose money it is, for the audit log. */
  account_id?: string
}

async function decide(
  db: Db,
  caller: Caller,
  entry_id: string,
  action: `bank_entry.${string}`,
  choose: (tx: Tx, entry: EntryRow) => Promise<Decision>,
): Promise<ReturnType<typeof presentEntry>> {
  const id = readEntryId(entry_id)
  return changeOnce(db, caller.idempotency, async (tx) => {
    await requireLiveToken(tx, caller)
    const entry = await lockEntry(tx, id)
    if (entry === undefined) throw unknownEntry()
    requireUndecided(entry)
    await requireNotReplaced(tx, entry)
    const { change, account_id = null } = await choose(tx, entry)
    // Locked, so it is as it was read.
    const changed = presentEntry((await updateEntry(tx, entry, change))!)
    const { payment_id, note } = changed
    const { late, settles, target } = change
    const of_settlement = settles && { settlement_id: settles }
    const details = {
      ...(late && { payment_id, late }),
      ...of_settlement,
      ...(target && { target }),
      note,
    }
    await recordAuditEntry(tx, actorOf(caller), { action, object_id: id, account_id, details })
    return changed
  })
}

function requireUndecided({ status, settles }: EntryRow): void {
  if (status === 'open' || status === 'new' || status === 'ignored') return
  const state = status === 'settled' ? `has settled ${settles}` : 'is settling'
  throw new Refusal('conflict', `The entry ${state}, and can no longer be changed.`)
}

/** The transfers of a collective entry have its money, whatever becomes of the whole. */
async function requireNotReplaced(tx: Tx, entry: EntryRow): Promise<void> {
  if (entry.part > 0 || (await selectStoredParts(tx, [entry])).length === 1) return
  const message = 'The entry was replaced by its transfers. Decide about these instead.'
  throw new Refusal('conflict', message)
}

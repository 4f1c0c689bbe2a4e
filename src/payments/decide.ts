// Decides the commands of a batch with pure functions over its set. A declined card is not rejected
// here, because the attempt must be stored.

import { applyDisputes } from '../disputes/apply-disputes.ts'
import { AlreadyHandled } from '../jobs/due-work.ts'
import { decideByKind } from '../lanes/decide-by-kind.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { expires_after_ms, reminderTime } from '../primitives/period.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { CardSummary } from '../processors/processor.ts'
import type { ProviderDispute } from '../processors/provider.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import { recordCharge } from '../transactions/charges.ts'
import { settleCommand as settleTransaction } from '../transactions/commands.ts'
import { decide as decideTransaction } from '../transactions/decide.ts'
import { countMetadata, storeCount } from '../transactions/metadata.ts'
import {
  type AttemptCommand,
  type CreateCommand,
  type DueCommand,
  type EndCommand,
  noOpenAccount,
  type PaymentCommand,
  type SendCommand,
  unknownPayment,
} from './commands.ts'
import { receiptEmail, reminderEmail, requestEmail } from './emails.ts'
import type { PaymentRow } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'

/** The request fails after this many declined cards. */
export const declines_max = 10

export const decidePayment = decideByKind<PaymentSet, PaymentCommand, PaymentRow>(
  { create, end, attempt, send, due: processDue },
  ({ kind }) => (kind === 'create' ? noOpenAccount() : unknownPayment()),
)

function create(set: PaymentSet, lock: AccountLock, command: CreateCommand): PaymentRow {
  if (lock.status === 'closed') throw noOpenAccount()
  requireActive(lock, 'to create payment requests')
  if (command.currency !== lock.currency) {
    throw new Refusal(
      'invalid_request',
      `"currency" must be "${lock.currency}", the account's currency; got "${command.currency}".`,
    )
  }
  const { kind: _, ...given } = command
  const id = set.locked.nextId(lock)
  const at = timeOfUuid(id)
  const expires_at = new Date(at.getTime() + expires_after_ms)
  const row: PaymentRow = {
    ...given,
    id,
    status: 'pending',
    declines: 0,
    attempts: 0,
    sends: 1,
    transaction_id: null,
    expires_at,
    due_at: reminderTime(expires_at),
    updated_at: at,
  }
  storeCount(lock, countMetadata(lock, row.metadata, at))
  set.insert(lock, row)
  set.addEvent(lock, 'payment.created', row)
  set.emails.push(requestEmail(set, row))
  return row
}

function requireActive(lock: AccountLock, purpose: string): void {
  if (lock.status === 'active') return
  throw new Refusal(
    'invalid_request',
    `The account must be active ${purpose}; it is ${lock.status}.`,
  )
}

function end(set: PaymentSet, lock: AccountLock, command: EndCommand): PaymentRow {
  const row = set.getRow(command)
  if (command.to === 'canceled') {
    if (row.status !== 'pending') throw new Refusal('not_cancellable', hasEnded(row))
    return finalize(set, lock, row, { status: 'canceled' })
  }
  requireOpen(set, lock, row)
  return command.to === 'succeeded'
    ? succeed(set, lock, row)
    : finalize(set, lock, row, { status: 'failed' })
}

/** Pending and not expired, even if the worker has not canceled the expired request yet. */
function requireOpen(set: PaymentSet, lock: AccountLock, row: PaymentRow): void {
  if (row.status !== 'pending') throw new Refusal('conflict', hasEnded(row))
  if (row.expires_at > set.locked.timeOf(lock)) return
  throw new Refusal('conflict', 'The payment request has expired. Create a new one.')
}

function hasEnded(row: PaymentRow): string {
  const advice = row.status === 'succeeded' ? ' Create a refund instead.' : ''
  const end = row.status === 'canceled' ? 'been canceled' : row.status
  return `The payment request has ${end}.${advice}`
}

function attempt(set: PaymentSet, lock: AccountLock, command: AttemptCommand): PaymentRow {
  const row = set.getRow(command)
  requireOpen(set, lock, row)
  requireActive(lock, 'to receive payments')
  const number = row.declines + 1
  if (command.decline_code === null) {
    succeed(set, lock, row)
    const charge = sandboxCharge(row, command.card)
    recordCharge(set.transactions, charge)
    if (command.is_disputed)
      applyDisputes(set.disputes, lock, charge, [sandboxDispute(set, charge)])
  } else {
    decline(set, lock, row)
  }
  // Must be last: if succeed() throws, no attempt may be stored.
  set.addAttempt(lock, row, { ...command, number })
  return row
}

/** Only the sandbox charges cards itself. */
function sandboxCharge(row: PaymentRow, card: CardSummary): ChargeRow {
  const transaction_id = row.transaction_id!
  return {
    account_id: row.account_id,
    transaction_id,
    provider: 'sandbox',
    charge_id: `ch_${transaction_id.replaceAll('-', '')}`,
    checkout_id: null,
    provider_id: null,
    amount: row.amount,
    fee: null,
    is_disputed: false,
    card_brand: card.brand,
    card_last4: card.last4,
  }
}

const response_ms = 7 * 86_400_000

function sandboxDispute(set: PaymentSet, { charge_id, amount }: ChargeRow): ProviderDispute {
  return {
    id: charge_id.replace('ch_', 'dp_'),
    amount,
    reason: 'fraudulent',
    status: 'needs_response',
    due_at: new Date(set.locked.now.getTime() + response_ms),
  }
}

function decline(set: PaymentSet, lock: AccountLock, row: PaymentRow): void {
  const declines = row.declines + 1
  if (declines >= declines_max) finalize(set, lock, row, { status: 'failed', declines })
  else set.change(lock, row, { declines })
}

/** Creates a transaction that has already succeeded, with both postings, and ends the request. */
function succeed(set: PaymentSet, lock: AccountLock, row: PaymentRow): PaymentRow {
  const created = decideTransaction(set.transactions, {
    kind: 'create',
    account_id: row.account_id,
    amount: row.amount,
    currency: row.currency,
    type: 'payment',
    reference: row.reference,
    metadata: `{"payment_request":"${toTypeId('payment', row.id)}"}`,
    linked_id: undefined,
    settle_after_ms: undefined,
    is_paid: true,
  })
  const transaction = decideTransaction(set.transactions, settleTransaction(created, 'succeeded'))
  const paid = { status: 'succeeded', transaction_id: transaction.id } as const
  finalize(set, lock, row, paid)
  set.emails.push(receiptEmail(set, row))
  return row
}

function finalize(
  set: PaymentSet,
  lock: AccountLock,
  row: PaymentRow,
  changes: Partial<PaymentRow> & { status: 'succeeded' | 'failed' | 'canceled' },
): PaymentRow {
  set.change(lock, row, { ...changes, due_at: null, updated_at: set.locked.timeOf(lock) })
  set.addEvent(lock, `payment.${changes.status}`, row)
  return row
}

// A request is open for thirty days and has a reminder, so it never needs more emails than this.
const sends_max = 20

function sendLimitReached(): Refusal {
  return new Refusal(
    'invalid_request',
    `A payment request can be sent at most ${sends_max} times. ` +
      'Give the customer its "payment_url" instead.',
  )
}

function send(set: PaymentSet, lock: AccountLock, command: SendCommand): PaymentRow {
  const row = set.getRow(command)
  requireOpen(set, lock, row)
  requireActive(lock, 'to receive payments')
  if (row.sends >= sends_max) throw sendLimitReached()
  set.change(lock, row, { sends: row.sends + 1 })
  set.emails.push(requestEmail(set, row))
  return row
}

function processDue(set: PaymentSet, lock: AccountLock, command: DueCommand): PaymentRow {
  const row = set.getRow(command)
  if (row.due_at === null || row.due_at > command.by) throw new AlreadyHandled()
  if (row.expires_at <= command.by) return finalize(set, lock, row, { status: 'canceled' })
  set.change(lock, row, { due_at: row.expires_at })
  // The payment page of a suspended account accepts no payments, so a reminder would be useless.
  if (lock.status === 'active') set.emails.push(reminderEmail(set, row))
  return row
}

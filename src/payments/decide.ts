// Decides the commands of a batch with pure functions over its set. A declined card is not rejected
// here, because the attempt must be stored.

import { applyDisputes } from '../disputes/apply-disputes.ts'
import { AlreadyHandled } from '../jobs/due-work.ts'
import { decideByKind } from '../lanes/decide-by-kind.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { reminderTime } from '../primitives/period.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { CardSummary } from '../processors/processor.ts'
import type { ProviderDispute } from '../processors/provider.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import { countMetadata, storeCount } from '../transactions/metadata.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
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
import { apply, begin, checked, opened } from './decide-checkout.ts'
import { reminderEmail, requestEmail } from './emails.ts'
import { finalize, succeed } from './end-request.ts'
import type { PaymentRow } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'
import { receiveTransfer } from './receive-transfer.ts'
import { expiryFor, no_options } from './request-options.ts'
import { hasEnded, requireActive, requireOpen } from './require-open.ts'

/** The request fails after this many declined cards. */
export const declines_max = 10

export const decidePayment = decideByKind<PaymentSet, PaymentCommand, PaymentRow>(
  {
    create,
    end,
    attempt,
    send,
    due: processDue,
    checkout: begin,
    opened,
    apply,
    checked,
    transfer: receiveTransfer,
  },
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
  const { kind: _, options = no_options, ...given } = command
  const { message, reminder_days, is_emailed, link_id, form_key } = options
  const id = set.locked.nextId(lock)
  const at = timeOfUuid(id)
  const expires_at = expiryFor(set, command, at)
  const row: PaymentRow = {
    ...given,
    id,
    status: 'pending',
    declines: 0,
    attempts: 0,
    sends: is_emailed ? 1 : 0,
    transaction_id: null,
    expires_at,
    due_at: reminderTime(expires_at, reminder_days, at) ?? expires_at,
    updated_at: at,
    message,
    reminder_days,
    link_id,
    form_key,
  }
  storeCount(lock, countMetadata(lock, row.metadata, at))
  set.insert(lock, row)
  set.addEvent(lock, 'payment.created', row)
  if (is_emailed) set.emails.push(requestEmail(set, row))
  return row
}

function end(set: PaymentSet, lock: AccountLock, command: EndCommand): PaymentRow {
  const row = set.getRow(command)
  if (command.to === 'canceled') {
    if (row.status !== 'pending') throw new Refusal('not_cancellable', hasEnded(row))
    return finalize(set, lock, row, { status: 'canceled' })
  }
  requireOpen(set, lock, row)
  if (command.to === 'failed') return finalize(set, lock, row, { status: 'failed' })
  succeed(set, lock, row)
  return row
}

function attempt(set: PaymentSet, lock: AccountLock, command: AttemptCommand): PaymentRow {
  const row = set.getRow(command)
  // Only the sandbox has card attempts. Its charge is recorded here, so rejecting it loses nothing.
  requireOpen(set, lock, row)
  requireActive(lock, 'to receive payments')
  const number = row.declines + 1
  if (command.decline_code === null)
    recordSandboxCharge(set, lock, succeed(set, lock, row), command)
  else decline(set, lock, row)
  // Must be last: if succeed() throws, no attempt may be stored.
  set.addAttempt(lock, row, { ...command, number })
  return row
}

function recordSandboxCharge(
  set: PaymentSet,
  lock: AccountLock,
  payment: TransactionRow,
  { card, is_disputed }: AttemptCommand,
): void {
  const charge = sandboxCharge(payment, card)
  set.transactions.insertCharge(charge)
  if (is_disputed) applyDisputes(set.disputes, lock, charge, [sandboxDispute(set, charge)])
}

/** Only the sandbox charges cards itself. */
function sandboxCharge(
  { account_id, id: transaction_id, amount }: TransactionRow,
  card: CardSummary,
): ChargeRow {
  return {
    account_id,
    transaction_id,
    provider: 'sandbox',
    charge_id: `ch_${transaction_id.replaceAll('-', '')}`,
    checkout_id: null,
    provider_id: null,
    amount,
    fee: null,
    is_disputed: false,
    is_late: false,
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

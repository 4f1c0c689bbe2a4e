// Decides the commands of a batch with pure functions over its set.

import { AlreadyHandled } from '../jobs/due-work.ts'
import { decideByKind } from '../lanes/decide-by-kind.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { post, postCovered } from '../ledger/post.ts'
import { postingRules, type TransactionType } from '../ledger/posting-rules.ts'
import { minorDigits } from '../primitives/currencies.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { decimalText } from '../primitives/money.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { ChargeRow, ProviderRefundRow } from './charge.ts'
import { countMetadata, mergeMetadata, storeCount } from './metadata.ts'
import type { TransactionRow } from './transaction.ts'
import { type TransactionSet, unknownTransaction } from './transaction-set.ts'

export interface CreateCommand {
  kind: 'create'
  account_id: string
  amount: number
  currency: string
  type: TransactionType
  reference: string | null
  metadata: string | null
  /** The id in `reference`, if it has the form of a transaction id. */
  linked_id: string | undefined
  /** The id in `reference`, if it has the form of a payment request id. */
  linked_request_id?: string | undefined
  settle_after_ms: number | undefined
  /** The money has already moved, or must: recorded whatever the state of account and payment. */
  is_paid?: true
}

export interface EndCommand {
  kind: 'end'
  account_id: string
  id: string
  to: 'succeeded' | 'failed' | 'canceled'
  /** The error code when the transaction is no longer pending; 'nothing' is not an error. */
  if_not_pending: 'not_cancellable' | 'conflict' | 'nothing'
  /** Set by the settling worker: the transaction must be due by this time. */
  due_by?: Date
  /** Only the provider, or the closing of the account, ends a refund that was submitted. */
  by?: 'provider' | 'closing'
}

export interface PatchCommand {
  kind: 'patch'
  account_id: string
  id: string
  reference?: string | null
  metadata?: Record<string, unknown> | null
  /** The body contains an immutable field: rejected, but only after all other checks. */
  changes_immutable: boolean
}

export type Command = CreateCommand | EndCommand | PatchCommand

export const decide = decideByKind<TransactionSet, Command, TransactionRow>(
  { create: decideCreate, end: decideEnd, patch: decidePatch },
  ({ kind }) => (kind === 'create' ? noOpenAccount() : unknownTransaction()),
)

function decideCreate(
  set: TransactionSet,
  lock: AccountLock,
  command: CreateCommand,
): TransactionRow {
  if (command.is_paid !== true) requireOpen(lock)
  if (command.currency !== lock.currency) {
    throw new Refusal(
      'currency_mismatch',
      `"currency" must be "${lock.currency}", the account's currency; got "${command.currency}".`,
    )
  }
  const payment = findLinkedPayment(set, command)
  const charge = payment && findProviderCharge(set, payment)
  const id = set.locked.nextId(lock)
  const at = timeOfUuid(id)
  const row: TransactionRow = {
    account_id: lock.account_id,
    id,
    status: 'pending',
    amount: command.amount,
    currency: command.currency,
    type: command.type,
    refund_of: payment?.id ?? null,
    due_at:
      command.settle_after_ms === undefined || charge !== undefined
        ? null
        : new Date(at.getTime() + command.settle_after_ms),
    updated_at: at,
    reference: command.reference,
    metadata: command.metadata,
  }
  const count = countMetadata(lock, row.metadata, at)
  const is_covered = command.is_paid && command.type === 'refund'
  set.locked.postings.push(...postFor(lock, row, at, is_covered ? postCovered : post))
  storeCount(lock, count)
  set.insert(lock, row)
  if (payment) set.addRefunded(lock.account_id, payment.id, row.amount)
  if (charge) set.insertProviderRefund(queuedRefund(row, charge, at))
  set.addEvent(lock, 'transaction.created', row)
  // A closed account has no pending transactions. If the provider rejects the refund, a credit
  // follows.
  if (lock.status === 'closed' && row.type === 'refund') finish(set, lock, row, 'succeeded')
  return row
}

/** The charge, if its provider or a bank pays out the refunds of this payment. */
function findProviderCharge(
  set: TransactionSet,
  payment: TransactionRow,
): ProviderCharge | undefined {
  const charge = set.findCharge(payment.account_id, payment.id)
  return charge === undefined || charge.provider === 'sandbox'
    ? undefined
    : (charge as ProviderCharge)
}

type ProviderCharge = ChargeRow & Pick<ProviderRefundRow, 'provider'>

function queuedRefund(
  { account_id, id }: TransactionRow,
  { transaction_id: payment_id, provider }: ProviderCharge,
  at: Date,
): ProviderRefundRow {
  return {
    account_id,
    id,
    payment_id,
    provider,
    provider_refund_id: null,
    state: 'queued',
    submitted_at: null,
    next_at: provider === 'bank_transfer' ? null : at,
    attempts: 0,
    credit_id: null,
  }
}

function requireOpen(lock: AccountLock): void {
  if (lock.status === 'active') return
  if (lock.status === 'closed') throw noOpenAccount()
  throw new Refusal(
    'invalid_request',
    `The account must be active to create transactions; it is ${lock.status}.`,
    { of_account: true },
  )
}

function findLinkedPayment(
  set: TransactionSet,
  command: CreateCommand,
): TransactionRow | undefined {
  const payment_id = findLinkedId(set, command)
  if (payment_id === undefined) return undefined
  const payment = set.findRow(command.account_id, payment_id)
  // Any other reference is plain text.
  if (payment === undefined) return undefined
  if (payment.type !== 'payment' || payment.status !== 'succeeded') {
    throw new Refusal(
      'invalid_request',
      '"reference" must be the id of a payment that has succeeded; ' +
        `got a ${payment.status} ${payment.type}.`,
    )
  }
  if (command.is_paid) return payment
  if (set.findCharge(payment.account_id, payment.id)?.is_disputed) throw disputed(command)
  const left = Math.max(0, payment.amount - set.refundedOf(command.account_id, payment.id))
  if (command.amount <= left) return payment
  const { amount, currency } = command
  const exact = (minor: number) =>
    `${minor} (${currency} ${decimalText(minor, minorDigits(currency))})`
  throw new Refusal(
    'invalid_request',
    `"amount" must be at most ${exact(left)}, the amount left to refund; got ${exact(amount)}.`,
  )
}

function disputed({ reference }: CreateCommand): Refusal {
  return new Refusal(
    'invalid_request',
    `"reference" must be the id of a payment without a dispute; got "${reference}", which is ` +
      'disputed or has lost a dispute. A dispute returns the money to the cardholder itself.',
  )
}

/** The transaction that `reference` names, by its id or by the id of its payment request. */
function findLinkedId(set: TransactionSet, command: CreateCommand): string | undefined {
  const { account_id, linked_request_id, reference } = command
  if (linked_request_id === undefined) return command.linked_id
  const request = set.findRequest(account_id, linked_request_id)
  if (request === undefined) return undefined
  if (request.transaction_id !== null) return request.transaction_id
  throw new Refusal(
    'invalid_request',
    '"reference" must be the id of a paid payment request; ' +
      `got "${reference}", which is ${request.status}.`,
  )
}

function decideEnd(set: TransactionSet, lock: AccountLock, command: EndCommand): TransactionRow {
  const row = set.getRow(command)
  const not_due = command.due_by && (row.due_at === null || row.due_at > command.due_by)
  if (row.status !== 'pending' || not_due) throw tooLate(row, command.if_not_pending)
  endProviderRefund(set, lock, row, command)
  return finish(set, lock, row, command.to)
}

function finish(
  set: TransactionSet,
  lock: AccountLock,
  row: TransactionRow,
  to: EndCommand['to'],
): TransactionRow {
  const at = set.locked.timeOf(lock)
  const postings = postFor(lock, { ...row, status: to }, at)
  set.locked.postings.push(...postings)
  set.change(lock, row, { status: to, updated_at: at, due_at: null })
  if (row.refund_of !== null) endRefund(set, row, row.refund_of)
  set.addEvent(lock, `transaction.${to}`, row)
  return row
}

/** The metadata of a refund that returns a late payment. */
export const late_refund = '{"late_payment":true}'

/**
 * A refund that a provider pays out can only be canceled, and only before it is submitted. One by
 * transfer can also be settled by hand.
 */
function endProviderRefund(
  set: TransactionSet,
  lock: AccountLock,
  row: TransactionRow,
  command: EndCommand,
): void {
  const refund = set.findProviderRefund(command.account_id, command.id)
  if (refund === undefined || command.by === 'provider') return
  const { to, by, if_not_pending } = command
  if (by === 'closing' && refund.state === 'queued' && row.metadata === late_refund) {
    // The payer gets late money back although the account closes: another transaction records it.
    set.changeProviderRefund(refund, { state: 'submitted', submitted_at: set.locked.timeOf(lock) })
    return
  }
  if (to === 'canceled' && refund.state === 'queued') {
    set.changeProviderRefund(refund, { state: 'failed', next_at: null })
    return
  }
  // The worker still finds out what happened to a submitted refund.
  if (by === 'closing') return
  const is_transfer = refund.provider === 'bank_transfer'
  if (is_transfer && to !== 'canceled') {
    // The operator has sent the money without a payment file, or knows what the bank did.
    set.changeProviderRefund(refund, { state: to })
    return
  }
  if (if_not_pending === 'nothing') throw new AlreadyHandled()
  const payer = is_transfer ? 'bank' : 'payment provider'
  throw new Refusal(
    if_not_pending,
    to === 'canceled'
      ? `The refund has been sent to the ${payer} and can no longer be canceled.`
      : 'The refund is settled by the payment provider. Wait for its result.',
  )
}

function endRefund(set: TransactionSet, refund: TransactionRow, payment_id: string): void {
  const { account_id, amount, updated_at } = refund
  if (refund.status === 'succeeded') {
    set.settleRefund(account_id, payment_id, amount, updated_at)
  } else {
    set.addRefunded(account_id, payment_id, -amount)
  }
}

function tooLate(row: TransactionRow, if_not_pending: EndCommand['if_not_pending']): Error {
  if (if_not_pending === 'nothing') return new AlreadyHandled()
  const advice = row.status === 'succeeded' ? ' Create a refund instead.' : ''
  return new Refusal(
    if_not_pending,
    `The transaction has ${row.status === 'canceled' ? 'been canceled' : row.status}.${advice}`,
  )
}

function decidePatch(
  set: TransactionSet,
  lock: AccountLock,
  command: PatchCommand,
): TransactionRow {
  // A closed account is read-only, and account.closed is its last event. Commands that end a
  // transaction need no such check: a closed account has no pending ones.
  if (lock.status === 'closed') throw closedAccount()
  const row = set.getRow(command)
  const reference = command.reference === undefined ? row.reference : command.reference
  const metadata =
    command.metadata === undefined ? row.metadata : mergeMetadata(row.metadata, command.metadata)
  if (command.changes_immutable) {
    throw new Refusal(
      'conflict',
      '"amount", "currency" and "type" cannot be changed. Create a refund or a new transaction ' +
        'instead.',
    )
  }
  if (reference === row.reference && metadata === row.metadata) return row
  const updated_at = set.locked.timeOf(lock)
  storeCount(lock, countMetadata(lock, metadata, updated_at))
  set.change(lock, row, { reference, metadata, updated_at })
  set.addEvent(lock, 'transaction.updated', row)
  return row
}

/** May reveal that the account is closed: only callers with access to the account get here. */
function closedAccount(): Refusal {
  const message = 'This transaction belongs to a closed account and is read-only.'
  return new Refusal('not_found', message)
}

function postFor(lock: AccountLock, row: TransactionRow, at: Date, record = post) {
  const movement = postingRules[row.type][row.status]
  return record(lock, { transaction_id: row.id, movement, amount: row.amount, at })
}

/** The same error for closed accounts, accounts of others and unknown ids: it reveals nothing. */
export function noOpenAccount(): Refusal {
  return new Refusal('not_found', no_open_account, { of_account: true })
}

export const no_open_account =
  '"account_id" must be the id of an open account that you have access to. Get it from ' +
  'GET /v1/account, or as an admin or platform user from GET /v1/accounts.'

// What each command does, decided by pure functions over the working set. A command checks first
// and changes after: a refusal leaves the set as it was for the commands behind it.

import { AlreadyHandled } from '../jobs/due-work.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { post } from '../ledger/post.ts'
import { postingRules, type TransactionType } from '../ledger/posting-rules.ts'
import { decimalText } from '../primitives/amount-text.ts'
import { minorDigits } from '../primitives/currencies.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { countMetadata, mergeMetadata, storeCount } from './metadata.ts'
import type { TransactionRow } from './transaction.ts'
import type { WorkingSet } from './working-set.ts'

export interface CreateCommand {
  kind: 'create'
  account_id: string
  amount: number
  currency: string
  type: TransactionType
  reference: string | null
  metadata: string | null
  /** The id in reference, when it could be one of a transaction of this account. */
  linked_id: string | undefined
  /** The id in reference, when it could be one of a payment request of this account. */
  linked_request_id?: string | undefined
  settle_after_ms: number | undefined
  /** The money is here already: an account that has been suspended since still gets it. */
  is_paid?: true
}

export interface EndCommand {
  kind: 'end'
  account_id: string
  id: string
  to: 'succeeded' | 'failed' | 'canceled'
  /** What one who comes too late is told. */
  if_not_pending: 'not_cancellable' | 'conflict' | 'nothing'
  /** The settling worker acts only on what is due. */
  due_by?: Date
}

export interface PatchCommand {
  kind: 'patch'
  account_id: string
  id: string
  reference?: string | null
  metadata?: Record<string, unknown> | null
  /** A field that can never change was named: refused, but only after everything else. */
  changes_immutable: boolean
}

export type Command = CreateCommand | EndCommand | PatchCommand

export function decide(set: WorkingSet, command: Command): TransactionRow {
  const lock = set.locks.get(command.account_id)
  if (lock === undefined) throw command.kind === 'create' ? noOpenAccount() : unknownTransaction()
  switch (command.kind) {
    case 'create':
      return decideCreate(set, lock, command)
    case 'end':
      return decideEnd(set, lock, command)
    case 'patch':
      return decidePatch(set, lock, command)
  }
}

function decideCreate(set: WorkingSet, lock: AccountLock, command: CreateCommand): TransactionRow {
  if (command.is_paid !== true) requireOpen(lock)
  if (command.currency !== lock.currency) {
    throw new Refusal(
      'currency_mismatch',
      `currency must be ${lock.currency}, the account's base currency; ${command.currency} came.`,
    )
  }
  const payment = findLinkedPayment(set, command)
  const id = set.nextId(lock)
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
      command.settle_after_ms === undefined
        ? null
        : new Date(at.getTime() + command.settle_after_ms),
    updated_at: at,
    reference: command.reference,
    metadata: command.metadata,
  }
  const count = countMetadata(lock, row.metadata, at)
  set.postings.push(postFor(lock, row, at))
  storeCount(lock, count)
  set.insert(lock, row)
  if (payment) set.addRefunded(lock.account_id, payment.id, row.amount)
  set.addEvent(lock, 'transaction.created', row)
  return row
}

function requireOpen(lock: AccountLock): void {
  if (lock.status === 'active') return
  if (lock.status === 'closed') throw noOpenAccount()
  throw new Refusal(
    'invalid_request',
    `The account is ${lock.status}, and only an active account takes new transactions.`,
  )
}

function findLinkedPayment(set: WorkingSet, command: CreateCommand): TransactionRow | undefined {
  const payment_id = findLinkedId(set, command)
  if (payment_id === undefined) return undefined
  const payment = set.findRow(command.account_id, payment_id)
  // Any other reference is just text.
  if (payment === undefined) return undefined
  if (payment.type !== 'payment' || payment.status !== 'succeeded') {
    throw new Refusal(
      'invalid_request',
      `reference names a ${payment.status} ${payment.type}; a refund can only be linked to a ` +
        'succeeded payment.',
    )
  }
  const left = payment.amount - set.refundedOf(command.account_id, payment.id)
  if (command.amount <= left) return payment
  const { amount, currency } = command
  const exact = (minor: number) =>
    `${minor} (${currency} ${decimalText(minor, minorDigits(currency))})`
  throw new Refusal(
    'invalid_request',
    `"amount" must be at most ${exact(left)}, the amount left to refund; got ${exact(amount)}.`,
  )
}

/** The transaction that the reference names, by its own id or by that of the request it paid. */
function findLinkedId(set: WorkingSet, command: CreateCommand): string | undefined {
  const { account_id, linked_request_id, reference } = command
  if (linked_request_id === undefined) return command.linked_id
  const request = set.findRequest(account_id, linked_request_id)
  if (request === undefined) return undefined
  if (request.transaction_id !== null) return request.transaction_id
  throw new Refusal(
    'invalid_request',
    '"reference" must name a paid payment request; ' +
      `got "${reference}", which is ${request.status}.`,
  )
}

function decideEnd(set: WorkingSet, lock: AccountLock, command: EndCommand): TransactionRow {
  const row = getRow(set, command)
  const not_due = command.due_by && (row.due_at === null || row.due_at > command.due_by)
  if (row.status !== 'pending' || not_due) throw tooLate(row, command.if_not_pending)
  const at = set.timeOf(lock)
  const posting = postFor(lock, { ...row, status: command.to }, at)
  set.postings.push(posting)
  set.change(lock, row, { status: command.to, updated_at: at, due_at: null })
  if (row.refund_of !== null) endRefund(set, row, row.refund_of)
  set.addEvent(lock, `transaction.${command.to}`, row)
  return row
}

function endRefund(set: WorkingSet, refund: TransactionRow, payment_id: string): void {
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

function decidePatch(set: WorkingSet, lock: AccountLock, command: PatchCommand): TransactionRow {
  // A closed account is there for reading only, and account.closed is its last event. Nothing of it
  // is pending, so those who would end something are told that it has ended.
  if (lock.status === 'closed') throw closedAccount()
  const row = getRow(set, command)
  const reference = command.reference === undefined ? row.reference : command.reference
  const metadata =
    command.metadata === undefined ? row.metadata : mergeMetadata(row.metadata, command.metadata)
  if (command.changes_immutable) {
    throw new Refusal(
      'conflict',
      'amount, currency and type never change. Create a refund or a new transaction instead.',
    )
  }
  if (reference === row.reference && metadata === row.metadata) return row
  const updated_at = set.timeOf(lock)
  storeCount(lock, countMetadata(lock, metadata, updated_at))
  set.change(lock, row, { reference, metadata, updated_at })
  set.addEvent(lock, 'transaction.updated', row)
  return row
}

/** Only those who may read its books come this far, and they may know that it is closed. */
function closedAccount(): Refusal {
  const message = 'The account of this transaction is closed. It changes no more.'
  return new Refusal('not_found', message)
}

function getRow(set: WorkingSet, command: { account_id: string; id: string }): TransactionRow {
  const row = set.findRow(command.account_id, command.id)
  if (row === undefined) throw unknownTransaction()
  return row
}

function postFor(lock: AccountLock, row: TransactionRow, at: Date) {
  const movement = postingRules[row.type][row.status]
  return post(lock, { transaction_id: row.id, movement, amount: row.amount, at })
}

/** The same for an account that is closed, somebody else's or nobody's. */
export function noOpenAccount(): Refusal {
  return new Refusal('not_found', no_open_account)
}

export const no_open_account =
  'account_id names no open account that you may use. Take it from GET /v1/account, or as an ' +
  'admin or platform from GET /v1/accounts.'

export function unknownTransaction(): Refusal {
  return new Refusal('not_found', 'No transaction that you may see has this id.')
}

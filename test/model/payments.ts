// Payment requests: created, paid on the page, ended once.

import { page } from './lists.ts'
import { actingAccount, authorize } from './permissions.ts'
import {
  addTransaction,
  bodyAccount,
  endTransaction,
  type MoneyListInput,
  refundedOf,
  visible,
} from './transactions.ts'
import { Derived, Placeholder } from './unify.ts'
import type {
  Account,
  FinalStatus,
  Metadata,
  ModelRequest,
  Outcome,
  Payment,
  World,
} from './world.ts'
import { badRequest, conflict, expectEvent, notCancellable, refuse, time } from './world.ts'

export const expires_after_ms = 30 * 86_400_000
const max_declines = 10

function showCreated(one: Payment) {
  const { id, account, amount, currency, status, customer_email, reference } = one
  const what = { amount, currency, status, customer_email, reference }
  const { created_at, link: payment_url } = one
  const metadata = { ...one.metadata }
  return { id, account_id: account.id, ...what, metadata, created_at, payment_url }
}

/** An unpaid request has no refunds, and payment events are sent before any refund. */
function showPayment(one: Payment, refunded_amount = 0) {
  const expires_at = new Derived((resolve) => {
    return new Date(Date.parse(resolve(one.created_at)) + expires_after_ms).toISOString()
  })
  const { updated_at, transaction } = one
  const transaction_id = transaction?.id ?? null
  return { ...showCreated(one), updated_at, expires_at, transaction_id, refunded_amount }
}

function showRefunded(world: World, one: Payment) {
  const { transaction } = one
  return showPayment(one, transaction === undefined ? 0 : refundedOf(world, transaction))
}

interface PaymentInput {
  account: Account | undefined
  amount: number
  currency: string
  customer_email: string
  reference: string | null
  metadata: Metadata
}

export function createPayment(world: World, request: ModelRequest, input: PaymentInput): Outcome {
  const actor = authorize(request, 'write payments')
  if ('status' in actor) return actor
  const unknown = refuse(404, 'account_not_found')
  const chosen = bodyAccount(request, actor, input.account, unknown)
  if ('status' in chosen) return chosen
  const { account } = chosen
  if (account.status === 'closed') return unknown
  if (account.status !== 'active') return badRequest()
  if (input.currency !== account.settings.currency) return badRequest()
  return { status: 201, body: showCreated(addPayment(world, account, input)) }
}

export function addPayment(
  world: World,
  account: Account,
  input: Omit<PaymentInput, 'account'>,
): Payment {
  const at = time()
  const base = { turn: world.turn, id: new Placeholder('pay'), created_at: at, updated_at: at }
  const one: Payment = {
    ...base,
    ...input,
    account,
    status: 'pending',
    link: new Placeholder('link'),
    transaction: undefined,
    declines: 0,
  }
  account.had_money = true
  world.payments.push(one)
  expectEvent(world, account, 'payment.created', showPayment(one))
  return one
}

export function endPayment(world: World, one: Payment, to: FinalStatus): void {
  one.status = to
  one.updated_at = time()
  expectEvent(world, one.account, `payment.${to}`, showPayment(one))
}

/** Creates a succeeded transaction at the same time. */
function succeed(world: World, one: Payment): void {
  const { account, amount, currency, reference } = one
  const metadata = { payment_request: one.id }
  const input = { amount, currency, reference, metadata, type: 'payment' as const }
  const transaction = addTransaction(world, account, input)
  endTransaction(world, transaction, 'succeeded')
  one.transaction = transaction
  endPayment(world, one, 'succeeded')
}

export type Card = 'good' | 'declined' | 'poor'

/** Returns the page after the form was sent, and its status. */
export function payOnPage(world: World, one: Payment, card: Card): { status: number; to: string } {
  const state = pageOf(one)
  if (state !== 'form') return { status: 200, to: state === 'paid' ? 'already_paid' : state }
  if (card === 'good') {
    succeed(world, one)
    return { status: 303, to: 'paid' }
  }
  one.declines += 1
  if (one.declines >= max_declines) endPayment(world, one, 'failed')
  return { status: 200, to: pageOf(one) }
}

/** Returns the page that the link shows. */
export function pageOf(one: Payment): string {
  if (one.status === 'succeeded') return 'paid'
  if (one.status === 'failed') return 'failed'
  if (one.status === 'canceled') return isExpired(one) ? 'expired' : 'canceled'
  return one.account.status === 'active' ? 'form' : 'unavailable'
}

function isExpired({ created_at, updated_at }: Payment): boolean {
  return Date.parse(updated_at.known) >= Date.parse(created_at.known) + expires_after_ms
}

function find(
  request: ModelRequest,
  operation: 'read payments' | 'write payments' | 'settle',
  one: Payment | undefined,
): { row: Payment } | Outcome {
  const actor = authorize(request, operation)
  return 'status' in actor ? actor : visible(request, actor, one)
}

export function getPayment(world: World, request: ModelRequest, one: Payment | undefined): Outcome {
  const found = find(request, 'read payments', one)
  return 'status' in found ? found : { status: 200, body: showRefunded(world, found.row) }
}

export function getPaymentStatus(request: ModelRequest, one: Payment | undefined): Outcome {
  const found = find(request, 'read payments', one)
  if ('status' in found) return found
  const { id, status, amount, currency, reference, updated_at } = found.row
  return { status: 200, body: { id, status, amount, currency, reference, updated_at } }
}

export function cancelPayment(
  world: World,
  request: ModelRequest,
  one: Payment | undefined,
): Outcome {
  const found = find(request, 'write payments', one)
  if ('status' in found) return found
  if (found.row.status !== 'pending') return notCancellable()
  endPayment(world, found.row, 'canceled')
  return { status: 200, body: showPayment(found.row) }
}

export function sendPayment(request: ModelRequest, one: Payment | undefined): Outcome {
  const found = find(request, 'write payments', one)
  if ('status' in found) return found
  if (found.row.status !== 'pending') return conflict()
  if (found.row.account.status !== 'active') return badRequest()
  return { status: 200, body: showPayment(found.row) }
}

export function settlePayment(
  world: World,
  request: ModelRequest,
  one: Payment | undefined,
  outcome: 'succeeded' | 'failed',
): Outcome {
  const found = find(request, 'settle', one)
  if ('status' in found) return found
  const { row } = found
  if (row.status !== 'pending') return conflict()
  if (outcome === 'succeeded') succeed(world, row)
  else endPayment(world, row, 'failed')
  return { status: 200, body: showPayment(row) }
}

export function listPayments(
  world: World,
  request: ModelRequest,
  input: MoneyListInput<Payment>,
): Outcome {
  const actor = authorize(request, 'read payments')
  if ('status' in actor) return actor
  const acting = actingAccount(request, actor)
  if ('status' in acting) return acting
  const own = world.payments.filter(({ account }) => account === acting.account)
  const show = (one: Payment) => showRefunded(world, one)
  return page(own, input, show, ({ status }) => (input.status ?? status) === status)
}

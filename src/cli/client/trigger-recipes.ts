// The API requests that cause each event. The recipes are a Record, so an event type without a
// recipe does not compile.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Florin, FlorinError } from '../../../client/src/florin.ts'
import type { EventType } from '../../events/event-types.ts'
import { ApiFailure } from '../failures.ts'
import type { Api } from './api.ts'
import { cards, submitTestCard } from './sandbox-customer.ts'

export interface TriggerStep {
  method: string
  path: string
  /** The object that was created or changed. */
  id: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: the API defines the response body.
type ApiResponse = any

export class TriggerContext {
  readonly api: Api
  readonly florin: Florin
  readonly steps: TriggerStep[] = []
  readonly #onStep: (step: TriggerStep) => void
  /** The owner of the account whose events to read, if it is not the logged-in one. */
  watched: Florin | undefined
  #account: Promise<ApiResponse> | undefined

  constructor(api: Api, florin: Florin, onStep: (step: TriggerStep) => void) {
    this.api = api
    this.florin = florin
    this.#onStep = onStep
  }

  async do(
    method: string,
    path: string,
    body?: object,
    florin: Florin = this.florin,
  ): Promise<ApiResponse> {
    const response = JSON.parse((await florin.request(method, path, { body })).text)
    this.note({ method, path, id: response?.id ?? null })
    return response
  }

  note(step: TriggerStep): void {
    this.steps.push(step)
    this.#onStep(step)
  }

  account(): Promise<ApiResponse> {
    this.#account ??= this.florin.account.get()
    return this.#account
  }
}

type Recipe = (context: TriggerContext) => Promise<void>

const reference = 'florin trigger'

async function createTransaction(context: TriggerContext, metadata = {}): Promise<ApiResponse> {
  const { id, settings } = await context.account()
  const { currency } = settings
  const body = { account_id: id, amount: 7500, currency, type: 'payment', reference, metadata }
  return context.do('POST', '/v1/transactions', body)
}

async function createPayment(context: TriggerContext): Promise<ApiResponse> {
  const { id, settings } = await context.account()
  const { currency } = settings
  const customer_email = 'customer@example.com'
  const body = { account_id: id, amount: 7500, currency, customer_email, reference }
  return context.do('POST', '/v1/payments', body)
}

async function createSubscription(context: TriggerContext): Promise<ApiResponse> {
  const { settings } = await context.account()
  const { currency } = settings
  const customer_email = 'customer@example.com'
  const body = { customer_email, amount: 7500, currency, interval: 'year', reference }
  return context.do('POST', '/v1/subscriptions', body)
}

const newPassword = () => randomBytes(18).toString('base64url')
const newEmail = (who: string) => `${who}-${randomBytes(5).toString('hex')}@example.com`

function createMember(context: TriggerContext): Promise<ApiResponse> {
  const body = { email: newEmail('member'), password: newPassword(), name: 'Created by trigger' }
  return context.do('POST', '/v1/users', body)
}

/** Uses a new account, so that account.closed does not close the user's account. */
async function createAccount(context: TriggerContext): Promise<void> {
  context.watched = (await openAccount(context)).owner
}

async function openAccount(context: TriggerContext): Promise<{ id: string; owner: Florin }> {
  const login = { email: newEmail('account'), password: newPassword() }
  const body = { ...login, name: 'Created by trigger', type: 'business' }
  const owner = context.api.anonymous()
  const { id } = await context.do('POST', '/v1/accounts', body, owner)
  await owner.sessions.logIn(login)
  return { id, owner }
}

async function pay(context: TriggerContext): Promise<void> {
  const { id, payment_url } = await createPayment(context)
  if ((await submitTestCard(context.api, payment_url, cards.good)) === 'sent') {
    return context.note({ method: 'POST', path: '/pay/…', id })
  }
  await context.do('POST', `/v1/payments/${id}/settle`, { outcome: 'succeeded' })
}

/** Transfers money to a new account. */
async function transfer(context: TriggerContext): Promise<{ id: string; owner: Florin }> {
  await pay(context)
  const { id: to_account_id, owner } = await openAccount(context)
  const { settings } = await context.account()
  // A new account has the default currency.
  const body = { to_account_id, amount: 100, currency: settings.currency, reference }
  const { id } = await context.do('POST', '/v1/transfers', body)
  return { id, owner }
}

/** Closes the target. The worker may have credited it just before: then another is used. */
async function returnTransfer(context: TriggerContext): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { id, owner } = await transfer(context)
    await context.do('DELETE', '/v1/account', undefined, owner)
    for (let status = 'in_transit'; status === 'in_transit'; await sleep(250)) {
      status = (await context.do('GET', `/v1/transfers/${id}`)).status
      if (status === 'returned') return
    }
  }
}

/** Pays with a card whose charge is disputed at once, and returns the dispute. */
async function openDispute(context: TriggerContext): Promise<ApiResponse> {
  const { id, payment_url } = await createPayment(context)
  if ((await submitTestCard(context.api, payment_url, cards.disputed)) === 'no_form') {
    throw new ApiFailure({
      error: 'no_card_form',
      message: 'Only charges of sandbox cards can be disputed; this server takes no test cards.',
      next: 'FLORIN_PROCESSOR=sandbox florin start',
    })
  }
  context.note({ method: 'POST', path: '/pay/…', id })
  const { data } = await context.do('GET', '/v1/disputes?status=open&limit=1')
  return data[0]
}

async function resolveDispute(context: TriggerContext, status: string): Promise<void> {
  const { id } = await openDispute(context)
  await context.do('POST', `/v1/disputes/${id}/resolve`, { status })
}

// A payment request fails after ten declined cards.
async function declineTenCards(context: TriggerContext): Promise<void> {
  const { id, payment_url } = await createPayment(context)
  for (let n = 0; n < 10; n++) {
    if ((await submitTestCard(context.api, payment_url, cards.declined)) === 'no_form') break
    context.note({ method: 'POST', path: '/pay/…', id })
  }
}

/** Admins settle the transaction directly; for other callers the sandbox settles it later. */
async function failTransaction(context: TriggerContext): Promise<void> {
  const { id } = await createTransaction(context, { sandbox_outcome: 'failed' })
  try {
    await context.do('POST', `/v1/transactions/${id}/settle`, { outcome: 'failed' })
  } catch (error) {
    if (!(error instanceof FlorinError) || error.status !== 401) throw error
  }
}

/** Changes the language and restores it: an update without a change emits no event. */
async function changeAccount(context: TriggerContext): Promise<void> {
  const { settings } = await context.account()
  const language = settings.language === 'en' ? 'de' : 'en'
  await context.do('PATCH', '/v1/account', { settings: { language } })
  await context.do('PATCH', '/v1/account', { settings: { language: settings.language } })
}

function createLink(context: TriggerContext): Promise<ApiResponse> {
  return context.do('POST', '/v1/payment_links', { title: reference, amount: 7_500 })
}

/** Of money that has just become available, because a payout holds it. */
async function createPayout(context: TriggerContext): Promise<ApiResponse> {
  await pay(context)
  const { name } = await context.account()
  const destination = { name, iban: 'DE89370400440532013000' }
  await context.do('PATCH', '/v1/account/payout_destination', destination)
  return context.do('POST', '/v1/payouts', { amount: 1, reference })
}

/** The rest of a payout needs two people. */
async function needsApprover(): Promise<void> {
  throw new ApiFailure({
    error: 'needs_approver',
    message:
      'An admin or a platform user who did not create a payout approves and exports it, so one ' +
      'login cannot cause this event.',
    next: 'florin trigger payout.created',
  })
}

/** Revokes the key immediately, because no one uses it. */
async function createAndRevokeKey(context: TriggerContext): Promise<void> {
  const body = { name: 'Created by trigger', scopes: ['events:read'] }
  const { id } = await context.do('POST', '/v1/api_keys', body)
  await context.do('DELETE', `/v1/api_keys/${id}`)
}

export const recipes: Record<EventType, Recipe> = {
  'user.created': async (context) => void (await createMember(context)),
  'user.updated': async (context) => {
    const { id } = await createMember(context)
    await context.do('PATCH', `/v1/users/${id}`, { name: 'Changed by trigger' })
  },
  'user.deleted': async (context) => {
    const { id } = await createMember(context)
    await context.do('DELETE', `/v1/users/${id}`)
  },
  'account.created': createAccount,
  'account.updated': changeAccount,
  'account.closed': async (context) => {
    await createAccount(context)
    await context.do('DELETE', '/v1/account', undefined, context.watched)
  },
  'transaction.created': async (context) => void (await createTransaction(context)),
  'transaction.updated': async (context) => {
    const { id } = await createTransaction(context)
    await context.do('PATCH', `/v1/transactions/${id}`, { reference: `${reference}, changed` })
  },
  // A card payment is the only transaction that succeeds immediately without an admin.
  'transaction.succeeded': pay,
  'transaction.failed': failTransaction,
  'transaction.canceled': async (context) => {
    const { id } = await createTransaction(context)
    await context.do('DELETE', `/v1/transactions/${id}`)
  },
  'payment.created': async (context) => void (await createPayment(context)),
  'payment.succeeded': pay,
  'payment.failed': declineTenCards,
  'payment.canceled': async (context) => {
    const { id } = await createPayment(context)
    await context.do('POST', `/v1/payments/${id}/cancel`)
  },
  'payment_link.created': async (context) => void (await createLink(context)),
  'payment_link.updated': async (context) => {
    const { id } = await createLink(context)
    await context.do('PATCH', `/v1/payment_links/${id}`, { active: false })
  },
  'subscription.created': async (context) => void (await createSubscription(context)),
  'subscription.updated': async (context) => {
    const { id } = await createSubscription(context)
    await context.do('PATCH', `/v1/subscriptions/${id}`, { status: 'paused' })
  },
  'subscription.canceled': async (context) => {
    const { id } = await createSubscription(context)
    await context.do('DELETE', `/v1/subscriptions/${id}`)
  },
  'dispute.created': async (context) => void (await openDispute(context)),
  'dispute.updated': (context) => resolveDispute(context, 'under_review'),
  'dispute.won': (context) => resolveDispute(context, 'won'),
  'dispute.lost': (context) => resolveDispute(context, 'lost'),
  'transfer.created': async (context) => void (await transfer(context)),
  'transfer.completed': async (context) => void (await transfer(context)),
  'transfer.returned': returnTransfer,
  'transfer.received': async (context) => {
    context.watched = (await transfer(context)).owner
  },
  'payout.created': async (context) => void (await createPayout(context)),
  'payout.canceled': async (context) => {
    const { id } = await createPayout(context)
    await context.do('POST', `/v1/payouts/${id}/cancel`)
  },
  'payout.approved': needsApprover,
  'payout.in_transit': needsApprover,
  'payout.paid': needsApprover,
  'payout.failed': needsApprover,
  'payout.returned': needsApprover,
  'api_key.created': createAndRevokeKey,
  'api_key.revoked': createAndRevokeKey,
}

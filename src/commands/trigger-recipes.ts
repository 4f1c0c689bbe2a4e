// What to do so that an event happens: real requests, each as anybody could send it. A record, so
// that an event without a recipe does not compile.

import { randomBytes } from 'node:crypto'
import type { EventType } from '../events/event-types.ts'
import type { Api, RequestOptions } from './api.ts'
import { ApiFailure } from './failures.ts'
import { cards, submitTestCard } from './sandbox-customer.ts'

export interface TriggerStep {
  method: string
  path: string
  /** What was made or changed. */
  id: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is the API's to say.
type ApiResponse = any

export class TriggerContext {
  readonly api: Api
  readonly steps: TriggerStep[] = []
  readonly #onStep: (step: TriggerStep) => void
  /** Whose events to look at, when it is not the account of whoever is logged in. */
  watched: { token: string } | undefined
  #account: Promise<ApiResponse> | undefined

  constructor(api: Api, onStep: (step: TriggerStep) => void) {
    this.api = api
    this.#onStep = onStep
  }

  async do(
    method: string,
    path: string,
    body?: unknown,
    more: RequestOptions = {},
  ): Promise<ApiResponse> {
    const sent = body === undefined ? more : { ...more, body }
    const response = await this.api.request(method, path, sent)
    this.note({ method, path, id: response?.id ?? null })
    return response
  }

  note(step: TriggerStep): void {
    this.steps.push(step)
    this.#onStep(step)
  }

  account(): Promise<ApiResponse> {
    this.#account ??= this.api.request('GET', '/v1/account')
    return this.#account
  }
}

export type Recipe = (context: TriggerContext) => Promise<void>

const reference = 'florin trigger'

async function makeTransaction(context: TriggerContext, metadata = {}): Promise<ApiResponse> {
  const { id, settings } = await context.account()
  const { currency } = settings
  const body = { account_id: id, amount: 7500, currency, type: 'payment', reference, metadata }
  return context.do('POST', '/v1/transactions', body)
}

async function makePayment(context: TriggerContext): Promise<ApiResponse> {
  const { id, settings } = await context.account()
  const { currency } = settings
  const customer_email = 'customer@example.com'
  const body = { account_id: id, amount: 7500, currency, customer_email, reference }
  return context.do('POST', '/v1/payments', body)
}

async function makeSubscription(context: TriggerContext): Promise<ApiResponse> {
  const { settings } = await context.account()
  const { currency } = settings
  const customer_email = 'customer@example.com'
  const body = { customer_email, amount: 7500, currency, interval: 'year', reference }
  return context.do('POST', '/v1/subscriptions', body)
}

const newPassword = () => randomBytes(18).toString('base64url')
const newEmail = (who: string) => `${who}-${randomBytes(5).toString('hex')}@example.com`

function makeMember(context: TriggerContext): Promise<ApiResponse> {
  const body = { email: newEmail('member'), password: newPassword(), name: 'Made by trigger' }
  return context.do('POST', '/v1/users', body)
}

/** A new account, since nobody wants the own one closed. Its events are its own. */
async function openAccount(context: TriggerContext): Promise<void> {
  const login = { email: newEmail('account'), password: newPassword() }
  const body = { ...login, name: 'Made by trigger', type: 'business' }
  await context.do('POST', '/v1/accounts', body, { anonymous: true })
  const path = '/v1/auth/login'
  const { access_token } = await context.api.request('POST', path, { body: login, anonymous: true })
  context.watched = { token: access_token }
}

async function pay(context: TriggerContext): Promise<void> {
  const { id, payment_url } = await makePayment(context)
  if ((await submitTestCard(context.api, payment_url, cards.good)) === 'sent') {
    return context.note({ method: 'POST', path: '/pay/…', id })
  }
  await context.do('POST', `/v1/payments/${id}/settle`, { outcome: 'succeeded' })
}

// After ten declined cards a request has failed.
async function declineTen(context: TriggerContext): Promise<void> {
  const { id, payment_url } = await makePayment(context)
  for (let n = 0; n < 10; n++) {
    if ((await submitTestCard(context.api, payment_url, cards.declined)) === 'no_form') break
    context.note({ method: 'POST', path: '/pay/…', id })
  }
}

/** Whoever runs the service settles; for everybody else the sandbox does, in its own time. */
async function failTransaction(context: TriggerContext): Promise<void> {
  const { id } = await makeTransaction(context, { sandbox_outcome: 'failed' })
  try {
    await context.do('POST', `/v1/transactions/${id}/settle`, { outcome: 'failed' })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.failure.status !== 401) throw error
  }
}

/** There and back: an update that changes nothing is none. */
async function changeAccount(context: TriggerContext): Promise<void> {
  const { settings } = await context.account()
  const language = settings.language === 'en' ? 'de' : 'en'
  await context.do('PATCH', '/v1/account', { settings: { language } })
  await context.do('PATCH', '/v1/account', { settings: { language: settings.language } })
}

/** Revoked at once: a key that nobody has seen is of no use to anybody but a thief. */
async function makeAndRevokeKey(context: TriggerContext): Promise<void> {
  const body = { name: 'Made by trigger', scopes: ['events:read'] }
  const { id } = await context.do('POST', '/v1/api_keys', body)
  await context.do('DELETE', `/v1/api_keys/${id}`)
}

export const recipes: Record<EventType, Recipe> = {
  'user.created': async (context) => void (await makeMember(context)),
  'user.updated': async (context) => {
    const { id } = await makeMember(context)
    await context.do('PATCH', `/v1/users/${id}`, { name: 'Changed by trigger' })
  },
  'user.deleted': async (context) => {
    const { id } = await makeMember(context)
    await context.do('DELETE', `/v1/users/${id}`)
  },
  'account.created': openAccount,
  'account.updated': changeAccount,
  'account.closed': async (context) => {
    await openAccount(context)
    await context.do('DELETE', '/v1/account', undefined, context.watched)
  },
  'transaction.created': async (context) => void (await makeTransaction(context)),
  'transaction.updated': async (context) => {
    const { id } = await makeTransaction(context)
    await context.do('PATCH', `/v1/transactions/${id}`, { reference: `${reference}, changed` })
  },
  // Of a payment by card: the only one that succeeds at once without an admin.
  'transaction.succeeded': pay,
  'transaction.failed': failTransaction,
  'transaction.canceled': async (context) => {
    const { id } = await makeTransaction(context)
    await context.do('DELETE', `/v1/transactions/${id}`)
  },
  'payment.created': async (context) => void (await makePayment(context)),
  'payment.succeeded': pay,
  'payment.failed': declineTen,
  'payment.canceled': async (context) => {
    const { id } = await makePayment(context)
    await context.do('POST', `/v1/payments/${id}/cancel`)
  },
  'subscription.created': async (context) => void (await makeSubscription(context)),
  'subscription.updated': async (context) => {
    const { id } = await makeSubscription(context)
    await context.do('PATCH', `/v1/subscriptions/${id}`, { status: 'paused' })
  },
  'subscription.canceled': async (context) => {
    const { id } = await makeSubscription(context)
    await context.do('DELETE', `/v1/subscriptions/${id}`)
  },
  'api_key.created': makeAndRevokeKey,
  'api_key.revoked': makeAndRevokeKey,
}

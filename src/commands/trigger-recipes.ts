// What to do so that an event happens: real requests, each as anybody could send it. A record, so
// that an event without a recipe does not compile.

import { randomBytes } from 'node:crypto'
import type { EventType } from '../events/event-types.ts'
import type { Api, RequestOptions } from './api.ts'
import { ApiFailure } from './failures.ts'
import { cards, submitTestCard } from './sandbox-customer.ts'

export interface Step {
  method: string
  path: string
  /** What was made or changed. */
  id: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is the API's to say.
type ApiResponse = any

export class Stage {
  readonly api: Api
  readonly steps: Step[] = []
  readonly #onStep: (step: Step) => void
  /** Whose events to look at, when it is not the account of whoever is logged in. */
  watched: { token: string } | undefined
  #account: Promise<ApiResponse> | undefined

  constructor(api: Api, onStep: (step: Step) => void) {
    this.api = api
    this.#onStep = onStep
  }

  async do(method: string, path: string, body?: unknown, more: RequestOptions = {}): Promise<ApiResponse> {
    const sent = body === undefined ? more : { ...more, body }
    const answer = await this.api.request(method, path, sent)
    this.note({ method, path, id: answer?.id ?? null })
    return answer
  }

  note(step: Step): void {
    this.steps.push(step)
    this.#onStep(step)
  }

  account(): Promise<ApiResponse> {
    this.#account ??= this.api.request('GET', '/v1/account')
    return this.#account
  }
}

export type Recipe = (stage: Stage) => Promise<void>

const reference = 'florin trigger'

async function makeTransaction(stage: Stage, metadata = {}): Promise<ApiResponse> {
  const { id, settings } = await stage.account()
  const { currency } = settings
  const body = { account_id: id, amount: 7500, currency, type: 'payment', reference, metadata }
  return stage.do('POST', '/v1/transactions', body)
}

async function makePayment(stage: Stage): Promise<ApiResponse> {
  const { id, settings } = await stage.account()
  const { currency } = settings
  const customer_email = 'customer@example.com'
  const body = { account_id: id, amount: 7500, currency, customer_email, reference }
  return stage.do('POST', '/v1/payments', body)
}

async function makeSubscription(stage: Stage): Promise<ApiResponse> {
  const { settings } = await stage.account()
  const { currency } = settings
  const customer_email = 'customer@example.com'
  const body = { customer_email, amount: 7500, currency, interval: 'year', reference }
  return stage.do('POST', '/v1/subscriptions', body)
}

const newPassword = () => randomBytes(18).toString('base64url')
const newEmail = (who: string) => `${who}-${randomBytes(5).toString('hex')}@example.com`

function makeMember(stage: Stage): Promise<ApiResponse> {
  const body = { email: newEmail('member'), password: newPassword(), name: 'Made by trigger' }
  return stage.do('POST', '/v1/users', body)
}

/** A new account, since nobody wants the own one closed. Its events are its own. */
async function openAccount(stage: Stage): Promise<void> {
  const login = { email: newEmail('account'), password: newPassword() }
  const body = { ...login, name: 'Made by trigger', type: 'business' }
  await stage.do('POST', '/v1/accounts', body, { anonymous: true })
  const path = '/v1/auth/login'
  const { access_token } = await stage.api.request('POST', path, { body: login, anonymous: true })
  stage.watched = { token: access_token }
}

async function pay(stage: Stage): Promise<void> {
  const { id, payment_url } = await makePayment(stage)
  if ((await submitTestCard(stage.api, payment_url, cards.good)) === 'sent') {
    return stage.note({ method: 'POST', path: '/pay/…', id })
  }
  await stage.do('POST', `/v1/payments/${id}/settle`, { outcome: 'succeeded' })
}

// After ten declined cards a request has failed.
async function declineTen(stage: Stage): Promise<void> {
  const { id, payment_url } = await makePayment(stage)
  for (let n = 0; n < 10; n++) {
    if ((await submitTestCard(stage.api, payment_url, cards.declined)) === 'no_form') break
    stage.note({ method: 'POST', path: '/pay/…', id })
  }
}

/** Whoever runs the service settles; for everybody else the sandbox does, in its own time. */
async function failTransaction(stage: Stage): Promise<void> {
  const { id } = await makeTransaction(stage, { sandbox_outcome: 'failed' })
  try {
    await stage.do('POST', `/v1/transactions/${id}/settle`, { outcome: 'failed' })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.failure.status !== 401) throw error
  }
}

/** There and back: an update that changes nothing is none. */
async function changeAccount(stage: Stage): Promise<void> {
  const { settings } = await stage.account()
  const language = settings.language === 'en' ? 'de' : 'en'
  await stage.do('PATCH', '/v1/account', { settings: { language } })
  await stage.do('PATCH', '/v1/account', { settings: { language: settings.language } })
}

/** Revoked at once: a key that nobody has seen is of no use to anybody but a thief. */
async function makeAndRevokeKey(stage: Stage): Promise<void> {
  const body = { name: 'Made by trigger', scopes: ['events:read'] }
  const { id } = await stage.do('POST', '/v1/api_keys', body)
  await stage.do('DELETE', `/v1/api_keys/${id}`)
}

export const recipes: Record<EventType, Recipe> = {
  'user.created': async (stage) => void (await makeMember(stage)),
  'user.updated': async (stage) => {
    const { id } = await makeMember(stage)
    await stage.do('PATCH', `/v1/users/${id}`, { name: 'Changed by trigger' })
  },
  'user.deleted': async (stage) => {
    const { id } = await makeMember(stage)
    await stage.do('DELETE', `/v1/users/${id}`)
  },
  'account.created': openAccount,
  'account.updated': changeAccount,
  'account.closed': async (stage) => {
    await openAccount(stage)
    await stage.do('DELETE', '/v1/account', undefined, stage.watched)
  },
  'transaction.created': async (stage) => void (await makeTransaction(stage)),
  'transaction.updated': async (stage) => {
    const { id } = await makeTransaction(stage)
    await stage.do('PATCH', `/v1/transactions/${id}`, { reference: `${reference}, changed` })
  },
  // Of a payment by card: the only one that succeeds at once without an admin.
  'transaction.succeeded': pay,
  'transaction.failed': failTransaction,
  'transaction.canceled': async (stage) => {
    const { id } = await makeTransaction(stage)
    await stage.do('DELETE', `/v1/transactions/${id}`)
  },
  'payment.created': async (stage) => void (await makePayment(stage)),
  'payment.succeeded': pay,
  'payment.failed': declineTen,
  'payment.canceled': async (stage) => {
    const { id } = await makePayment(stage)
    await stage.do('POST', `/v1/payments/${id}/cancel`)
  },
  'subscription.created': async (stage) => void (await makeSubscription(stage)),
  'subscription.updated': async (stage) => {
    const { id } = await makeSubscription(stage)
    await stage.do('PATCH', `/v1/subscriptions/${id}`, { status: 'paused' })
  },
  'subscription.canceled': async (stage) => {
    const { id } = await makeSubscription(stage)
    await stage.do('DELETE', `/v1/subscriptions/${id}`)
  },
  'api_key.created': makeAndRevokeKey,
  'api_key.revoked': makeAndRevokeKey,
}

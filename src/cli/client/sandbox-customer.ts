// A customer for `florin trigger`: loads the payment page and submits its form, like a browser
// without JavaScript. Requests go to the CLI's server, not to the public URL in the payment link.

import { FlorinError } from '../../../client/src/florin.ts'
import { ApiFailure } from '../failures.ts'
import type { Api } from './api.ts'

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  disputed: '4000000000000259',
} as const

type CardFormResult = 'sent' | 'no_form'

/** Submits a test card, if the payment page has a form. */
export async function submitTestCard(
  api: Api,
  payment_url: string,
  card: string,
): Promise<CardFormResult> {
  // Drops a path prefix of the public URL: the CLI's server may not have it.
  const path = /\/pay\/[^/]+$/.exec(new URL(payment_url).pathname)![0]
  const page = await visit(api, path)
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1]
  if (form_token === undefined) return 'no_form'
  const body = new URLSearchParams({ form_token, card })
  await visit(api, path, { method: 'POST', body })
  return 'sent'
}

async function visit(api: Api, path: string, init: RequestInit = {}): Promise<string> {
  const { status, text } = await load(api.url + path, init).catch((cause) => {
    throw new FlorinError('connection_failed', 'The payment page cannot be reached.', { cause })
  })
  if (status < 400 || init.method === undefined) return text
  throw new ApiFailure({
    error: 'payment_page_refused',
    message: `The payment page returned status ${status}.`,
    next: 'florin logs tail',
    status,
  })
}

async function load(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

/** Only the OpenAPI document of a sandbox contains the endpoint that advances the clock. */
export async function requireSandbox(api: Api): Promise<void> {
  const { text } = await api.anonymous().request('GET', '/openapi.json')
  if ('/v1/sandbox/clock/advance' in JSON.parse(text).paths) return
  throw new ApiFailure({
    error: 'not_a_sandbox',
    message: `${api.url} is in live mode. Events can be triggered only in a sandbox.`,
    next: 'florin login --server URL_OF_A_SANDBOX',
  })
}

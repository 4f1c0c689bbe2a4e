// A customer for `florin trigger`: opens the payment page and pays, as a browser without scripts
// would. The page is asked for at the server that is talked to, whatever its public name is.

import type { Api } from './api.ts'
import { ApiFailure } from './failures.ts'
import { unreachable } from './lost-response.ts'

export const cards = { good: '4242424242424242', declined: '4000000000000002' } as const

export type CardFormResult = 'sent' | 'no_form'

/** Whether the page had a form to send. */
export async function submitTestCard(
  api: Api,
  payment_url: string,
  card: string,
): Promise<CardFormResult> {
  // A public address may have a path of its own, which the server that is talked to has or has not.
  const path = /\/pay\/[^/]+$/.exec(new URL(payment_url).pathname)![0]
  const page = await visit(api, path)
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1]
  if (form_token === undefined) return 'no_form'
  const body = new URLSearchParams({ form_token, card })
  await visit(api, path, { method: 'POST', body })
  return 'sent'
}

async function visit(api: Api, path: string, init: RequestInit = {}): Promise<string> {
  const { status, text } = await load(api.url + path, init).catch((error) => {
    throw unreachable(api.url, error)
  })
  if (status < 400 || init.method === undefined) return text
  throw new ApiFailure({
    error: 'payment_page_refused',
    message: `The payment page answered ${status}.`,
    next: 'florin logs tail',
    status,
  })
}

async function load(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { ...init, redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}

/** Only a sandbox has a clock to advance, and says so in its description. */
export async function requireSandbox(api: Api): Promise<void> {
  const { paths } = await api.request('GET', '/openapi.json', { anonymous: true })
  if ('/v1/sandbox/clock/advance' in paths) return
  throw new ApiFailure({
    error: 'not_a_sandbox',
    message: `${api.url} is live, and what trigger makes would be real there.`,
    next: 'florin login --server with the address of a sandbox',
  })
}

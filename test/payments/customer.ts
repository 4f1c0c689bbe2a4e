// A customer without JavaScript: opens the link and submits the form.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { recordSecret } from '../support/secrets.ts'

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  poor: '4000 0000 0000 9995',
  confirmed: '4000 0027 6000 3184',
  disputed: '4000 0000 0000 0259',
  error: '4000 0000 0000 0119',
}

/** A plausible card number. The last test of the run searches for it everywhere. */
export function realCard(): string {
  return recordSecret(`51${String(randomInt(1e14)).padStart(14, '0')}`)
}

export interface PageResponse {
  status: number
  headers: Headers
  text: string
  /** The `data-state` of the page. */
  state: string | undefined
}

export class Customer {
  readonly #url: string
  readonly path: string

  /** The link has the public URL; the page is requested from `url`. */
  constructor(url: string, payment_url: string) {
    this.#url = url
    this.path = payment_url.slice(payment_url.lastIndexOf('/pay/'))
  }

  async open(
    method = 'GET',
    headers: Record<string, string> = {},
    query = '',
  ): Promise<PageResponse> {
    const url = this.#url + this.path + query
    return read(await fetch(url, { method, headers, redirect: 'manual' }))
  }

  /** Opens the page and submits its form. */
  async pay(number: string, more: Record<string, string> = {}): Promise<PageResponse> {
    const page = await this.open()
    assert.equal(page.state, 'form', page.text)
    return this.send({
      ...hiddenFields(page.text),
      number,
      expires: '12 / 80',
      csc: '123',
      ...more,
    })
  }

  async send(
    fields: Record<string, string>,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<PageResponse> {
    const body = new URLSearchParams(fields)
    const request = { method: 'POST', body, headers, redirect: 'manual' } as const
    return read(await fetch(this.#url + this.path + query, request))
  }
}

async function read(response: Response): Promise<PageResponse> {
  const text = await response.text()
  const state = /<body data-state="([a-z_]+)"/.exec(text)?.[1]
  return { status: response.status, headers: response.headers, text, state }
}

export function hiddenFields(text: string): Record<string, string> {
  const form = /<form method="post"[\s\S]*?<\/form>/.exec(text)?.[0] ?? ''
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name!, value!]))
}

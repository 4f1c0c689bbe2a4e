// Parses the submitted form of a reusable payment link.

import { hash } from 'node:crypto'
import { isEmail } from '../primitives/email-address.ts'
import { parseAmount } from '../primitives/typed-amount.ts'
import type { LinkFacts } from './link-page.ts'

interface LinkFormResult {
  values: { email: string; amount: string }
  /** Undefined if the form is complete. */
  faults: { email: boolean; amount: boolean } | undefined
  /** Zero if it is not valid. */
  amount: number
  /** Identifies the form and its content. Undefined if the form was not made by the page. */
  form_key: string | undefined
}

// The longest email address.
const text_length_max = 254

const formIdShape = /^[A-Za-z0-9_-]{43}$/

export function readLinkForm(
  body: unknown,
  facts: LinkFacts,
  locale: string,
  slug: string,
): LinkFormResult {
  const email = readText(body, 'email')
  const typed = readText(body, 'amount')
  const amount = facts.amount ?? readAmount(typed, facts, locale)
  const faults = { email: !isEmail(email), amount: amount === undefined }
  const form_id = readText(body, 'form_id')
  const content = JSON.stringify([slug, form_id, email, amount ?? 0])
  return {
    values: { email, amount: typed },
    faults: faults.email || faults.amount ? faults : undefined,
    amount: amount ?? 0,
    form_key: formIdShape.test(form_id) ? hash('sha256', content, 'base64url') : undefined,
  }
}

function readAmount(
  text: string,
  { currency, amount_min, amount_max }: LinkFacts,
  locale: string,
): number | undefined {
  const amount = parseAmount(text, currency, locale)
  if (amount === undefined || amount_min === null || amount_max === null) return undefined
  return amount >= amount_min && amount <= amount_max ? amount : undefined
}

function readText(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' && value.length <= text_length_max ? value.trim() : ''
}

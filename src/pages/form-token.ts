// The token in the card form: proof that the form came from a page of ours, for browsers that do
// not say so themselves. It is made from the secret in the link, so every process knows it and
// nothing is stored; whoever does not have the link cannot make one.

import { createHmac, timingSafeEqual } from 'node:crypto'

// A page that was left open over night still works; one of last week is asked to look again.
const good_for_ms = 24 * 3_600_000

/** `now_ms` is real time. */
export function makeFormToken(link_token: string, now_ms: number): string {
  const made = now_ms.toString(36)
  return `${made}.${sign(link_token, made)}`
}

export function isFormToken(link_token: string, text: string, now_ms: number): boolean {
  const [made = '', signature = ''] = text.split('.', 2)
  const age_ms = now_ms - Number.parseInt(made, 36)
  if (!(age_ms >= 0 && age_ms <= good_for_ms)) return false
  const expected = Buffer.from(sign(link_token, made))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign(link_token: string, made: string): string {
  return createHmac('sha256', link_token).update(`card form ${made}`).digest('base64url')
}

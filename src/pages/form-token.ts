// The CSRF token of the card form, for browsers that do not send Sec-Fetch-Site. It is an HMAC
// keyed with the link's secret, so any process can verify it without stored state, and it cannot be
// forged without the link.

import { createHmac, timingSafeEqual } from 'node:crypto'

// Long enough for a page that was left open overnight.
const lifetime_ms = 24 * 3_600_000

/** `now_ms` is real time. */
export function makeFormToken(link_token: string, now_ms: number): string {
  const created = now_ms.toString(36)
  return `${created}.${sign(link_token, created)}`
}

export function isFormToken(link_token: string, text: string, now_ms: number): boolean {
  const [created = '', signature = ''] = text.split('.', 2)
  const age_ms = now_ms - Number.parseInt(created, 36)
  if (!(age_ms >= 0 && age_ms <= lifetime_ms)) return false
  const expected = Buffer.from(sign(link_token, created))
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function sign(link_token: string, created: string): string {
  return createHmac('sha256', link_token).update(`card form ${created}`).digest('base64url')
}

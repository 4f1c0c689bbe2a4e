// The headers that keep what is behind a payment link safe, whatever it answers.

import assert from 'node:assert/strict'
import { paymentPagePolicy } from '../../src/pages/payment-assets.ts'
import type { PageResponse } from './customer.ts'

/** Of every page: nothing of it is framed, kept, indexed or told to others. */
export function assertSafe(page: PageResponse): void {
  const policy = assertSafeResponse(page)
  assert.ok(policy.includes("form-action 'self'"), policy)
  // A page without a state is an error that every page has, with a policy that allows still less.
  if (page.state === undefined) assert.ok(!policy.includes('script-src'), policy)
  else assert.equal(policy, paymentPagePolicy)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
}

/** Of every answer, a page or not. Returns its policy. */
export function assertSafeResponse({ headers }: PageResponse): string {
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(rule), policy)
  }
  assert.ok(!policy.includes('unsafe'), policy)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  return policy
}

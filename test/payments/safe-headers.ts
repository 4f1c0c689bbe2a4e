// Assertions for the security headers of the payment page.

import assert from 'node:assert/strict'
import { paymentPagePolicy } from '../../src/pages/payment-assets.ts'
import type { PageResponse } from './customer.ts'

/** Every page forbids framing, caching, indexing and referrers. */
export function assertSafe(page: PageResponse): void {
  const policy = assertSafeResponse(page)
  assert.ok(policy.includes("form-action 'self'"), policy)
  // A page without a state is a generic error page, whose policy is stricter.
  if (page.state === undefined) assert.ok(!policy.includes('script-src'), policy)
  else assert.equal(policy, paymentPagePolicy)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
}

/** For every response, including redirects. Returns its Content-Security-Policy. */
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

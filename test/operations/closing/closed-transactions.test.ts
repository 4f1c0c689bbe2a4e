// A closed account is read-only: its transactions cannot change, and account.closed is its last
// event.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPaymentFixtures } from '../../payments/payment-fixtures.ts'
import type { ApiResponse, CallOptions } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { holdLock, type Shop, waitForWaiters } from '../../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)
const callers = { admin: fixtures.admin, platform: await florin.people.platform() }

async function close(shop: Shop): Promise<void> {
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
}

const closed_message = 'This transaction belongs to a closed account and is read-only.'

/** With and without the Florin-Account header. */
const headersOf = (shop: Shop): Record<string, string>[] => [
  {},
  { 'florin-account': shop.account_id },
]

function expectRefusal({ status, body, text }: ApiResponse, error: string): void {
  assert.deepEqual([status, body.error], [409, error], text)
}

for (const [role, caller] of Object.entries(callers)) {
  test(`${role}: a transaction of a closed account cannot be changed`, async () => {
    const shop = await fixtures.shop()
    const settled = await fixtures.fund(shop, 100, { reference: 'as it was' })
    const canceled = await fixtures.pending(shop)
    await close(shop)
    const events = await fixtures.eventTypes(shop)
    assert.equal(events.at(-1), 'account.closed')
    const bodies = [
      { reference: 'x' },
      { metadata: { a: 1 } },
      { reference: 'as it was' },
      { amount: 1 },
    ]
    for (const headers of headersOf(shop)) {
      for (const id of [settled, canceled]) {
        for (const body of bodies) {
          const patch = () => fixtures.patch(caller, id, body, { headers })
          const refused = await assertNoChanges(florin.db.pool, patch)
          assert.deepEqual([refused.status, refused.body.error], [404, 'not_found'], refused.text)
          assert.equal(refused.body.message, closed_message)
        }
      }
    }
    assert.deepEqual(await fixtures.eventTypes(shop), events)
    assert.equal((await fixtures.get(caller, settled)).body.reference, 'as it was')
  })

  test(`${role}: ending rows of a closed account again returns 409`, async () => {
    const shop = await fixtures.shop()
    const settled = await fixtures.fund(shop, 100)
    const canceled = await fixtures.pending(shop)
    const request = await fixtures.request(shop)
    await close(shop)
    const events = await fixtures.eventTypes(shop)
    for (const headers of headersOf(shop)) {
      const options: CallOptions = { token: caller.token, headers }
      for (const id of [settled, canceled]) {
        expectRefusal(await fixtures.cancel(caller, id, options), 'not_cancellable')
        expectRefusal(await fixtures.settle(id, 'succeeded', options), 'conflict')
      }
      expectRefusal(await fixtures.cancelPayment(caller, request, options), 'not_cancellable')
      expectRefusal(await fixtures.resend(caller, request, options), 'conflict')
      expectRefusal(await fixtures.settlePayment(request, 'succeeded', options), 'conflict')
    }
    assert.deepEqual(await fixtures.eventTypes(shop), events)
  })
}

test('a change from before the closing is replayed under its key', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.fund(shop, 100)
  const headers = { 'idempotency-key': 'before it closed' }
  const first = await fixtures.patch(fixtures.admin, id, { reference: 'x' }, { headers })
  assert.equal(first.status, 200, first.text)
  await close(shop)
  const events = await fixtures.eventTypes(shop)
  const again = await fixtures.patch(fixtures.admin, id, { reference: 'x' }, { headers })
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await fixtures.eventTypes(shop), events)
})

test('a change that waits while the account is closed is rejected', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.fund(shop, 100)
  const release = await holdLock(florin, shop)
  const closing = close(shop)
  await waitForWaiters(florin)
  const changing = fixtures.patch(fixtures.admin, id, { reference: 'x' })
  await waitForWaiters(florin, 2)
  await release()
  await closing
  assert.equal((await changing).status, 404)
  assert.equal((await fixtures.eventTypes(shop)).at(-1), 'account.closed')
})

test('the API reference documents the errors for a closed account', async () => {
  const { paths } = (await florin.call('GET', '/openapi.json')).body
  const { patch, delete: cancel } = paths['/v1/transactions/{transaction_id}']
  const { post: settle } = paths['/v1/transactions/{transaction_id}/settle']
  assert.match(patch.responses['404'].description, /, or its account is closed\.$/)
  for (const { responses } of [cancel, settle]) {
    assert.match(responses['409'].description, /no longer pending, or its account is closed/)
  }
})

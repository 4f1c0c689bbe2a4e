// Payments and token lookups use a reserved connection pool, so they never wait for connections
// that other requests occupy.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

test('payments succeed while all other connections are in use', async () => {
  const owner = await florin.people.owner()
  const { token, account_id } = owner
  const { pool } = florin.db
  const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
  try {
    const money = { account_id, amount: 5, currency: 'USD' }
    const paid = await florin.call('POST', '/v1/transactions', {
      token,
      body: { ...money, type: 'payment' },
    })
    assert.equal(paid.status, 201, paid.text)
    const requested = await florin.call('POST', '/v1/payments', {
      token,
      body: { ...money, customer_email: 'customer@example.com' },
    })
    assert.equal(requested.status, 201, requested.text)
    const plan = await florin.call('POST', '/v1/subscriptions', {
      token,
      body: {
        amount: 5,
        currency: 'USD',
        customer_email: 'customer@example.com',
        interval: 'month',
      },
    })
    assert.equal(plan.status, 201, plan.text)
    const unknown = await florin.call('GET', '/v1/account', { token: 'fat_unknown' })
    assert.equal(unknown.status, 401)
  } finally {
    for (const client of taken) client.release()
  }
})

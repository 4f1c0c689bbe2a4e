// Payments and the look-up of tokens have clients of the database to themselves: whatever others do
// with theirs, nobody's payment waits for one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

test('while every other client is taken, payments are made', async () => {
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
    const asked = await florin.call('POST', '/v1/payments', {
      token,
      body: { ...money, customer_email: 'customer@example.com' },
    })
    assert.equal(asked.status, 201, asked.text)
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
    const nobody = await florin.call('GET', '/v1/account', { token: 'fat_nobody' })
    assert.equal(nobody.status, 401)
  } finally {
    for (const client of taken) client.release()
  }
})

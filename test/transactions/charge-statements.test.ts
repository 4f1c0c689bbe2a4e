// The statements of a create request: charges are read only for linked refunds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { startProxy } from '../support/proxy.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const statements: string[] = []
const proxy = await startProxy(florin.connection)
proxy.onStatement = (text) => statements.push(text)
const server = await florin.startSecondServer({}, proxy.connection)

const aboutCharges = (text: string) => /\b(charges|provider_refunds)\b/.test(text)

test('only linked refunds read charges', async () => {
  const shop = await fixtures.shop(1_000)
  const payment_id = await fixtures.fund(shop, 500)
  const create = async (body: object) => {
    statements.length = 0
    const response = await fixtures.create(shop, body, { call: server.call })
    assert.equal(response.status, 201, response.text)
    return statements.filter(aboutCharges).length
  }
  assert.equal(await create({}), 0)
  assert.equal(await create({ type: 'credit' }), 0)
  assert.equal(await create({ type: 'refund', amount: 10 }), 0)
  assert.equal(await create({ type: 'refund', amount: 10, reference: 'Invoice 7' }), 0)
  assert.ok(statements.some((text) => /insert into transactions/.test(text)))
  assert.equal(await create({ type: 'refund', amount: 10, reference: payment_id }), 1)
})

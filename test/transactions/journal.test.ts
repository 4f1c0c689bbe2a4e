// GET /v1/account/journal: its entries, its period and the balances that it repeats.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { openTransactionFixtures, type Shop } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

function journal(shop: Shop, query: string): Promise<ApiResponse> {
  return florin.call('GET', `/v1/account/journal?${query}`, { token: shop.token })
}

/** A settled payment, a paid refund, a pending payment and a canceled one. */
async function busyShop(): Promise<Shop> {
  const shop = await fixtures.shop()
  const payment = await fixtures.fund(shop, 7_500, { reference: 'Say "hi"; a\\b | c' })
  const refund = await fixtures.refund(shop, 500, payment)
  await fixtures.settle(refund.body.id)
  await fixtures.pending(shop, { amount: 250 })
  await fixtures.cancel(shop, await fixtures.pending(shop, { amount: 99 }))
  return shop
}

test('a CSV journal has one line for each posting', async () => {
  const shop = await busyShop()
  const response = await journal(shop, 'format=csv')
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  const [columns, ...lines] = parseCsv(response.text)
  const column = (name: string) => columns!.indexOf(name)
  const shown = ['debit_account', 'credit_account', 'amount'].map(column)
  const sides = lines.map((line) => shown.map((at) => line[at]))
  assert.deepEqual(sides, [
    ['Assets:Florin:Incoming', 'Income:Payments', '75.00'],
    ['Assets:Florin:Available', 'Assets:Florin:Incoming', '75.00'],
    ['Assets:Florin:Held', 'Assets:Florin:Available', '5.00'],
    ['Income:Refunds', 'Assets:Florin:Held', '5.00'],
    ['Assets:Florin:Incoming', 'Income:Payments', '2.50'],
    ['Assets:Florin:Incoming', 'Income:Payments', '0.99'],
    ['Income:Payments', 'Assets:Florin:Incoming', '0.99'],
  ])
  assert.equal(lines.at(-1)![column('available_after')], '70.00')
})

test('a beancount journal escapes texts and repeats the stored balances', async () => {
  const shop = await busyShop()
  const { text, headers } = await journal(shop, 'format=beancount')
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(text, /"Payment settled: Say \\"hi\\"; a\\\\b \| c" \^txn_[0-9a-z]{26}\n/)
  const balances = [...text.matchAll(/balance (\S+) {2}(\S+) ~ 0 USD/g)].map(([, ...pair]) => pair)
  assert.deepEqual(balances, [
    ['Assets:Florin:Available', '70.00'],
    ['Assets:Florin:Incoming', '2.50'],
    ['Assets:Florin:Held', '0.00'],
    ['Liabilities:Owed', '0.00'],
  ])
})

test('an hledger journal asserts the available balance after each change of it', async () => {
  const { text } = await journal(await busyShop(), 'format=hledger')
  assert.match(text, /\(2\) Payment settled: Say "hi", a\\b \/ c\n/)
  const checked = [...text.matchAll(/Available {2}(\S+) USD = (\S+) USD/g)]
  assert.deepEqual(
    checked.map(([, amount, after]) => [amount, after]),
    [
      ['75.00', '75.00'],
      ['-5.00', '70.00'],
      ['0.00', '70.00'],
    ],
  )
})

test('a later period starts with the balances before it', async () => {
  const shop = await busyShop()
  const text = (await journal(shop, 'format=beancount&from=2999-01-01')).text
  const opening = text.slice(text.indexOf('Opening balances'))
  assert.match(opening, /Available {2}70\.00 USD\n.*Incoming {2}2\.50 USD\n.*-72\.50 USD\n/)
  assert.doesNotMatch(text, /movement:/)
  const earlier = (await journal(shop, 'format=beancount&to=2000-01-01')).text
  assert.doesNotMatch(earlier, /Opening balances|movement:|balance Assets:Florin:Incoming/)
})

test('a journal of more postings than are read at once is complete', async () => {
  const shop = await busyShop()
  const { account_id, token } = shop
  const one = { amount: 1, currency: 'USD', type: 'payment' }
  const body = { account_id, transactions: Array.from({ length: 1_000 }, () => one) }
  const created = await florin.call('POST', '/v1/transactions/bulk', { token, body })
  assert.equal(created.status, 200, created.text)
  const [columns, ...lines] = parseCsv((await journal(shop, 'format=csv')).text)
  const numbers = lines.map((line) => Number(line[columns!.indexOf('sequence')]))
  assert.deepEqual(
    numbers,
    Array.from({ length: 1_007 }, (_, at) => at + 1),
  )
  const { text } = await journal(shop, 'format=beancount')
  assert.equal([...text.matchAll(/^\d{4}-\d{2}-\d{2} \* /gm)].length, 1_007)
  assert.match(text, /balance Assets:Florin:Incoming {2}12\.50 ~ 0 USD/)
})

test('the format is required', async () => {
  const response = await journal(await fixtures.shop(), '')
  assert.equal(response.status, 400)
  assert.match(response.body.message, /"format"/)
})

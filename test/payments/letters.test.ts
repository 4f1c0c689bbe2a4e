// The letters of a payment request, from the outbox as an admin reads it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/till.ts'
import { Customer, cards } from './customer.ts'
import { openDesk } from './desk.ts'

const florin = await startFlorin()
const desk = await openDesk(florin)

interface Listed {
  id: string
  kind: string
  to: string
  account_id: string
  cause: string
  subject: string
}

async function lettersOf(shop: Shop): Promise<Listed[]> {
  const listed = await florin.call('GET', '/v1/mail?limit=100', { token: desk.admin.token })
  assert.equal(listed.status, 200, listed.text)
  return listed.body.data.filter((letter: Listed) => letter.account_id === shop.account_id)
}

const kinds = (letters: Listed[]) => letters.map(({ kind }) => kind)

test('asking writes a letter with the link, and paying writes a receipt, once each', async () => {
  const shop = await desk.shop()
  const asked = await desk.ask(shop, { amount: 7_500, customer_email: 'ann@example.com' })
  const [request] = await lettersOf(shop)
  assert.deepEqual([request!.kind, request!.to], ['payment_request', 'ann@example.com'])
  const whole = await florin.call('GET', `/v1/mail/${request!.id}`, { token: desk.admin.token })
  assert.ok(whole.body.text.includes(asked.body.payment_url), whole.body.text)
  assert.match(request!.subject, /75\.00/)
  const customer = new Customer(florin.url, asked.body.payment_url)
  await Promise.all(Array.from({ length: 8 }, () => customer.pay(cards.good).catch(() => {})))
  const letters = await lettersOf(shop)
  assert.deepEqual(kinds(letters), ['payment_receipt', 'payment_request'])
})

test('sending again writes another letter, and a refused request writes none', async () => {
  const shop = await desk.shop()
  const id = await desk.request(shop)
  assert.equal((await desk.resend(shop, id)).status, 200)
  const letters = await lettersOf(shop)
  assert.deepEqual(kinds(letters), ['payment_request', 'payment_request'])
  assert.equal(new Set(letters.map(({ cause }) => cause)).size, 2)
  assert.equal((await desk.ask(shop, { currency: 'EUR' })).status, 400)
  await desk.callOff(shop, id)
  assert.equal((await desk.resend(shop, id)).status, 409)
  assert.equal((await lettersOf(shop)).length, 2)
})

test('the same Idempotency-Key writes one letter', async () => {
  const shop = await desk.shop()
  const headers = { 'idempotency-key': `letters-${shop.account_id}` }
  for (let round = 0; round < 3; round++) await desk.ask(shop, {}, { headers })
  assert.deepEqual(kinds(await lettersOf(shop)), ['payment_request'])
})

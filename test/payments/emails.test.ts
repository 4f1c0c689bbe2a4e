// The emails of a payment request, read from the API as an admin.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { sendRound, smtpTransportFor } from '../email/outbox.ts'
import { startFlorin } from '../support/florin.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Customer, cards } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPaymentFixtures(florin)

interface Listed {
  id: string
  kind: string
  to: string
  account_id: string
  cause: string
  subject: string
}

async function emailsOf(shop: Shop): Promise<Listed[]> {
  const listed = await florin.call('GET', '/v1/emails?limit=100', { token: fixtures.admin.token })
  assert.equal(listed.status, 200, listed.text)
  return listed.body.data.filter((email: Listed) => email.account_id === shop.account_id)
}

const kinds = (emails: Listed[]) => emails.map(({ kind }) => kind)

test('creating a request sends one email with the link, and paying one receipt', async () => {
  const shop = await fixtures.shop()
  const body = { amount: 7_500, customer_email: 'ann@example.com' }
  const { payment_url } = (await fixtures.createPayment(shop, body)).body
  const [request] = await emailsOf(shop)
  assert.deepEqual([request!.kind, request!.to], ['payment_request', 'ann@example.com'])
  const whole = await florin.call('GET', `/v1/emails/${request!.id}`, {
    token: fixtures.admin.token,
  })
  assert.ok(whole.body.text.includes(payment_url), whole.body.text)
  assert.match(request!.subject, /75\.00/)
  const customer = new Customer(florin.url, payment_url)
  await Promise.all(Array.from({ length: 8 }, () => customer.pay(cards.good).catch(() => {})))
  const emails = await emailsOf(shop)
  const [to_owner, ...to_customer] = emails
  assert.deepEqual([to_owner!.kind, to_owner!.to], ['payment_received', shop.email])
  assert.deepEqual(kinds(to_customer), ['payment_receipt', 'payment_request'])
})

test('each succeeded refund sends one email to the customer of its request', async () => {
  const shop = await fixtures.shop(10_000)
  const token = fixtures.admin.token
  const id = await fixtures.request(shop, { amount: 7_500, customer_email: 'ann@example.com' })
  await fixtures.settlePayment(id)
  const refund = async (amount: number, reference?: string) =>
    (await fixtures.refund(shop, amount, reference)).body.id as string
  const [part, rest, failed, plain] = [
    await refund(2_500, id),
    await refund(4_000, id),
    await refund(1_000, id),
    await refund(100),
  ]
  const before = (await emailsOf(shop)).length
  await fixtures.settle(failed, 'failed')
  await fixtures.settle(plain)
  assert.equal((await emailsOf(shop)).length, before, 'none if pending, failed or unlinked')
  const settled = await Promise.all([1, 2, 3].map(() => fixtures.settle(part)))
  assert.equal(settled.filter(({ status }) => status === 200).length, 1)
  await fixtures.patch(shop, part, { metadata: { reason: 'duplicate' } })
  await fixtures.settle(rest)
  const about = await florin.call('GET', `/v1/emails?payment=${id}`, { token })
  const emails: Listed[] = about.body.data
  assert.deepEqual(
    emails.map(({ kind, cause }) => [kind, cause]).slice(0, 2),
    [rest, part].map((refund_id) => ['payment_refund', `payment_refund:${id}:${refund_id}`]),
  )
  assert.deepEqual(kinds(emails).slice(2), ['payment_receipt', 'payment_request'])
  const [, email] = emails
  assert.equal(email!.to, 'ann@example.com')
  assert.match(email!.subject, /25\.00/)
  const { text } = (await florin.call('GET', `/v1/emails/${email!.id}`, { token })).body
  assert.match(text, /Part of your payment of \$75\.00/)
  assert.ok(text.includes(part), text)
})

test('each send creates an email, and a rejected request creates none', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.request(shop)
  assert.equal((await fixtures.resend(shop, id)).status, 200)
  const emails = await emailsOf(shop)
  assert.deepEqual(kinds(emails), ['payment_request', 'payment_request'])
  assert.equal(new Set(emails.map(({ cause }) => cause)).size, 2)
  assert.equal((await fixtures.createPayment(shop, { currency: 'EUR' })).status, 400)
  await fixtures.cancelPayment(shop, id)
  assert.equal((await fixtures.resend(shop, id)).status, 409)
  assert.equal((await emailsOf(shop)).length, 2)
})

test('retries with the same Idempotency-Key send one email', async () => {
  const shop = await fixtures.shop()
  const headers = { 'idempotency-key': `emails-${shop.account_id}` }
  for (let round = 0; round < 3; round++) await fixtures.createPayment(shop, {}, { headers })
  assert.deepEqual(kinds(await emailsOf(shop)), ['payment_request'])
})

test('a queued email is suppressed if its request has ended', async () => {
  const server = await startSmtpServer()
  const transport = smtpTransportFor(server)
  after(() => {
    transport.disconnect()
    return server.stop()
  })
  await enableEmailDelivery(florin.db)
  const shop = await fixtures.shop()
  const ends: Record<string, (payment: { id: string; payment_url: string }) => Promise<unknown>> = {
    canceled: ({ id }) => fixtures.cancelPayment(shop, id),
    failed: ({ id }) => fixtures.settlePayment(id, 'failed'),
    paid: ({ payment_url }) => new Customer(florin.url, payment_url).pay(cards.good),
    open: async () => {},
  }
  for (const [name, end] of Object.entries(ends)) {
    const created = await fixtures.createPayment(shop, { customer_email: `${name}@example.com` })
    await end(created.body)
  }
  await sendRound(florin.db, transport)
  const subjects = server.received.map(({ to, head }) => [
    to[0],
    /^Subject: (\w+)/m.exec(head)?.[1],
  ])
  const sent = Object.fromEntries(subjects)
  // Two to the owner: paid and failed.
  assert.equal(subjects.filter(([to]) => to !== shop.email).length, 2)
  assert.equal(subjects.length, 4)
  // For the paid request, only the receipt.
  assert.match(sent['paid@example.com']!, /^Receipt/)
  assert.ok('open@example.com' in sent)
  const { rows } = await florin.db.pool.query(
    `select recipient, error from emails where account_id = $1 and state = 'suppressed'`,
    [findUuid('account', shop.account_id)],
  )
  const reasons = Object.fromEntries(rows.map(({ recipient, error }) => [recipient, error]))
  assert.deepEqual(reasons, {
    'canceled@example.com': 'The payment request was canceled before it could be sent.',
    'failed@example.com': 'The payment request was closed before it could be sent.',
    'paid@example.com': 'The payment request was paid before it could be sent.',
  })
})

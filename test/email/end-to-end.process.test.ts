// From an HTTP request to a mailbox: Florin as `florin start` runs it, with its worker in a
// separate process, and a test mail server.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { Customer, cards } from '../payments/customer.ts'
import { BusyClient } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { headerOf, type ReceivedEmail, startSmtpServer } from '../support/smtp-server.ts'

const server = await startSmtpServer()
after(() => server.stop())
const installation = await makeUsedInstallation({ after })
const env = {
  FLORIN_RATE_LIMIT: 'off',
  FLORIN_LOG: 'warn',
  FLORIN_SMTP_URL: server.url,
  FLORIN_EMAIL_FROM: 'Acme Payments <pay@example.com>',
  FLORIN_EMAIL_RECIPIENTS: '8',
}
const { url } = await installation.start({ env })
const shop = await BusyClient.open(url)

/** Waits for this many emails to the address. */
async function emailsTo(address: string, count: number): Promise<ReceivedEmail[]> {
  for (let attempts_left = 600; ; attempts_left--) {
    const found = server.received.filter(({ to }) => to.includes(address))
    if (found.length >= count || attempts_left === 0) return found
    await sleep(50)
  }
}

/** The decoded plain-text part. */
function plainOf({ raw }: ReceivedEmail): string {
  const part = raw
    .split(/\r\n--[^\r\n]+\r\n/)
    .find((one) => /^Content-Type: text\/plain/im.test(one))
  assert.ok(part, raw)
  const [head, body] = [
    part.slice(0, part.indexOf('\r\n\r\n')),
    part.slice(part.indexOf('\r\n\r\n')),
  ]
  if (/encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

async function createPayment(body: object, { token, account_id } = shop) {
  const full_body = { account_id, amount: 7_500, currency: 'USD', ...body }
  return call(url, 'POST', '/v1/payments', { token, body: full_body })
}

test('the customer pays by the link in the email and gets a receipt', async () => {
  const customer_email = 'ann@example.com'
  const created = await createPayment({ customer_email, reference: 'Invoice 2026-114' })
  assert.equal(created.status, 201, created.text)
  const [request, ...more] = await emailsTo(customer_email, 1)
  assert.ok(request, 'the email arrived')
  assert.deepEqual(more, [])
  assert.deepEqual([request.from, request.to], ['pay@example.com', [customer_email]])
  assert.match(headerOf(request, 'Subject')!, /\$75\.00/)
  // The customer has only the email.
  const link = /https?:\/\/\S+\/pay\/\S+/.exec(plainOf(request))?.[0]
  assert.equal(link, created.body.payment_url)
  assert.match(plainOf(request), /Invoice 2026-114/)
  const paid = await new Customer(url, link!).pay(cards.good)
  assert.ok(paid.status < 400, paid.text)

  const emails = await emailsTo(customer_email, 2)
  assert.equal(emails.length, 2)
  assert.match(headerOf(emails[1]!, 'Subject')!, /Receipt: \$75\.00 to Busy Ltd/)
  const { token } = shop
  const { body } = await call(url, 'GET', `/v1/payments/${created.body.id}`, { token })
  assert.equal(body.status, 'succeeded')
  assert.ok(plainOf(emails[1]!).includes(body.transaction_id))
})

test('line breaks in user input cannot inject headers', async () => {
  const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085']
  for (const [at, end] of breaks.entries()) {
    const customer_email = `bob-${at}@example.com`
    const hostile = `Invoice${end}Bcc: victim@example.com`
    const created = await createPayment({ customer_email, reference: hostile })
    assert.ok([201, 400].includes(created.status), created.text)
    const { token } = shop
    const renamed = await call(url, 'PATCH', '/v1/account', { token, body: { name: hostile } })
    assert.ok([200, 400].includes(renamed.status), renamed.text)
    assert.equal((await createPayment({ customer_email })).status, 201)
    const expected = created.status === 201 ? 2 : 1
    const emails = await emailsTo(customer_email, expected)
    assert.equal(emails.length, expected)
    for (const email of emails) {
      assert.equal(headerOf(email, 'Bcc'), undefined, email.head)
      assert.deepEqual(email.to, [customer_email])
    }
    for (const to of [`ann@example.com${end}Bcc: victim@example.com`, `ann${end}@example.com`]) {
      assert.equal((await createPayment({ customer_email: to })).status, 400, JSON.stringify(to))
    }
  }
  assert.ok(server.received.every(({ to }) => !to.includes('victim@example.com')))
})

test('an account emails at most FLORIN_EMAIL_RECIPIENTS inboxes per day', async () => {
  const other = await BusyClient.open(url)
  for (let n = 1; n <= 9; n++) {
    const customer_email = `inbox-${n}@example.com`
    assert.equal((await createPayment({ customer_email }, other)).status, 201)
  }
  assert.equal((await emailsTo('inbox-8@example.com', 1)).length, 1)
  // Emails are sent in order: after this one, the ninth recipient has been decided.
  await createPayment({ customer_email: 'inbox-1@example.com' }, other)
  assert.equal((await emailsTo('inbox-1@example.com', 2)).length, 2)
  assert.ok(server.received.every(({ to }) => !to.includes('inbox-9@example.com')))
})

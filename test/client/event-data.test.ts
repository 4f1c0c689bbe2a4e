// Triggers every event type on a real server through the SDK, and validates its data against the
// schema of its TypeScript type.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Florin, verifyWebhook } from '../../client/src/florin.ts'
import { eventTypes } from '../../src/events/event-types.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { DisputeFixtures } from '../disputes/dispute-fixtures.ts'
import { PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { recordSecretsIn } from '../support/secrets.ts'
import { TransferFixtures } from '../transfers/transfer-fixtures.ts'
import { startDispatcher } from '../webhooks/run-dispatcher.ts'
import { startSink } from '../webhooks/sink.ts'

const server = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const owner = await server.people.owner()
const admin = await server.people.admin()
const { account_id } = owner
const florin = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
const staff = new Florin({
  base_url: server.url,
  tokens: { access_token: admin.token },
  account: account_id,
})

// The same mapping as in florin-event.ts.
const schemaOf: Record<string, string> = {
  user: 'User',
  account: 'Account',
  transaction: 'Transaction',
  payment: 'Payment',
  payment_link: 'PaymentLink',
  subscription: 'Subscription',
  dispute: 'Dispute',
  transfer: 'Transfer',
  payout: 'Payout',
  api_key: 'ApiKey',
}

const file = new URL('../../docs/reference/openapi.json', import.meta.url)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'florin')

function assertFits(data: unknown, schema: string, about: string): void {
  const fits = ajv.validate({ $ref: `florin#/components/schemas/${schema}` }, data)
  assert.ok(fits, `${about}: ${ajv.errorsText()}`)
  const known = ajv.getSchema(`florin#/components/schemas/${schema}`)!.schema as {
    properties: object
  }
  const unknown = Object.keys(data as object).filter((name) => !(name in known.properties))
  assert.deepEqual(unknown, [], about)
}

async function moveMoney(): Promise<void> {
  const money = { account_id, amount: 500, currency: 'USD' }
  const outcomes = ['succeeded', 'failed'] as const
  for (const outcome of outcomes) {
    const { id } = await florin.transactions.create({ ...money, type: 'payment' })
    await florin.transactions.update(id, { reference: `will be ${outcome}` })
    await staff.transactions.settle(id, { outcome })
    const payment = await florin.payments.create({ ...money, customer_email: 'ann@example.com' })
    await staff.payments.settle(payment.id, { outcome })
  }
  const { id } = await florin.transactions.create({ ...money, type: 'credit' })
  await florin.transactions.cancel(id)
  const payment = await florin.payments.create({ ...money, customer_email: 'bob@example.com' })
  await florin.payments.cancel(payment.id)
}

async function openDisputes(): Promise<void> {
  const fixtures = new DisputeFixtures(server, admin)
  for (const statuses of [['under_review', 'won'], ['lost']] as const) {
    const { id } = await fixtures.dispute(owner)
    for (const status of statuses) await florin.disputes.resolve(id, { status })
  }
}

async function moveBetweenAccounts(): Promise<void> {
  const fixtures = new TransferFixtures(server, admin)
  const shop = { ...owner, uuid: findUuid('account', account_id)! }
  await fixtures.fund(shop, 500)
  const other = await fixtures.shop(100)
  await fixtures.transfer(shop, other, 10)
  await fixtures.transfer(other, shop, 20)
  await fixtures.complete()
  await fixtures.transfer(shop, other, 30)
  await fixtures.close(other)
  await fixtures.complete()
}

async function payOut(): Promise<void> {
  const fixtures = new PayoutFixtures(server, admin)
  await fixtures.setDestination(owner)
  const resolve = (id: string, status: string) => fixtures.change(admin, id, 'resolve', { status })
  const canceled = await fixtures.created(owner, 1)
  await fixtures.change(owner, canceled.id, 'cancel')
  await resolve((await fixtures.paid(owner, 1)).id, 'returned')
  await resolve((await fixtures.inTransit(owner, 1)).id, 'failed')
}

async function changeTheRest(): Promise<void> {
  const member = await florin.users.create({ ...credentials('member'), name: 'A Member' })
  await florin.users.update(member.id, { name: 'Another Name' })
  await florin.users.delete(member.id)
  await florin.account.update({ name: 'Acme Limited' })
  const key = await florin.apiKeys.create({ name: 'Shop', scopes: ['*'] })
  recordSecretsIn(key)
  await florin.apiKeys.revoke(key.id)
  const { id } = await florin.subscriptions.create({
    amount: 900,
    currency: 'USD',
    interval: 'month',
    customer_email: 'ann@example.com',
  })
  const link = await florin.paymentLinks.create({ title: 'Tip', amount: 300 })
  await florin.paymentLinks.update(link.id, { title: 'Another tip' })
  await florin.subscriptions.update(id, { reference: 'Plan B' })
  await florin.subscriptions.cancel(id)
}

test('the data of every event type matches its schema', async () => {
  await moveMoney()
  await openDisputes()
  await moveBetweenAccounts()
  await payOut()
  await changeTheRest()
  await florin.account.close()
  const events = await Array.fromAsync(staff.events.list({ after: 0 }))
  const seen = new Set(events.map(({ type }) => type))
  assert.deepEqual([...seen].sort(), [...eventTypes].sort(), 'every type occurred')
  for (const { type, data } of events) assertFits(data, schemaOf[type.split('.')[0]!]!, type)
})

test('verifyWebhook accepts the webhooks and test events that Florin sends', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, server)
  const other = await server.people.owner()
  const own = new Florin({ base_url: server.url, tokens: { access_token: other.token } })
  const made = await own.webhookEndpoints.create({ url: sink.url, events: ['transaction.*'] })
  recordSecretsIn(made)
  await own.webhookEndpoints.test(made.id)
  const money = { account_id: other.account_id, amount: 7_500, currency: 'USD' }
  await own.transactions.create({ ...money, type: 'payment' })
  const received = await sink.until(2)
  const events = await Promise.all(
    received.map(({ text, headers }) => verifyWebhook(text, headers, made.secret)),
  )
  const test_event = events.find(({ type }) => type === 'webhook_endpoint.test')
  assertFits(test_event!.data, 'WebhookEndpoint', 'a test')
  assert.equal(test_event!.sequence, null)
  const paid = events.find((event) => event.type === 'transaction.created')
  assert.equal(paid?.data.amount, 7_500)
  assert.equal(paid?.timestamp, paid?.created_at)
})

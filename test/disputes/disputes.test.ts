// Disputes over HTTP, in a sandbox: the card that is disputed, the lists, the resolution, and what
// they do to the balance, the statement and refunds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dispute } from '../../src/disputes/dispute.ts'
import { runAllDueDisputes } from '../../src/disputes/resolve-dispute.ts'
import { readTime } from '../../src/postgres/clock.ts'
import { Customer, cards } from '../payments/customer.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { disputeKeys, openDisputeFixtures } from './dispute-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openDisputeFixtures(florin)

const list = (token: string, query = '') => florin.call('GET', `/v1/disputes${query}`, { token })

async function emailsOf(account_id: string): Promise<[string, string, string][]> {
  const options = { token: fixtures.admin.token, headers: { 'florin-account': account_id } }
  const { body } = await florin.call('GET', '/v1/emails', options)
  return body.data
    .filter(({ kind }: { kind: string }) => kind.startsWith('dispute'))
    .map(({ kind, to, subject }: Record<string, string>) => [kind, to, subject])
}

test('a dispute is listed, and recorded as an event and an email to the owner', async () => {
  const shop = await fixtures.shop()
  const dispute = await fixtures.dispute(shop, 4_200)
  assert.deepEqual(Object.keys(dispute).sort(), disputeKeys)
  const { amount, currency, reason, status, provider, evidence_url, due_at, created_at } = dispute
  assert.deepEqual(
    { amount, currency, reason, status, provider, evidence_url },
    {
      amount: 4_200,
      currency: 'USD',
      reason: 'fraudulent',
      status: 'needs_response',
      provider: 'sandbox',
      evidence_url: null,
    },
  )
  assert.ok(Math.abs(Date.parse(due_at!) - Date.parse(created_at) - 7 * 86_400_000) < 1_000)
  assert.deepEqual((await fixtures.getDispute(shop, dispute.id)).body, dispute)
  assert.deepEqual(await fixtures.funds(shop), [0, 0])
  assert.deepEqual(await fixtures.eventTypes(shop, 'dispute.%'), ['dispute.created'])
  const { body: events } = await florin.call('GET', `/v1/events?object=${dispute.id}`, {
    token: shop.token,
  })
  assert.deepEqual(events.data[0].data, dispute)
  assert.deepEqual(await emailsOf(shop.account_id), [
    ['dispute_opened', shop.email, '[Sandbox] Payment disputed: $42.00 to Acme Ltd'],
  ])
})

test('the test card pays on the page, and its charge is disputed at once', async () => {
  const shop = await fixtures.shop()
  const { payment_url } = (await fixtures.createPayment(shop, { amount: 700 })).body
  const customer = new Customer(florin.url, payment_url)
  assert.equal((await customer.pay(cards.disputed)).status, 303)
  assert.equal((await customer.open()).state, 'paid')
  const { body } = await list(shop.token)
  assert.deepEqual(
    body.data.map(({ amount, status }: Dispute) => [amount, status]),
    [[700, 'needs_response']],
  )
  assert.deepEqual(await fixtures.funds(shop), [0, 0])
})

test('a disputed payment cannot be refunded until the dispute is won', async () => {
  const shop = await fixtures.shop(1_000)
  const dispute = await fixtures.dispute(shop)
  const refund = () => fixtures.refund(shop, 10, dispute.transaction_id)
  const rejected = await refund()
  assert.deepEqual([rejected.status, rejected.body.error], [400, 'invalid_request'])
  assert.match(rejected.body.message, /dispute/)
  await fixtures.resolve(shop, dispute.id, 'won')
  assert.equal((await refund()).status, 201)
})

const statementOf = async (token: string) => {
  const { body } = await florin.call('GET', '/v1/account/statement', { token })
  return body.data.toReversed()
}

test('what the balance does not cover is owed, and the next money repays it first', async () => {
  const shop = await fixtures.shop()
  const { transaction_id, id } = await fixtures.dispute(shop, 500)
  const more = { id: 'dp_more', amount: 800, reason: 'general', due_at: null } as const
  await fixtures.apply(shop, transaction_id, [{ ...more, status: 'under_review' }])
  assert.deepEqual(await fixtures.funds(shop), [0, 800])
  const refund = await fixtures.refund(shop, 1)
  assert.deepEqual([refund.status, refund.body.error], [402, 'insufficient_funds'])
  const credit = await fixtures.fund(shop, 300, { type: 'credit' })
  assert.deepEqual(await fixtures.funds(shop), [0, 500])
  await fixtures.resolve(shop, id, 'won')
  assert.deepEqual(await fixtures.funds(shop), [0, 0])
  await fixtures.apply(shop, transaction_id, [{ ...more, status: 'won' }])
  assert.deepEqual(await fixtures.funds(shop), [800, 0])
  const lines = (await statementOf(shop.token)).map((line: Record<string, unknown>) => [
    line.type,
    line.amount,
    line.available_after,
    line.transaction_id,
  ])
  assert.deepEqual(lines, [
    ['payment', 500, 500, transaction_id],
    ['dispute', -500, 0, transaction_id],
    ['overdraw', 800, 800, transaction_id],
    ['dispute', -800, 0, transaction_id],
    ['credit', 300, 300, credit],
    ['repay', -300, 0, credit],
    ['dispute', 500, 500, transaction_id],
    ['repay', -500, 0, transaction_id],
    ['dispute', 800, 800, transaction_id],
  ])
})

test('the CSV statement has these lines, and a payment lists its own postings', async () => {
  const shop = await fixtures.shop()
  const { transaction_id, id } = await fixtures.dispute(shop, 500)
  await fixtures.resolve(shop, id, 'won')
  const { token } = shop
  const csv = await florin.call('GET', '/v1/account/statement?format=csv', { token })
  const records = parseCsv(csv.text).slice(1)
  assert.deepEqual(
    records.map((record) => [record[4], record[9]]),
    [
      ['dispute', '5.00'],
      ['dispute', '-5.00'],
      ['payment', '5.00'],
    ],
  )
  const path = `/v1/transactions/${transaction_id}/postings`
  const { body } = await florin.call('GET', path, { token })
  assert.deepEqual(
    body.data.map(({ to }: { to: string }) => to),
    ['incoming', 'available'],
  )
})

test('a provider disputes a payment of a closed account: booked without events', async () => {
  const shop = await fixtures.shop()
  const { transaction_id } = await fixtures.dispute(shop, 500)
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  const late = { id: 'dp_late', amount: 900, reason: 'general', due_at: null } as const
  await fixtures.apply(shop, transaction_id, [{ ...late, status: 'lost' }])
  await fixtures.apply(shop, transaction_id, [{ ...late, status: 'lost' }])
  const options = {
    token: fixtures.admin.token,
    headers: { 'florin-account': shop.account_id },
  }
  const balance = await florin.call('GET', '/v1/account/balance', options)
  assert.deepEqual([balance.body.available, balance.body.owed], [0, 900])
  assert.equal((await fixtures.eventTypes(shop)).at(-1), 'account.closed')
})

test('lists are filtered by status and payment, and paged', async () => {
  const shop = await fixtures.shop()
  const won = await fixtures.dispute(shop)
  const open = await fixtures.dispute(shop)
  const reviewed = await fixtures.dispute(shop)
  await fixtures.resolve(shop, won.id, 'won')
  await fixtures.resolve(shop, reviewed.id, 'under_review')
  const ids = async (query: string) =>
    (await list(shop.token, query)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(''), [reviewed.id, open.id, won.id])
  assert.deepEqual(await ids('?status=won'), [won.id])
  assert.deepEqual(await ids('?status=open'), [reviewed.id, open.id])
  assert.deepEqual(await ids(`?transaction_id=${open.transaction_id}`), [open.id])
  assert.deepEqual(await ids(`?limit=1&starting_after=${reviewed.id}`), [open.id])
  assert.deepEqual(await ids(`?limit=1&ending_before=${won.id}`), [open.id])
  const unknown = await fixtures.shop()
  assert.deepEqual((await list(unknown.token)).body.data, [])
  const bad = await list(shop.token, '?status=paid')
  assert.deepEqual([bad.status, bad.body.error], [400, 'invalid_request'])
  const { body } = await florin.call('GET', '/v1/account/attention', { token: shop.token })
  assert.deepEqual(body.disputes, {
    count: 2,
    ids: [reviewed.id, open.id],
    list: '/v1/disputes?status=open',
  })
})

test('a dispute is resolved once, and a retry with the same key returns the same', async () => {
  const shop = await fixtures.shop()
  const dispute = await fixtures.dispute(shop, 700)
  const options = { headers: { 'idempotency-key': 'resolve-1' } }
  const first = await fixtures.resolve(shop, dispute.id, 'lost', options)
  assert.deepEqual([first.status, first.body.status], [200, 'lost'])
  const again = await fixtures.resolve(shop, dispute.id, 'lost', options)
  assert.equal(again.text, first.text)
  const other = await fixtures.resolve(shop, dispute.id, 'won')
  assert.deepEqual([other.status, other.body.error], [409, 'conflict'])
  assert.equal(other.body.message, 'The dispute has already been lost.')
  assert.deepEqual(await fixtures.funds(shop), [0, 0])
  const types = ['dispute.created', 'dispute.lost']
  assert.deepEqual(await fixtures.eventTypes(shop, 'dispute.%'), types)
  const emails = await emailsOf(shop.account_id)
  assert.deepEqual(
    emails.map(([kind]) => kind),
    ['dispute_closed', 'dispute_opened'],
  )
})

test('a resolution by an admin is in the audit log', async () => {
  const shop = await fixtures.shop()
  const { id } = await fixtures.dispute(shop)
  assert.equal((await fixtures.resolve(fixtures.admin, id, 'won')).status, 200)
  const { token } = fixtures.admin
  const { body } = await florin.call('GET', `/v1/audit_log?object=${id}`, { token })
  const [entry] = body.data
  assert.deepEqual([entry.action, entry.details], ['dispute.resolved', { outcome: 'won' }])
  const found = await florin.call('GET', `/v1/search?q=${id}`, { token: shop.token })
  const [{ kind, id: found_id, account_id, status }] = found.body.data
  assert.deepEqual([kind, found_id, account_id, status], ['dispute', id, shop.account_id, 'won'])
})

test('without a response by due_at, a dispute is lost', async () => {
  const shop = await fixtures.shop()
  const { id } = await fixtures.dispute(shop)
  const now = await readTime(florin.db)
  await runAllDueDisputes(florin.db, new Date(now.getTime() + 6 * 86_400_000), 5_000)
  assert.equal((await fixtures.getDispute(shop, id)).body.status, 'needs_response')
  await runAllDueDisputes(florin.db, new Date(now.getTime() + 8 * 86_400_000), 5_000)
  assert.equal((await fixtures.getDispute(shop, id)).body.status, 'lost')
  assert.deepEqual(await fixtures.eventTypes(shop, 'dispute.%'), [
    'dispute.created',
    'dispute.lost',
  ])
})

test('a dispute of a closed account ends without an event', async () => {
  const shop = await fixtures.shop()
  const { id } = await fixtures.dispute(shop)
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  const rejected = await fixtures.resolve(fixtures.admin, id, 'won')
  assert.deepEqual([rejected.status, rejected.body.error], [404, 'not_found'])
  const now = await readTime(florin.db)
  await runAllDueDisputes(florin.db, new Date(now.getTime() + 8 * 86_400_000), 5_000)
  assert.equal((await fixtures.getDispute(fixtures.admin, id)).body.status, 'lost')
  assert.equal((await fixtures.eventTypes(shop)).at(-1), 'account.closed')
})

test('in live mode the provider decides', async () => {
  const shop = await fixtures.shop()
  const { id } = await fixtures.dispute(shop)
  const live = await florin.startSecondServer(live_env)
  const path = `/v1/disputes/${id}/resolve`
  const body = { status: 'won' }
  const response = await live.call('POST', path, { token: shop.token, body })
  assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'])
  assert.match(response.body.message, /in a sandbox only\. In live mode the payment provider/)
  assert.equal((await fixtures.getDispute(shop, id)).body.status, 'needs_response')
})

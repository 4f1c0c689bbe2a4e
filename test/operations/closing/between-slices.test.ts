// Between the closing and its last slice, all reads and writes behave as after it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBacklog } from '../../../src/operations/reports/backlog.ts'
import { verifyDatabase } from '../../../src/operations/verify-database.ts'
import { PaymentLanes } from '../../../src/payments/lanes.ts'
import { runAllDuePayments } from '../../../src/payments/run-due.ts'
import { Payers } from '../../payments/payers.ts'
import { openSubscriptionFixtures } from '../../subscriptions/subscription-fixtures.ts'
import type { ApiResponse, CallOptions } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import type { Person } from '../../support/people.ts'
import type { Shop } from '../../transactions/transaction-fixtures.ts'
import { cleanUp, countLeft, letSlicesRun, stopSlices } from './leftovers.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const sandbox = await florin.startSecondServer({ FLORIN_PROCESSOR: 'sandbox' })
const fixtures = await openSubscriptionFixtures(florin)
const payers = new Payers(florin.db)
const { admin } = fixtures

interface BusyAccount {
  shop: Shop
  member: Person
  member_of: { account_id: string }
  key: string
  paused: string
  pending: string
  refund: string
  due: string
  request: string
  page: string
}

/** An account with a row of each kind that ends with it. */
async function openBusy(): Promise<BusyAccount> {
  const shop = await fixtures.shop(1_000)
  const member = await florin.people.member(shop)
  const { token, account_id } = shop
  const body = { name: 'Shop', scopes: ['transactions:read'] }
  const key = await florin.call('POST', '/v1/api_keys', { token, body })
  assert.equal(key.status, 201, key.text)
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] }
  await florin.call('POST', '/v1/webhook_endpoints', { token, body: hook })
  const paused = await fixtures.createSubscription(shop)
  await fixtures.patchSubscription(shop, paused, { status: 'paused' })
  const refund = await fixtures.refund(shop, 300)
  const payment = await fixtures.createPayment(shop)
  return {
    shop,
    member,
    member_of: { account_id },
    key: key.body.key,
    paused,
    pending: await fixtures.pending(shop),
    refund: refund.body.id,
    due: (await fixtures.create(shop, {}, { call: sandbox.call })).body.id,
    request: payment.body.id,
    page: new URL(payment.body.payment_url).pathname,
  }
}

async function closeBusy(): Promise<BusyAccount & { closed_at: string }> {
  const busy = await openBusy()
  await stopSlices(florin)
  const closed = await florin.call('DELETE', '/v1/account', { token: busy.shop.token })
  assert.equal(closed.status, 200, closed.text)
  const left = await countLeft(florin, busy.shop.uuid)
  assert.deepEqual(left, { users: 2, subscriptions: 1, closings: 1 })
  return { ...busy, closed_at: closed.body.closed_at }
}

const asAdmin = (more: CallOptions = {}): CallOptions => ({ token: admin.token, ...more })

function read(path: string, options: CallOptions = asAdmin()): Promise<ApiResponse> {
  return florin.call('GET', path, options)
}

/** Every read of the account by an admin, and the payment page. */
async function readAll(account: BusyAccount) {
  const { shop, member, pending, refund, due, request, paused, page } = account
  const named = asAdmin({ headers: { 'florin-account': shop.account_id } })
  const statuses = ['pending', 'succeeded', 'failed', 'canceled']
  const of_account = [
    '/v1/account',
    '/v1/account/balance',
    '/v1/account/users',
    '/v1/account/volume?from=2020-01-01&to=2045-01-01&interval=month',
    '/v1/api_keys',
    `/v1/subscriptions/${paused}`,
    ...['', '?status=active', '?status=paused', '?status=canceled'].map(
      (query) => `/v1/subscriptions${query}`,
    ),
    `/v1/payments?subscription=${paused}`,
  ]
  const of_both = [
    ...[pending, refund, due].map((id) => `/v1/transactions/${id}`),
    `/v1/payments/${request}`,
    `/v1/payments/${request}/status`,
    ...['transactions', 'payments'].flatMap((list) => [
      `/v1/${list}?limit=100`,
      ...statuses.map((status) => `/v1/${list}?status=${status}&limit=3`),
    ]),
  ]
  const of_all = [
    `/v1/accounts/${shop.account_id}`,
    '/v1/users?limit=100',
    '/v1/users?status=active&limit=1',
    `/v1/users?search=${encodeURIComponent(member.email)}`,
    `/v1/users/${member.id}`,
    `/v1/users/${shop.id}`,
    `/v1/search?q=${member.id}`,
    `/v1/search?q=${encodeURIComponent(member.email)}`,
    page,
  ]
  const reads: [string, CallOptions][] = [
    ...[...of_account, ...of_both].map((path): [string, CallOptions] => [path, named]),
    ...[...of_both, ...of_all].map((path): [string, CallOptions] => [path, asAdmin()]),
  ]
  const seen: string[] = []
  for (const [path, options] of reads) {
    const { status, text } = await read(path, options)
    seen.push(`${path} ${status} ${text}`)
  }
  const { failed, pending_long, payments_expiring } = (await read('/v1/account/attention', named))
    .body
  const backlog = await findBacklog(florin.db)
  const { transactions_due, payments_due } = backlog
  const waiting = [failed.count, pending_long.count, payments_expiring.count]
  return [...seen, JSON.stringify([...waiting, transactions_due, payments_due])]
}

test('every read returns the same as after the last slice', async () => {
  const busy = await closeBusy()
  const between = await readAll(busy)
  await cleanUp(florin, busy.shop.uuid)
  assert.deepEqual(between, await readAll(busy))
  const { body } = await read(`/v1/transactions/${busy.pending}`)
  assert.deepEqual([body.status, body.updated_at], ['canceled', busy.closed_at])
})

test('paging through lists by status neither skips nor repeats rows', async () => {
  const busy = await closeBusy()
  const walk = async () => {
    const ids: string[] = []
    for (let after = ''; ; ) {
      const path = `/v1/payments?status=canceled&limit=1${after}`
      const headers = { 'florin-account': busy.shop.account_id }
      const { body } = await read(path, asAdmin({ headers }))
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      if (!body.has_more) return ids
      after = `&starting_after=${ids.at(-1)}`
    }
  }
  const between = await walk()
  assert.equal(new Set(between).size, between.length)
  await cleanUp(florin, busy.shop.uuid)
  assert.deepEqual(between, await walk())
})

test('statement and postings return 503 until the last slice', async () => {
  const busy = await closeBusy()
  const headers = { 'florin-account': busy.shop.account_id }
  const paths = ['/v1/account/statement', `/v1/transactions/${busy.refund}/postings`]
  for (const path of paths) {
    const { status, body } = await read(path, asAdmin({ headers }))
    assert.deepEqual([status, body.error], [503, 'unavailable'])
    assert.match(body.message, /was just closed/)
  }
  await cleanUp(florin, busy.shop.uuid)
  const [statement, postings] = await Promise.all(
    paths.map((path) => read(path, asAdmin({ headers }))),
  )
  assert.equal(statement!.body.data[0].available_after, 1_000)
  assert.equal(postings!.body.data.length, 2)
})

test('all credentials of the account are rejected', async () => {
  const { shop, member, key } = await closeBusy()
  const { email, password, refresh_token } = member
  for (const token of [shop.token, member.token, key]) {
    assert.equal((await read('/v1/account', { token })).status, 401)
  }
  const body = { email, password }
  const login = await florin.call('POST', '/v1/auth/login', { body })
  assert.deepEqual([login.status, login.body.error], [401, 'invalid_credentials'])
  const refresh = await florin.call('POST', '/v1/auth/refresh', { body: { refresh_token } })
  assert.equal(refresh.status, 401)
  const headers = { 'idempotency-key': 'once more' }
  const again = await florin.call('DELETE', '/v1/account', { token: shop.token, headers })
  assert.equal(again.status, 401)
})

test("members' emails can be used again at once, the owner's cannot", async () => {
  const { shop, member } = await closeBusy()
  const signUp = (email: string) =>
    florin.call('POST', '/v1/users', { body: { email, password: 'correct horse battery' } })
  assert.equal((await signUp(shop.email)).status, 409)
  const created = await signUp(member.email)
  assert.equal(created.status, 201, created.text)
  assert.equal((await signUp(member.email)).status, 409)
  await cleanUp(florin, shop.uuid)
  const body = { email: member.email, password: 'correct horse battery' }
  assert.equal((await florin.call('POST', '/v1/auth/login', { body })).status, 200)
  assert.equal((await signUp(member.email)).status, 409)
  assert.equal((await signUp(shop.email)).status, 409)
})

test('leftover rows reject changes and are never due', async () => {
  const busy = await closeBusy()
  const { shop, member, pending, request, paused, due } = busy
  const change = async () => {
    const headers = { 'florin-account': shop.account_id }
    const responses = [
      await fixtures.cancel(admin, pending),
      await fixtures.settle(pending),
      await fixtures.patch(admin, pending, { reference: 'x' }),
      await fixtures.cancelPayment(admin, request),
      await fixtures.resend(admin, request),
      await fixtures.settlePayment(request),
      await fixtures.cancelSubscription(admin, paused, { headers }),
      await florin.call('DELETE', `/v1/users/${member.id}`, asAdmin()),
      await florin.call('PATCH', `/v1/users/${shop.id}`, asAdmin({ body: { name: 'New' } })),
    ]
    const results = responses.map(({ status, body }) => `${status} ${body.error} ${body.message}`)
    return [...results, await payers.attempt(shop, request)]
  }
  const between = await change()
  assert.equal(between.length, 10)
  const advance = { token: admin.token, body: { seconds: 3 } }
  assert.equal((await sandbox.call('POST', '/v1/sandbox/clock/advance', advance)).status, 200)
  const payment_lanes = new PaymentLanes(florin.db, 'https://pay.example.com')
  const next_year = new Date(Date.now() + 366 * 86_400_000)
  await runAllDuePayments({ db: florin.db, payment_lanes }, next_year, 5_000)
  await cleanUp(florin, shop.uuid)
  assert.deepEqual(between, await change())
  const last = await read(`/v1/transactions/${due}`)
  assert.deepEqual([last.body.status, last.body.updated_at], ['canceled', busy.closed_at])
  const payment = await read(`/v1/payments/${request}`)
  assert.deepEqual([payment.body.status, payment.body.updated_at], ['canceled', busy.closed_at])
})

test('verify accepts leftover rows only while the closing is in progress', async () => {
  const { shop } = await closeBusy()
  const rulesBroken = async () => {
    const rules = new Set<string>()
    await verifyDatabase(florin.db, { onDifference: ({ rule }) => rules.add(rule) })
    return [...rules].sort()
  }
  assert.deepEqual(await rulesBroken(), [])
  await letSlicesRun(florin.db)
  const { rows } = await florin.db.pool.query(
    'delete from account_closings where account_id = $1 returning *',
    [shop.uuid],
  )
  assert.deepEqual(await rulesBroken(), [
    'closed_accounts_end_webhooks',
    'closed_accounts_have_no_users',
    'closed_accounts_move_no_money',
    'closed_accounts_request_nothing',
  ])
  const columns = Object.keys(rows[0])
  await florin.db.pool.query(
    `insert into account_closings (${columns}) values (${columns.map((_, at) => `$${at + 1}`)})`,
    Object.values(rows[0]),
  )
  assert.deepEqual(await rulesBroken(), [])
  await cleanUp(florin, shop.uuid)
  assert.deepEqual(await rulesBroken(), [])
})

test('an event stream of the account ends with account.closed', async () => {
  const { shop } = await closeBusy()
  const { rows } = await florin.db.pool.query(
    'select event_sequence from balances where account_id = $1',
    [shop.uuid],
  )
  const response = await fetch(`${florin.url}/v1/events/stream?after=${rows[0].event_sequence}`, {
    headers: { authorization: `Bearer ${admin.token}`, 'florin-account': shop.account_id },
  })
  assert.equal(response.status, 200)
  await cleanUp(florin, shop.uuid)
  const types = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, type]) => type)
  assert.equal(types.filter((type) => type === 'user.deleted').length, 2)
  assert.equal(types.at(-1), 'account.closed')
  assert.equal(types.filter((type) => type === 'account.closed').length, 1)
})

// GET /v1/payments?subscription=…: the requests of one subscription match a plain array, are
// visible to callers with access to the account, and are read by index.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectPaymentPage } from '../../src/payments/queries.ts'
import type { Queryable } from '../../src/postgres/database.ts'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { selectRequestIds } from '../../src/subscriptions/queries.ts'
import { startFlorin } from '../support/florin.ts'
import { queryWithoutTimeout } from '../support/without-timeout.ts'
import { day_s, openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)
const [shop, stranger] = [await fixtures.shop(), await fixtures.shop()]

interface Row {
  id: string
  status: string
  created_at: string
}

const daily = await fixtures.createSubscription(shop, { interval: 'day' })
const weekly = await fixtures.createSubscription(shop, { interval: 'week' })
const foreign = await fixtures.createSubscription(stranger, { interval: 'day' })
const unknown = toTypeId('subscription', newUuid(Date.now()))
// A request for the same customer without a subscription.
await fixtures.request(shop)
await fixtures.advance(44 * day_s)
for (const [at, row] of (await fixtures.requests(shop, daily)).entries()) {
  if (at % 4 === 1) await fixtures.cancelPayment(shop, row.id)
  if (at % 4 === 2) await fixtures.settlePayment(row.id, at % 8 === 2 ? 'succeeded' : 'failed')
}
await fixtures.advance(11)

/** The requests of a subscription according to its periods, newest first. */
async function requestsOf(subscription: string): Promise<Row[]> {
  const { body: all } = await fixtures.list(fixtures.admin, '?limit=100')
  const ids = (await fixtures.periods(subscription)).map((row) =>
    toTypeId('payment', row.payment_id),
  )
  assert.equal(all.has_more, false)
  return all.data.filter(({ id }: Row) => ids.includes(id))
}

interface Query {
  status?: string
  limit?: number
  starting_after?: string
  ending_before?: string
  date_from?: string
  date_to?: string
}

function model(rows: Row[], query: Query): { ids: string[]; has_more: boolean } {
  const { status, starting_after, ending_before, date_from, date_to, limit = 20 } = query
  const found = rows.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (date_from === undefined || row.created_at >= date_from) &&
      (date_to === undefined || row.created_at <= date_to) &&
      (starting_after === undefined || row.id < starting_after) &&
      (ending_before === undefined || row.id > ending_before),
  )
  const page = ending_before === undefined ? found.slice(0, limit) : found.slice(-limit)
  return { ids: page.map((row) => row.id), has_more: found.length > limit }
}

const random = (count: number) => Math.floor(Math.random() * count)
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!

function randomQuery(rows: Row[]): Query {
  const query: Query = {}
  if (random(2)) query.status = pick(['pending', 'succeeded', 'failed', 'canceled'])
  if (random(4)) query.limit = pick([1, 2, 3, 7, 20, 100])
  if (random(2)) query[pick(['starting_after', 'ending_before'] as const)] = pick(rows).id
  if (random(3) === 0) query.date_from = pick(rows).created_at
  if (random(3) === 0) query.date_to = pick(rows).created_at
  return query
}

test('100 random pages of a subscription’s requests match the model', async () => {
  const sets = [
    { subscription: daily, rows: await requestsOf(daily), of: 45 },
    { subscription: weekly, rows: await requestsOf(weekly), of: 7 },
  ]
  for (const { rows, of } of sets) assert.equal(rows.length, of)
  const cursors = sets.flatMap(({ rows }) => rows)
  const readers = [
    { token: shop.token },
    { token: fixtures.admin.token },
    { token: fixtures.admin.token, headers: { 'florin-account': shop.account_id } },
  ]
  for (let done = 0; done < 100; done++) {
    const { subscription, rows } = pick(sets)
    const query = randomQuery(cursors)
    const given = Object.entries({ subscription, ...query }).map(([name, value]) => [
      name,
      `${value}`,
    ])
    const text = new URLSearchParams(given).toString()
    const { status, body } = await florin.call('GET', `/v1/payments?${text}`, pick(readers))
    assert.equal(status, 200, text)
    const ids = body.data.map(({ id }: Row) => id)
    assert.deepEqual({ ids, has_more: body.has_more }, model(rows, query), text)
  }
})

test('a foreign or unknown subscription has no requests, a malformed id returns 400', async () => {
  const read = async (who: { token: string }, subscription: string, headers = {}) => {
    const path = `/v1/payments?subscription=${subscription}`
    const { status, body } = await florin.call('GET', path, { token: who.token, headers })
    return status === 200 ? body.data.length : [status, body.error, body.message]
  }
  const member = await florin.people.member(shop)
  const platform = await florin.people.platform()
  for (const who of [shop, member]) {
    assert.equal(await read(who, weekly), 7)
    assert.equal(await read(who, foreign), 0)
  }
  for (const who of [fixtures.admin, platform]) {
    assert.equal(await read(who, foreign), 20)
    assert.equal(await read(who, foreign, { 'florin-account': shop.account_id }), 0)
    assert.equal(await read(who, weekly, { 'florin-account': shop.account_id }), 7)
  }
  assert.equal(await read(fixtures.admin, unknown), 0)
  const rule = '"subscription" must be a subscription id such as "sub_…"'
  for (const bad of ['', 'x', daily.replace('sub_', 'pay_'), daily.toUpperCase()]) {
    const message = `${rule}; got "${bad}".`
    assert.deepEqual(await read(shop, bad), [400, 'invalid_request', message], bad)
  }
})

test('the requests of a subscription are read by index among twenty thousand', async () => {
  const crowd = newUuid(Date.now())
  await queryWithoutTimeout(
    florin.db.pool,
    `insert into payment_requests (account_id, id, status, amount, currency, customer_email, token,
       declines, sends, expires_at, due_at, updated_at)
     select $1, gen_random_uuid(), status, 100, 'USD', 'customer@example.com', 'x' || n, 0, 1,
       now(), case status when 'pending' then now() end, now()
     from generate_series(1, 5000) as n
     cross join unnest(array['pending', 'failed', 'canceled', 'canceled']) as it (status)`,
    [crowd],
  )
  await florin.db.pool.query('vacuum analyze payment_requests, subscription_periods')
  const [account_id, id] = [shop.uuid, findUuid('subscription', daily)!]
  const ids = (await selectRequestIds(florin.db, { account_id, id })).map((row) => row.payment_id)
  let plan = ''
  const explaining: Queryable = {
    ...florin.db,
    rows: async (statement) => {
      const text = `explain (analyze, buffers) ${statement.text}`
      const { rows } = await florin.db.pool.query(text, statement.values)
      plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return []
    },
  }
  const all = { status: undefined, first_id: undefined, last_id: undefined }
  const top = { before: null, after: null, limit: 21 }
  await selectPaymentPage(explaining, { ...all, account_id, ids }, top)
  assert.doesNotMatch(plan, /Seq Scan on payment_requests_(pending|failed|canceled)/)
  const [, hits, reads = '0'] = plan.match(/Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/)!
  assert.ok(Number(hits ?? 0) + Number(reads) < 500, plan)
  await florin.db.pool.query('delete from payment_requests where account_id = $1', [crowd])
})

// Payment requests, subscriptions and bulk creates on a Citus cluster: each change is a transaction
// of one shard, also in batches with accounts of several shards.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PaymentLanes } from '../../src/payments/lanes.ts'
import { payByCard } from '../../src/payments/pay-by-card.ts'
import { selectPayments } from '../../src/payments/queries.ts'
import { moveClock } from '../../src/postgres/clock.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { sandboxProcessor } from '../../src/processors/processor.ts'
import { SubscriptionLanes } from '../../src/subscriptions/lanes.ts'
import { dueSubscriptionJob } from '../../src/subscriptions/run-due.ts'
import { distributedDatabase, without_citus } from '../support/citus.ts'
import { countShards, measure } from '../support/citus-counters.ts'
import { patient, type SecondServer } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { type Owner, People } from '../support/people.ts'

const options = { skip: without_citus }
const database = without_citus ? undefined : await distributedDatabase()
after(() => database?.drop())

const public_url = 'https://pay.example.com'
const customer_email = 'customer@example.com'

/** One request for each owner, at once. Returns the ids. */
function postAll(florin: SecondServer, owners: Owner[], path: string, body: object) {
  return Promise.all(
    owners.map(async ({ token, account_id }, at) => {
      const headers = { 'idempotency-key': `${path} ${at}` }
      const sent = await florin.call('POST', path, {
        token,
        headers,
        // The account of a subscription is that of its caller.
        body: path === '/v1/subscriptions' ? body : { account_id, ...body },
      })
      assert.ok(sent.status < 300, sent.text)
      return sent.body.id as string
    }),
  )
}

test('requests, card payments, renewals and bulk creates need no two phases', options, async () => {
  const on = database!
  await countShards(on)
  const setup = openDatabase(on.connection)
  const people = new People(setup)
  const owners = await Promise.all(Array.from({ length: 24 }, () => people.owner()))
  assert.ok(setup.shards.split(owners.map(accountOf)).length > 1, 'accounts of several shards')
  await setup.close()

  let requests: string[] = []
  const amount = { amount: 100, currency: 'USD' }
  const requested = await measure(on, async (florin) => {
    const body = { ...amount, customer_email }
    requests = await postAll(florin, owners, '/v1/payments', body)
    await postAll(florin, owners, '/v1/subscriptions', { ...body, interval: 'day' })
  })
  assert.deepEqual([requested.multi, requested.prepared], [0, 0])

  const paid = await measure(on, async ({ db }) => {
    const payment_lanes = new PaymentLanes(db, public_url, patient)
    const parts = { processor: sandboxProcessor(0), payment_lanes }
    const pay = async (owner: Owner, at: number) => {
      const key = { ...accountOf(owner), id: findUuid('payment', requests[at]!)! }
      const [row] = await selectPayments(db, [key])
      return payByCard(parts, row!, card)
    }
    const results = await Promise.all(owners.map(pay))
    assert.deepEqual([...new Set(results)], ['paid'])
  })
  assert.deepEqual([paid.multi, paid.prepared], [0, 0])

  const bulk = await measure(on, async (florin) => {
    const item = { ...amount, type: 'payment' }
    await postAll(florin, owners, '/v1/transactions/bulk', { transactions: [item, item, item] })
  })
  assert.deepEqual([bulk.multi, bulk.prepared], [0, 0])

  const clock = openDatabase(on.connection, { clients_max: 1 })
  await clock.transaction((tx) => moveClock(tx, 25 * 3_600_000))
  await clock.close()
  const renewed = await measure(on, async ({ db }) => {
    const subscription_lanes = new SubscriptionLanes(db, public_url, patient)
    const errors: unknown[] = []
    const renew = dueSubscriptionJob({ db, subscription_lanes }, (error) => errors.push(error))
    const { signal } = new AbortController()
    const { done } = await renew({ slots: [...Array(16).keys()], signal })
    assert.deepEqual(errors, [])
    assert.equal(done, owners.length)
  })
  assert.equal(renewed.prepared, 0)

  const db = openDatabase(on.connection)
  await checkInvariants(db.pool)
  await assertVerifyPasses(db)
  await db.close()
})

const card = { number: '4242424242424242' }

function accountOf({ account_id }: Owner): { account_id: string } {
  return { account_id: findUuid('account', account_id)! }
}

// Closing an account is one short transaction, however large the account; the rest runs in slices.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { findClosingProgress } from '../../../src/ledger/closings.ts'
import { cleanUpSlice, slice_rows_max } from '../../../src/operations/clean-up.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import { openProcessor } from '../../../src/processors/processor.ts'
import { jobsOf } from '../../../src/worker-jobs.ts'
import { openSubscriptionFixtures } from '../../subscriptions/subscription-fixtures.ts'
import { startFlorin } from '../../support/florin.ts'
import { recordSlices } from '../../support/record-slices.ts'
import type { Shop } from '../../transactions/transaction-fixtures.ts'
import { addMembers, addPaused, cleanUp, countLeft, forget } from './leftovers.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)
const removed = await recordSlices(florin.db.pool, 'users')
const canceled = await recordSlices(florin.db.pool, 'subscriptions', 'update')

const close = ({ token }: Shop, call = florin.call) => call('DELETE', '/v1/account', { token })

test('closing with 3,000 members deletes at most one slice at a time', async () => {
  const shop = await fixtures.shop()
  await addMembers(florin, shop.uuid, 3_000, 'crew')
  const response = await close(shop)
  assert.equal(response.status, 200, response.text)
  const { users } = await countLeft(florin, shop.uuid)
  assert.ok(users > 1_500, `${users} are left`)
  await cleanUp(florin, shop.uuid)
  const slices = await removed()
  assert.equal(Math.max(...slices), slice_rows_max)
  assert.equal(
    slices.reduce((sum, rows) => sum + rows),
    3_001,
  )
  const left = await countLeft(florin, shop.uuid)
  assert.deepEqual(left, { users: 0, subscriptions: 0, closings: 0 })
  assert.equal((await fixtures.eventTypes(shop)).at(-1), 'account.closed')
})

test('the sessions of a member are deleted in slices', async () => {
  const shop = await fixtures.shop()
  const member = await florin.people.member(shop)
  await florin.db.pool.query(
    `insert into sessions (id, user_id, account_id, role, ends_at, refreshed_at, address)
     select gen_random_uuid(), $1, $2, 'member', now() + interval '1 day', now(), '127.0.0.1'
     from generate_series(1, 2500)`,
    [findUuid('user', member.id), shop.uuid],
  )
  const deleted = await recordSlices(florin.db.pool, 'sessions')
  assert.equal((await close(shop)).status, 200)
  await cleanUp(florin, shop.uuid)
  const slices = await deleted()
  assert.equal(Math.max(...slices), 1_000)
  assert.equal(
    slices.reduce((sum, rows) => sum + rows),
    2_502,
  )
  const left = await countLeft(florin, shop.uuid)
  assert.deepEqual(left, { users: 0, subscriptions: 0, closings: 0 })
})

test('an active subscription prevents closing, however many are paused', async () => {
  const shop = await fixtures.shop()
  await addPaused(fixtures, shop, 500)
  const active = await fixtures.createSubscription(shop)
  const refused = await close(shop)
  assert.deepEqual([refused.status, refused.body.error], [409, 'active_subscriptions'])
  await fixtures.cancelSubscription(shop, active)
  assert.equal((await close(shop)).status, 200)
})

test('a worker finishes a closing after a crash; account.closed is the last event', async () => {
  const shop = await fixtures.shop()
  await addMembers(florin, shop.uuid, 1_100, 'late')
  const response = await close(shop)
  const before = await countLeft(florin, shop.uuid)
  assert.equal(before.closings, 1)
  assert.equal((await fixtures.eventTypes(shop)).includes('account.closed'), false)
  const { db, config } = florin
  const processor = await openProcessor(config)
  const jobs = jobsOf({ db, log: pino({ level: 'silent' }), config, processor })
  const job = jobs.find(({ name }) => name === 'finish_closings')!
  const slots = Array.from({ length: 16 }, (_, slot) => slot)
  const { signal } = new AbortController()
  while ((await job.run(db, { slots, signal })).more);
  const left = await countLeft(florin, shop.uuid)
  assert.deepEqual(left, { users: 0, subscriptions: 0, closings: 0 })
  const { rows } = await db.pool.query(
    'select type, at from events where account_id = $1 order by sequence desc limit 1',
    [shop.uuid],
  )
  assert.deepEqual(
    [rows[0].type, rows[0].at.toISOString()],
    ['account.closed', response.body.closed_at],
  )
})

test('eleven large closings in parallel succeed and do not block sign-ups', async () => {
  const shops = await Promise.all(Array.from({ length: 11 }, () => fixtures.shop()))
  for (const [at, { uuid }] of shops.entries()) await addMembers(florin, uuid, 1_500, `team${at}`)
  const signUp = (at: number) =>
    florin.call('POST', '/v1/users', {
      body: { email: `newcomer${at}@example.com`, password: 'correct horse battery' },
    })
  const [closed, others] = await Promise.all([
    Promise.all(shops.map((shop) => close(shop))),
    Promise.all(Array.from({ length: 10 }, (_, at) => signUp(at))),
  ])
  for (const { status, text } of closed) assert.equal(status, 200, text)
  for (const { status, text } of others) assert.equal(status, 201, text)
  await Promise.all(shops.map((shop) => cleanUp(florin, shop.uuid)))
  for (const shop of shops) assert.equal((await countLeft(florin, shop.uuid)).closings, 0)
})

test('closing with 50,000 paused subscriptions reads and writes them in slices', async () => {
  const shop = await fixtures.shop()
  await addPaused(fixtures, shop, 50_000)
  await canceled()
  const response = await close(shop)
  assert.equal(response.status, 200, response.text)
  const parts = { db: florin.db, public_url: florin.config.public_url }
  const long_ago = `update account_closings set progressed_at = now() - interval '1 hour'`
  await florin.db.pool.query(long_ago)
  assert.equal((await findClosingProgress(florin.db)).stalled, 1)
  assert.equal(await cleanUpSlice(parts, shop.uuid), true)
  assert.equal((await findClosingProgress(florin.db)).stalled, 0)
  const slices = await canceled()
  assert.deepEqual([...new Set(slices)], [slice_rows_max])
  const { subscriptions } = await countLeft(florin, shop.uuid)
  assert.equal(subscriptions, 50_001 - slices.length * slice_rows_max)
  assert.ok(subscriptions > 45_000, `${subscriptions} are left`)
  await cleanUp(florin, shop.uuid)
  await forget(florin, shop.uuid)
})

// A worker limits the deliveries in memory. Slow but healthy receivers must not use up the quota.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import type { DeliveryQuotas } from '../../src/webhooks/sending/quotas.ts'
import { startFlorin } from '../support/florin.ts'
import { makeEndpoint, makeTransaction, startDispatcher } from './run-dispatcher.ts'
import { type Sink, startSink } from './sink.ts'

const florin = await startFlorin()

function quotasOf(all: number, per_account: number): DeliveryQuotas {
  return { healthy: { all, per_account }, failing: { all, per_account } }
}

interface SlowSink extends Sink {
  /** Responds with 200 to the oldest pending requests. */
  complete(count?: number): void
}

async function startSinks(t: TestContext): Promise<{ slow: SlowSink; fast: Sink }> {
  const slow = await startSink()
  const fast = await startSink()
  t.after(() => Promise.all([slow.stop(), fast.stop()]))
  const pending: ServerResponse[] = []
  slow.respond = (_, response) => pending.push(response)
  const complete = (count = pending.length) => {
    for (const response of pending.splice(0, count)) response.end()
  }
  return { slow: Object.assign(slow, { complete }), fast }
}

async function makeSubscribed(urls: string[], transactions: number) {
  const owner = await florin.people.owner()
  for (const url of urls) await makeEndpoint(florin, owner, url)
  await makeMany(owner, transactions)
  return owner
}

async function makeMany(owner: Awaited<ReturnType<typeof makeSubscribed>>, count: number) {
  for (let made = 0; made < count; made += 30) {
    const some = Math.min(30, count - made)
    await Promise.all(Array.from({ length: some }, () => makeTransaction(florin, owner)))
  }
}

test('capacity that a slow receiver frees goes to accounts without any', async (t) => {
  const { slow, fast } = await startSinks(t)
  for (let n = 0; n < 2; n++) await makeSubscribed([slow.url], 40)
  startDispatcher(t, florin, { timeout_ms: 60_000, pace: { quotas: quotasOf(10, 5) } })
  await slow.until(10)
  for (let n = 0; n < 12; n++) await makeSubscribed([fast.url], 1)
  assert.equal(fast.received.length, 0, 'the quota is used up')
  slow.complete(1)
  // One free slot is enough for all of them in turn.
  await fast.until(12)
  slow.respond = (_, response) => response.end()
  slow.complete()
  await slow.until(80)
})

test('an account with many slow receivers leaves capacity for others', async (t) => {
  const { slow, fast } = await startSinks(t)
  await makeSubscribed([slow.url, slow.url, slow.url], 20)
  const quotas = quotasOf(20, 8)
  const dispatcher_run = startDispatcher(t, florin, { timeout_ms: 60_000, pace: { quotas } })
  await slow.until(8)
  await makeSubscribed([fast.url], 5)
  await fast.until(5)
  await dispatcher_run.nextPoll()
  assert.equal(slow.received.length, 8)
  // All three endpoints take turns until everything is sent.
  slow.respond = (_, response) => response.end()
  slow.complete()
  await slow.until(60)
})

test('idle endpoints of an account do not reserve capacity', async (t) => {
  const { slow, fast } = await startSinks(t)
  const owner = await florin.people.owner()
  for (let n = 0; n < 4; n++) await makeEndpoint(florin, owner, fast.url, ['account.closed'])
  await makeEndpoint(florin, owner, slow.url)
  await makeMany(owner, 20)
  startDispatcher(t, florin, { timeout_ms: 60_000, pace: { quotas: quotasOf(20, 8) } })
  await slow.until(8)
  slow.respond = (_, response) => response.end()
  slow.complete()
  await slow.until(20)
})

test('creates no further deliveries while the quota is used up', async (t) => {
  const { slow, fast } = await startSinks(t)
  await makeSubscribed([slow.url], 40)
  const options = { timeout_ms: 60_000, pace: { quotas: quotasOf(5, 5) } }
  const dispatcher_run = startDispatcher(t, florin, options)
  await slow.until(5)
  const owner = await makeSubscribed([fast.url], 0)
  await dispatcher_run.nextPoll()
  await makeMany(owner, 300)
  await dispatcher_run.nextPoll()
  await dispatcher_run.nextPoll()
  const { rows } = await florin.db.pool.query(
    'select count(*)::int as n from webhook_deliveries where account_id = $1',
    [findUuid('account', owner.account_id)],
  )
  assert.ok(rows[0].n <= 200, `${rows[0].n} deliveries`)
  slow.respond = (_, response) => response.end()
  slow.complete()
  await fast.until(300)
})

// A worker holds so many deliveries at a time. Receivers that are well and slow keep theirs long,
// and must leave others a place.

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
  /** Answers the longest held, well. */
  letGo(count?: number): void
}

async function startSinks(t: TestContext): Promise<{ slow: SlowSink; well: Sink }> {
  const slow = await startSink()
  const well = await startSink()
  t.after(() => Promise.all([slow.stop(), well.stop()]))
  const held: ServerResponse[] = []
  slow.answer = (_, response) => held.push(response)
  const letGo = (count = held.length) => {
    for (const response of held.splice(0, count)) response.end()
  }
  return { slow: Object.assign(slow, { letGo }), well }
}

async function makeFollowed(urls: string[], transactions: number) {
  const owner = await florin.people.owner()
  for (const url of urls) await makeEndpoint(florin, owner, url)
  await makeMany(owner, transactions)
  return owner
}

async function makeMany(owner: Awaited<ReturnType<typeof makeFollowed>>, count: number) {
  for (let made = 0; made < count; made += 30) {
    const some = Math.min(30, count - made)
    await Promise.all(Array.from({ length: some }, () => makeTransaction(florin, owner)))
  }
}

test('the place that one slow receiver leaves goes to whoever has none', async (t) => {
  const { slow, well } = await startSinks(t)
  for (let n = 0; n < 2; n++) await makeFollowed([slow.url], 40)
  startDispatcher(t, florin, { timeout_ms: 60_000, pace: { quotas: quotasOf(10, 5) } })
  await slow.until(10)
  for (let n = 0; n < 12; n++) await makeFollowed([well.url], 1)
  assert.equal(well.received.length, 0, 'the house is full')
  slow.letGo(1)
  // One place is enough for all of them, one after the other.
  await well.until(12)
  slow.answer = (_, response) => response.end()
  slow.letGo()
  await slow.until(80)
})

test('an account with many slow receivers leaves quotas to others', async (t) => {
  const { slow, well } = await startSinks(t)
  await makeFollowed([slow.url, slow.url, slow.url], 20)
  const quotas = quotasOf(20, 8)
  const dispatcher_run = startDispatcher(t, florin, { timeout_ms: 60_000, pace: { quotas } })
  await slow.until(8)
  await makeFollowed([well.url], 5)
  await well.until(5)
  await dispatcher_run.looksAgain()
  assert.equal(slow.received.length, 8)
  // All three have their turn, and all is sent in the end.
  slow.answer = (_, response) => response.end()
  slow.letGo()
  await slow.until(60)
})

test('an endpoint of the same account that has nothing to send keeps no place', async (t) => {
  const { slow, well } = await startSinks(t)
  const owner = await florin.people.owner()
  for (let n = 0; n < 4; n++) await makeEndpoint(florin, owner, well.url, ['account.closed'])
  await makeEndpoint(florin, owner, slow.url)
  await makeMany(owner, 20)
  startDispatcher(t, florin, { timeout_ms: 60_000, pace: { quotas: quotasOf(20, 8) } })
  await slow.until(8)
  slow.answer = (_, response) => response.end()
  slow.letGo()
  await slow.until(20)
})

test('while the house is full, no more is written down than was', async (t) => {
  const { slow, well } = await startSinks(t)
  await makeFollowed([slow.url], 40)
  const options = { timeout_ms: 60_000, pace: { quotas: quotasOf(5, 5) } }
  const dispatcher_run = startDispatcher(t, florin, options)
  await slow.until(5)
  const owner = await makeFollowed([well.url], 0)
  await dispatcher_run.looksAgain()
  await makeMany(owner, 300)
  await dispatcher_run.looksAgain()
  await dispatcher_run.looksAgain()
  const { rows } = await florin.db.pool.query(
    'select count(*)::int as n from webhook_deliveries where account_id = $1',
    [findUuid('account', owner.account_id)],
  )
  assert.ok(rows[0].n <= 200, `${rows[0].n} are written down`)
  slow.answer = (_, response) => response.end()
  slow.letGo()
  await well.until(300)
})

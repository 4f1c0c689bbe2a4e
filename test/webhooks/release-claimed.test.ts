// A worker that stops releases its unsent deliveries: they use up no attempt and need not wait for
// the lease to expire.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { makeEndpoint, makeTransaction, startDispatcher, waitFor } from './run-dispatcher.ts'
import { startSink } from './sink.ts'

const florin = await startFlorin()
const { db } = florin

async function countWhere(condition: string): Promise<number> {
  const counted = await db.pool.query(
    `select count(*)::int as n from webhook_deliveries where status = 'pending' and ${condition}`,
  )
  return counted.rows[0].n
}

test('a stopped worker releases its claims for the next worker', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  // Never responds, so that deliveries wait in the queue.
  sink.respond = () => {}
  const owner = await florin.people.owner()
  await makeEndpoint(florin, owner, sink.url, ['transaction.created'])
  for (let at = 0; at < 30; at++) await makeTransaction(florin, owner)
  const first = startDispatcher(t, florin)
  await sink.until(20)
  await waitFor(
    'more is claimed than sent',
    async () => (await countWhere('lease_id is not null')) === 30,
  )
  await first.stop()
  assert.equal(await countWhere('lease_id is not null'), 0)
  assert.equal(await countWhere('attempts <> 0'), 0)
  assert.equal(await countWhere('next_at <= now()'), 30)

  const sent = sink.received.length
  sink.respond = (_, response) => response.writeHead(204).end()
  startDispatcher(t, florin)
  await sink.until(sent + 30)
  await waitFor('all are delivered', async () => (await countWhere('true')) === 0)
  const { rows } = await db.pool.query('select distinct attempts from webhook_deliveries')
  assert.deepEqual(rows, [{ attempts: 1 }])
})

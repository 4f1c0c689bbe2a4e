// What a worker has claimed and not sent is given back when it ends: it costs no try, and nobody
// waits for a lease to run out.

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

test('a worker that stops leaves nothing claimed, and the next one sends it at once', async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  // It takes its time, so that much waits in the line.
  sink.answer = () => {}
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
  sink.answer = (_, response) => response.writeHead(204).end()
  startDispatcher(t, florin)
  await sink.until(sent + 30)
  await waitFor('all are taken', async () => (await countWhere('true')) === 0)
  const { rows } = await db.pool.query('select distinct attempts from webhook_deliveries')
  assert.deepEqual(rows, [{ attempts: 1 }])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlorinProcess } from '../cli/florin-process.ts'
import { startFlorin } from '../support/florin.ts'
import { urlOf, wait } from '../transactions/due.ts'
import { lockBalancesTable, waitForWaiters } from '../transactions/transaction-fixtures.ts'
import { day_s, openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)

test('after a worker is killed, each period is still requested once', async (t) => {
  const shops = await Promise.all(Array.from({ length: 4 }, () => fixtures.shop()))
  const ids = await fixtures.createDaily(shops, 5)
  await wait(florin, 100 * day_s)
  const env = { DATABASE_URL: urlOf(florin.connection), FLORIN_PROCESSOR: 'manual' }
  // Killed during a batch, which waits for locks: nothing is committed.
  const release = await lockBalancesTable(florin)
  t.after(release)
  const first = new FlorinProcess(['worker'], { env })
  t.after(() => first.stop('SIGKILL'))
  await waitForWaiters(florin)
  assert.equal((await first.stop('SIGKILL')).signal, 'SIGKILL')
  for (const id of ids) await fixtures.assertRequestedOnce(id, 1)
  await release()
  // Killed after a batch, far from the end. The leases of the first worker must expire first.
  const second = new FlorinProcess(['worker'], { env })
  t.after(() => second.stop('SIGKILL'))
  const text = 'select count(*)::int as n from subscription_periods where subscription_id = any($1)'
  const uuids = await florin.db.pool.query('select id from subscriptions where next_period = 1')
  const created = async () =>
    (await florin.db.pool.query(text, [uuids.rows.map(({ id }) => id)])).rows[0].n
  for (let attempt = 0; attempt < 3_000 && (await created()) === ids.length; attempt++) {
    await sleep(10)
  }
  assert.equal((await second.stop('SIGKILL')).signal, 'SIGKILL')
  assert.ok((await created()) > ids.length)
  await fixtures.advance(1)
  for (const id of ids) await fixtures.assertRequestedOnce(id, 101)
  await fixtures.cancelAll(shops)
})

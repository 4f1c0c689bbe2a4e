// Database access of subscriptions: few commits for many due ones, few pages to find them, and no
// change with a token that was revoked while the request waited.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { selectDueSubscriptions } from '../../src/subscriptions/queries.ts'
import { startFlorin } from '../support/florin.ts'
import { runWhileBlocked } from '../support/run-while-blocked.ts'
import { rollBackAfter } from '../support/without-timeout.ts'
import { day_s, openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openSubscriptionFixtures(florin)

test('a hundred due subscriptions are processed in a few commits', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => fixtures.shop()))
  const created = shops.flatMap((shop) =>
    Array.from({ length: 20 }, () => fixtures.createSubscription(shop)),
  )
  const ids = await Promise.all(created)
  await fixtures.advance(31 * day_s)
  const { rows } = await florin.db.pool.query(`
    select count(*)::int as n from subscription_periods where period = 1 group by xmin::text`)
  assert.equal(
    rows.reduce((sum, { n }) => sum + n, 0),
    ids.length,
  )
  assert.ok(rows.length <= 10, `${rows.length} commits`)
})

test('a write returns 401 if its token is revoked while it waits for the lock', async () => {
  const shop = await fixtures.shop()
  const id = await fixtures.createSubscription(shop)
  const locking = {
    text: 'select 1 from balances where account_id = $1 for update',
    values: [shop.uuid],
  }
  const sends = [
    () => fixtures.subscribe(shop),
    () => fixtures.patchSubscription(shop, id, { status: 'paused' }),
    () => fixtures.cancelSubscription(shop, id),
  ]
  for (const send of sends) {
    const { token } = await florin.people.session(shop)
    shop.token = token
    const response = await runWhileBlocked(florin, locking, send, (holder) =>
      holder.query('delete from tokens where token_hash = $1', [sha256(token)]),
    )
    assert.equal(response.status, 401, response.text)
  }
  const text = 'select status from subscriptions where account_id = $1'
  const { rows } = await florin.db.pool.query(text, [shop.uuid])
  assert.deepEqual(rows, [{ status: 'active' }])
})

test('due rows are found by index despite a backlog of another slot', async () => {
  const statement = await captured((db) =>
    selectDueSubscriptions(db, { by: new Date(), slots: [5], limit: 64, excluded_ids: [] }),
  )
  await rollBackAfter(florin.db.pool, async (query) => {
    // Twenty thousand due rows of slot 4, followed by three of slot 5.
    await query(`
      insert into subscriptions (account_id, id, status, customer_email, amount, currency,
        interval_unit, interval_count, next_period, next_at, updated_at)
      select ('00000000-0000-7000-8000-00000000000'
          || case when n <= 20000 then 4 else 5 end)::uuid,
        gen_random_uuid(), 'active', 'c@example.com', 1, 'USD', 'day', 1, 1,
        now() - interval '1 day' + n * interval '1 ms', now()
      from generate_series(1, 20003) as n`)
    await query('analyze subscriptions')
    const { rows } = await query(
      `explain (analyze, buffers, format json) ${statement.text}`,
      statement.values,
    )
    const [{ Plan: plan }] = rows[0]['QUERY PLAN']
    const nodes = nodesOf(plan)
    assert.ok(nodes.some((node) => node['Index Name'] === 'subscriptions_due'))
    assert.ok(!nodes.some((node) => /Seq Scan|Sort/.test(node['Node Type'])))
    assert.equal(plan['Actual Rows'], 3)
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    assert.ok(buffers <= 12, `${buffers} pages were read`)
  })
})

/** The statement that a query would send. */
async function captured(query: (db: Queryable) => Promise<unknown>): Promise<Sql> {
  let sent: Sql | undefined
  const rows = async (statement: Sql) => {
    sent = statement
    return []
  }
  await query({ rows } as unknown as Queryable)
  return sent!
}

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  Plans?: PlanNode[]
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

// What the worker's look reads, several times a second: the endpoints that are enabled, however
// many there ever were. In a database of its own, filled by hand. And what a filter of the list of
// deliveries reads.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { selectDeliveryPage } from '../../src/webhooks/queries.ts'
import { selectEnabled } from '../../src/webhooks/sending/queries.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { all_slots } from './postman.ts'

const { connection, name } = await cloneDatabase()
const client = new pg.Client(connection)
await client.connect()
after(async () => {
  await client.end()
  await dropDatabase(name)
  await stopOwnServer()
})

const all = 20_000
const enabled = 80

// Those of closed accounts stay, so that what was sent can be looked up.
await client.query(
  `insert into webhook_endpoints (account_id, id, url, events, status, disabled_reason, secret,
     event_sequence, updated_at)
   select gen_random_uuid(), gen_random_uuid(), 'https://example.com/' || n, '{*}',
     case when n % $1 = 0 then 'enabled' else 'disabled' end,
     case when n % $1 = 0 then null else 'closed' end, 'whsec_' || repeat('x', 32), n, now()
   from generate_series(1, $2::integer) as n`,
  [all / enabled, all],
)
await client.query('vacuum analyze webhook_endpoints')

interface Node {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
  Plans?: Node[]
}

/** As a statement is run that was planned once for all values, and for these. */
async function planOf(slots: number[], plan_cache_mode: string): Promise<Node> {
  let found: Node | undefined
  const rows = async ({ text, values }: Sql) => {
    const [given] = values as [string[]]
    const asked = `deallocate all; set plan_cache_mode = ${plan_cache_mode};
      prepare it as ${text};
      explain (analyze, buffers, format json) execute it ('{${given.join(',')}}')`
    const answer = [await client.query(asked)].flat().at(-1)!
    found = answer.rows[0]['QUERY PLAN'][0].Plan
    return []
  }
  await selectEnabled({ rows: rows as Queryable['rows'] } as Queryable, slots)
  return found!
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}

for (const mode of ['force_custom_plan', 'force_generic_plan']) {
  test(`a look reads only what is enabled, planned with ${mode}`, async () => {
    for (const slots of [all_slots, [3]]) {
      const plan = await planOf(slots, mode)
      const indexes = flatten(plan).flatMap((node) => node['Index Name'] ?? [])
      assert.deepEqual(indexes, ['webhook_endpoints_enabled'])
      // A row and its page each at the most, and the index in between.
      const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      assert.ok(buffers <= enabled + 2 * slots.length + 8, `${buffers} pages`)
      if (slots === all_slots) assert.equal(plan['Actual Rows'], enabled)
    }
  })
}

const account_id = '00000000-0000-7000-8000-000000000001'
await client.query(
  `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type, test_body,
     status, next_at, tried_at, response_status)
   select $1::uuid, gen_random_uuid(), $1::uuid, $1::uuid, 'x', 'x',
     case when n % 1000 = 0 then 'pending' else 'succeeded' end,
     case when n % 1000 = 0 then now() end, now(), case when n % 2000 = 0 then 500 else 200 end
   from generate_series(1, 20000) as n`,
  [account_id],
)
await client.query('vacuum analyze webhook_deliveries')

for (const status of ['pending', 'retrying'] as const) {
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    test(`the filter ${status} reads only open deliveries, planned with ${mode}`, async () => {
      let plan: Node | undefined
      const rows = async ({ text, values }: Sql) => {
        const given = values.map((value) => `'${value}'`).join(', ')
        const asked = `deallocate all; set plan_cache_mode = ${mode}; prepare it as ${text};
          explain (analyze, buffers, format json) execute it (${given})`
        plan = [await client.query(asked)].flat().at(-1)!.rows[0]['QUERY PLAN'][0].Plan
        return []
      }
      const filter = { account_id, endpoint_id: undefined, event_id: undefined }
      await selectDeliveryPage(
        { rows: rows as Queryable['rows'] } as Queryable,
        { ...filter, statuses: [status], before_id: undefined },
        { before: null, after: null, limit: 21 },
      )
      const indexes = flatten(plan!).flatMap((node) => node['Index Name'] ?? [])
      assert.deepEqual(indexes, ['webhook_deliveries_due'])
      assert.equal(plan!['Actual Rows'], 10)
    })
  }
}

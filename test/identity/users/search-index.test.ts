// On a large table, the planner uses the trigram index for a search of three characters or more.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countUsers, selectUsers } from '../../../src/identity/users/queries.ts'
import type { Queryable } from '../../../src/postgres/database.ts'
import type { Sql } from '../../../src/postgres/sql.ts'
import { startFlorin } from '../../support/florin.ts'
import { queryWithoutTimeout } from '../../support/without-timeout.ts'

const florin = await startFlorin()

// Random names; every hundredth contains "smith".
await queryWithoutTimeout(
  florin.db.pool,
  `
  with made as (
    select gen_random_uuid() as id, 'user' || n || '@example.com' as email,
      case when n % 100 = 0 then 'smith ' else '' end || md5(n::text) as name
    from generate_series(1, 5000) as n),
  claimed as (insert into email_claims select email, id from made),
  counted as (
    insert into list_counts
    select 'users', 'active', '', 0, count(*) from made)
  insert into users (id, role, status, email, email_canonical, name, password_hash, search,
    updated_at)
  select id, 'lone', 'active', email, email, name, 'none', name || E'\\n' || email, now()
  from made`,
)
await florin.db.pool.query('analyze users')

async function explain(query: (db: Queryable) => Promise<unknown>): Promise<string> {
  let statement: Sql | undefined
  const rows = async (captured: Sql) => {
    statement = captured
    return []
  }
  const row = async (captured: Sql) => {
    await rows(captured)
    return { n: 0 }
  }
  await query({ rows, row, count: async () => 0 } as unknown as Queryable)
  const { text, values } = statement!
  const plan = await florin.db.pool.query({ text: `explain ${text}`, values })
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n')
}

const searches = ['%smith%', '%user4999@%', '%without a match%', '%abc%']

for (const like of searches) {
  test(`a search for ${like} uses the index for count and page`, async () => {
    const filter = { status: undefined, like }
    assert.match(await explain((db) => countUsers(db, filter)), /users_search/)
    const active = { ...filter, status: 'active' as const }
    assert.match(await explain((db) => countUsers(db, active)), /users_search/)
    const page = { ...filter, offset: 0, limit: 25 }
    const plan = await explain((db) => selectUsers(db, page))
    assert.doesNotMatch(plan, /Seq Scan/)
    assert.match(plan, /users_search/)
  })
}

test('a page without a search uses the primary key', async () => {
  const page = { status: undefined, like: undefined, offset: 0, limit: 25 }
  assert.match(await explain((db) => selectUsers(db, page)), /users_pkey/)
  const suspended = { ...page, status: 'suspended' as const }
  assert.match(await explain((db) => selectUsers(db, suspended)), /users_by_status/)
})

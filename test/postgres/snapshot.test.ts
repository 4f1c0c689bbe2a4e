import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { inSnapshot } from '../../src/postgres/snapshot.ts'
import { sql } from '../../src/postgres/sql.ts'
import type { Refusal } from '../../src/primitives/refusal.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection, { clients_max: 2 })
await db.pool.query('create table marks (n int)')
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

const count = sql`
  select count(*) as n
  from marks`

test('reads one consistent state despite concurrent writes', async () => {
  await inSnapshot(db, async (snapshot) => {
    assert.deepEqual(await snapshot.row(count), { n: 0 })
    await db.pool.query('insert into marks values (1)')
    assert.deepEqual(await snapshot.row(count), { n: 0 })
    assert.deepEqual(await snapshot.rows(count), [{ n: 0 }])
    assert.deepEqual(await db.row(count), { n: 1 })
  })
  assert.deepEqual(await inSnapshot(db, (snapshot) => snapshot.row(count)), { n: 1 })
})

test('rejects writes, and returns a usable client to the pool after a failure', async () => {
  const write = sql`
    insert into marks
    values (2)`
  await assert.rejects(
    inSnapshot(db, (snapshot) => snapshot.count(write)),
    ({ details }: Refusal) => /read-only transaction/.test(String(details.cause)),
  )
  await assert.rejects(
    inSnapshot(db, async () => {
      throw new Error('a failed read')
    }),
    /a failed read/,
  )
  assert.equal(await db.count(write), 1)
  assert.equal(db.pool.idleCount, db.pool.totalCount)
})

test('sets work_mem for one snapshot only', async () => {
  const shown = sql`
    show work_mem`
  const inside = await inSnapshot(db, (snapshot) => snapshot.row(shown), { work_mem_mb: 99 })
  assert.deepEqual(inside, { work_mem: '99MB' })
  assert.notDeepEqual(await db.row(shown), { work_mem: '99MB' })
})

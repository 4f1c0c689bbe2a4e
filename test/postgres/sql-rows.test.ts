import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openDatabase } from '../../src/postgres/database.ts'
import { sql } from '../../src/postgres/sql.ts'
import { sqlRows } from '../../src/postgres/sql-rows.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { evenShards, setShards } from '../support/shard-catalog.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

// Without NUL, which PostgreSQL does not support, and the two separators.
const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => {
  return value.isWellFormed() && !/[\0\x1e\x1f]/.test(value)
})

const date = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })

const anyRow = fc.record(
  {
    a: fc.option(text),
    b: fc.option(fc.maxSafeInteger()),
    c: fc.option(fc.integer()),
    interval: fc.option(fc.boolean()),
    at: fc.option(date),
    id: fc.option(fc.uuid()),
  },
  { noNullPrototype: true },
)

const rowsOf = sqlRows(`
  a text, b bigint, c integer, interval boolean, at timestamptz, id uuid`)

test('round-trips rows of every type, with nulls and times to the millisecond', async () => {
  const check = async (rows: Parameters<typeof rowsOf.from>[0]) => {
    const found = await db.rows(sql`select a, b, c, "interval", at, id from ${rowsOf.from(rows)}`)
    assert.deepEqual(found, rows)
  }
  await fc.assert(fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 20 }), check))
})

test('sends values once if they are equal in all rows, and reads the same rows', async () => {
  const things = sqlRows('id integer, at timestamptz, note text', ['at', 'note'])
  const at = () => new Date('2026-11-18T04:00:00.123Z')
  type Thing = { id: number; at: Date; note: string | null }
  const alike: Thing[] = [
    { id: 1, at: at(), note: null },
    { id: 2, at: at(), note: null },
  ]
  const different: Thing[] = [...alike, { id: 3, at: at(), note: 'three' }]
  const read = (rows: Thing[]) => sql`select id, at, note from ${things.from(rows)}`
  assert.deepEqual(read(alike).values, ['1\u001f2', at(), null])
  for (const rows of [alike, different, different.slice(2)]) {
    assert.deepEqual(await db.rows(read(rows)), rows)
  }
})

test('stores exact times, also of distant years', async () => {
  const times = sqlRows('at timestamptz')
  const check = async (at: Date) => {
    const found = await db.row<{ ms: number }>(sql`
      select (extract(epoch from at) * 1000000)::bigint as ms
      from ${times.from([{ at }])}`)
    assert.equal(found!.ms, at.getTime() * 1_000)
  }
  const exact = fc.date({ min: new Date(0), max: new Date('2250-12-31'), noInvalidDate: true })
  await fc.assert(fc.asyncProperty(exact, check))
})

test('inserts rows by the names of their fields, also bytes', async () => {
  await db.count(sql`create table things (note text, hash bytea, id integer)`)
  const rows = [
    { id: 1, hash: Buffer.from([0, 255]), note: 'one' },
    { id: 2, hash: null, note: '' },
  ]
  await db.count(
    sql`insert into things ${sqlRows('id integer, hash bytea, note text').insert(rows)}`,
  )
  assert.deepEqual(await db.rows(sql`select id, hash, note from things order by id`), rows)
})

test('rejects a value that could be read as a separator or as null', () => {
  const texts = sqlRows('a text')
  for (const a of ['two\u001fthree', '\u001e']) {
    assert.throws(() => texts.from([{ a }, { a }]), /contains the separator/)
  }
  const missing = {} as { a: string }
  assert.throws(() => texts.from([missing, missing]), /no value for a column/)
})

test('a statement with rows is prepared, once for one row and once for several', () => {
  const numbers = sqlRows('a integer, b integer')
  const make = (rows: { a: number; b: number }[], after: number) =>
    sql`select ${'first'} from ${numbers.from(rows)} where a > ${after}`
  const one = make([{ a: 1, b: 2 }], 3)
  const two = [
    { a: 4, b: 5 },
    { a: 6, b: 7 },
  ]
  const several = make(two, 8)
  assert.match(one.name!, /^florin_[0-9a-f]{16}$/)
  assert.match(several.name!, /^florin_[0-9a-f]{16}$/)
  assert.notEqual(one.name, several.name)
  assert.equal(make([...two, ...two], 9).name, several.name)
  for (const { text } of [one, several]) {
    assert.match(text, /^select \$1 from .*\$2.*\$3.* where a > \$4$/)
  }
  assert.deepEqual(one.values, ['first', 1, 2, 3])
  assert.deepEqual(several.values, ['first', '4\u001f6', '5\u001f7', 8])
})

test('rows of an account without a balance fail the transaction on Citus', async () => {
  await setShards(db, evenShards(2))
  await db.count(sql`create table parts (account_id uuid, n integer)`)
  const parts = sqlRows('account_id uuid, n integer')
  const known = newUuid(Date.now())
  const unknown = newUuid(Date.now())
  await db.count(sql`
    insert into balances (account_id, currency, status, available, incoming, held, owed,
      posting_sequence, event_sequence, last_transaction_id, last_at)
    values (${known}, 'USD', 'active', 0, 0, 0, 0, 0, 0, ${known}, now())`)
  const insert = (account_ids: string[]) =>
    db.transaction(async (tx) => {
      const rows = account_ids.map((account_id, n) => ({ account_id, n }))
      tx.send(sql`insert into parts ${parts.insertByAccount(rows, tx)}`)
    })
  await assert.rejects(insert([known, unknown]), /accounts with a balance: 1 of 2/)
  const insertFrom = (account_ids: string[]) =>
    db.transaction(async (tx) => {
      const rows = account_ids.map((account_id, n) => ({ account_id, n }))
      const from = parts.fromAccounts(rows, tx)
      tx.send(sql`insert into parts select account_id, n from ${from}`)
    })
  await assert.rejects(insertFrom([unknown]), /accounts with a balance: 0 of 1/)
  assert.deepEqual(await db.rows(sql`select n from parts`), [])
  await insert([known, known])
  await insertFrom([known])
  assert.deepEqual(await db.rows(sql`select n from parts order by n`), [
    { n: 0 },
    { n: 0 },
    { n: 1 },
  ])
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { column, timeColumn, timeOf } from '../../src/postgres/column.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { sql } from '../../src/postgres/sql.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

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

test('round-trips a column of texts, numbers and nulls', async () => {
  const anyRow = fc.tuple(fc.option(text), fc.maxSafeInteger(), fc.option(fc.integer()))
  const anyRows = fc.array(anyRow, { minLength: 1 })
  const check = async (rows: [string | null, number, number | null][]) => {
    const found = await db.rows(sql`
      select a, b, c
      from unnest(${column(rows.map(([a]) => a))}, ${column(rows.map(([, b]) => b))}::bigint[],
        ${column(rows.map(([, , c]) => c))}::int[]) as it (a, b, c)`)
    assert.deepEqual(
      found,
      rows.map(([a, b, c]) => ({ a, b, c })),
    )
  }
  await fc.assert(fc.asyncProperty(anyRows, check))
})

test('passes a single empty text as one value', async () => {
  const found = await db.rows(sql`select a from unnest(${column([''])}) as it (a)`)
  assert.deepEqual(found, [{ a: '' }])
})

test('rejects a value that contains the separator', () => {
  assert.throws(() => column(['one', 'two\u001fthree']), /contains the separator/)
})

test('round-trips times to the millisecond', async () => {
  const date = fc.date({ min: new Date(0), max: new Date('2999-12-31'), noInvalidDate: true })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(date), { minLength: 1 }), async (times) => {
      const found = await db.rows<{ at: Date | null }>(sql`
        select ${timeOf(sql`ms`)}::timestamptz(3) as at
        from unnest(${timeColumn(times)}) as it (ms)`)
      assert.deepEqual(
        found.map(({ at }) => at),
        times,
      )
    }),
  )
})

// Values survive a round trip to PostgreSQL.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/postgres/sql.ts'
import { startFlorin } from '../support/florin.ts'

const { db } = await startFlorin()

const texts = ['', 'plain', 'NULL', 'null', 'a,b', '{}', '"', '\\', '\\"', "it's", ' x ', 'ü', '💶']

test('round-trips texts in an array, without reading them as syntax', async () => {
  const found = await db.row<{ back: string[] }>(sql`select ${[...texts, null]}::text[] as back`)
  assert.deepEqual(found!.back, [...texts, null])
})

test('round-trips bytes, alone and in an array', async () => {
  const bytes = [Buffer.from([0, 1, 92, 34, 255]), Buffer.alloc(0)]
  const found = await db.row<{ one: Buffer; all: Buffer[] }>(
    sql`select ${bytes[0]}::bytea as one, ${bytes}::bytea[] as all`,
  )
  assert.deepEqual([found!.one, found!.all], [bytes[0], bytes])
})

const times = [
  '2026-11-15T04:30:00.120Z',
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0099-02-28T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00.000Z',
].map((text) => new Date(text))

test('round-trips times of any year to the millisecond', async () => {
  for (const time of times) {
    const found = await db.row<{ back: Date }>(sql`select ${time}::timestamptz(3) as back`)
    assert.equal(found!.back.getTime(), time.getTime())
  }
})

test('rejects a value that cannot be serialized, and keeps the pool usable', async () => {
  await assert.rejects(db.rows(sql`select ${{ not: 'a value' }}::text`), TypeError)
  const change = db.transaction(async (tx) => {
    await tx.rows(sql`select ${Symbol('x')}::text`)
  })
  await assert.rejects(change, TypeError)
  assert.deepEqual(await db.rows(sql`select 1 as one`), [{ one: 1 }])
  assert.equal(db.pool.idleCount, db.pool.totalCount)
})

test('rolls back a change with a value that cannot be serialized', async () => {
  await db.pool.query('create table written (number int)')
  const write = (number: unknown) => sql`insert into written values (${number}::int)`
  for (let round = 0; round < 3; round++) {
    const change = db.transaction(async (tx) => {
      tx.send(write(1))
      tx.send(write(Symbol('x')))
    })
    await assert.rejects(change, TypeError)
    assert.deepEqual(await db.rows(sql`select number from written`), [])
    // The same statement on several clients.
    const good = [1, 2, 3, 4].map(() =>
      db.transaction(async (tx) => {
        tx.send(write(2))
      }),
    )
    await Promise.all(good)
    await db.pool.query('delete from written')
  }
  assert.equal(db.pool.idleCount, db.pool.totalCount)
})

test('prepares a statement that was skipped after an error the next time', async () => {
  const divide = (divisor: number) => sql`select 10 / ${divisor}::int as quotient`
  const change = db.transaction(async (tx) => {
    // Both are sent in one packet: the second is skipped and not prepared.
    const [first, second] = await Promise.allSettled([
      tx.rows(sql`select 1 / 0 as never`),
      tx.rows(divide(2)),
    ])
    assert.deepEqual([first.status, second.status], ['rejected', 'rejected'])
    throw new Error('roll back')
  })
  await assert.rejects(change, /roll back/)
  for (let round = 0; round < 20; round++) {
    await assert.rejects(db.rows(divide(0)), { code: '22012' })
    assert.deepEqual(await db.rows(divide(5)), [{ quotient: 2 }])
  }
})

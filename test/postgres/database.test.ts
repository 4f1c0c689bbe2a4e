// Database transactions: what counts as committed, what is tried again, and what trouble is called.

import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { sql } from '../../src/postgres/sql.ts'
import { Refusal } from '../../src/primitives/refusal.ts'
import { startFlorin } from '../support/florin.ts'

const { db } = await startFlorin()
await db.pool.query('create table probes (id int primary key, n int not null)')
await db.pool.query('insert into probes values (1, 0), (2, 0)')

const add = (id: number) => sql`update probes set n = n + 1 where id = ${id}`

async function countOf(id: number): Promise<number> {
  return (await db.row<{ n: number }>(sql`select n from probes where id = ${id}`))!.n
}

/** A statement that fails with this SQLSTATE. */
function failing(state: string): Sql {
  const text = `do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`
  return { text, values: [], name: undefined }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unavailable'
}

test('COMMIT that is answered with ROLLBACK is no success', async () => {
  const before = await countOf(1)
  const change = db.transaction(async (tx) => {
    await tx.count(add(1))
    // The failure is swallowed, so only the tag of COMMIT tells that nothing was kept.
    await tx.rows(sql`select 1 / 0`).catch(() => {})
    return 'kept'
  })
  await assert.rejects(change, /COMMIT returned ROLLBACK/)
  assert.equal(await countOf(1), before)
})

test('a throw rolls back, and the client goes back into the pool unharmed', async () => {
  const before = await countOf(1)
  for (let round = 0; round < 30; round++) {
    const change = db.transaction(async (tx) => {
      await tx.count(add(1))
      throw new Refusal('conflict', 'no')
    })
    await assert.rejects(change, { code: 'conflict' })
  }
  assert.equal(await countOf(1), before)
  assert.equal(db.pool.waitingCount, 0)
  assert.equal(db.pool.idleCount, db.pool.totalCount)
})

test('of two changes in a deadlock both happen, once each', async () => {
  const before = [await countOf(1), await countOf(2)]
  let tries = 0
  let holders = 0
  let meet = () => {}
  const bothHoldOne = new Promise<void>((resolve) => {
    meet = resolve
  })
  const change = (first: number, second: number) =>
    db.transaction(async (tx) => {
      tries += 1
      await tx.count(add(first))
      holders += 1
      if (holders === 2) meet()
      await bothHoldOne
      await tx.count(add(second))
    })
  await Promise.all([change(1, 2), change(2, 1)])
  // Both may lose, when both look for the ring in the same moment.
  assert.ok(tries >= 3, 'one of them lost and was tried again')
  assert.deepEqual([await countOf(1), await countOf(2)], [before[0]! + 2, before[1]! + 2])
})

test('a change that loses every time is tried four times and then unavailable', async () => {
  for (const state of ['40001', '40P01']) {
    let tries = 0
    const change = db.transaction(async (tx) => {
      tries += 1
      await tx.rows(failing(state))
    })
    await assert.rejects(change, isUnavailable, state)
    assert.equal(tries, 4)
    await assert.rejects(db.rows(failing(state)), isUnavailable, 'outside of a change')
  }
})

test('trouble of the database is unavailable, and a fault of ours stays one', async () => {
  const trouble = ['08006', '53300', '57014', '57P01', '58030', '28000', '3D000', '55P03', '25P03']
  for (const state of [...trouble, '25006']) {
    await assert.rejects(db.rows(failing(state)), isUnavailable, state)
    const change = db.transaction((tx) => tx.rows(failing(state)))
    await assert.rejects(change, isUnavailable, `${state} in a change`)
  }
  for (const state of ['22P02', '23505', '23514', '42601', '42P01', '25P02', 'P0001', 'XX000']) {
    await assert.rejects(db.rows(failing(state)), { code: state })
  }
})

test('a change that holds its locks and says nothing is ended as unavailable', async () => {
  const change = db.transaction(async (tx) => {
    await tx.rows({
      text: 'set local idle_in_transaction_session_timeout = 100',
      values: [],
      name: undefined,
    })
    await tx.count(add(1))
    await new Promise((resolve) => setTimeout(resolve, 600))
    await tx.count(add(1))
  })
  await assert.rejects(change, isUnavailable)
  assert.equal(await db.count(add(2)), 1, 'the pool goes on')
})

test('every connection has its time-outs', async () => {
  const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
  const found = await Promise.all(names.map((name) => db.pool.query(`show ${name}`)))
  assert.deepEqual(
    found.map(({ rows }) => Object.values(rows[0])[0]),
    ['3s', '5s', '5s'],
  )
})

test('a server that greets and ends a connection in one breath is unavailable', async () => {
  const greeting = Buffer.concat([packet('R', '\0\0\0\0'), packet('Z', 'I')])
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', '']
  const farewell = packet('E', fields.map((field) => `${field}\0`).join(''))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([greeting, farewell])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const doomed = openDatabase({ host: '127.0.0.1', port, user: 'florin', database: 'florin' })
  for (let round = 0; round < 5; round++) {
    const change = doomed.transaction((tx) => tx.rows(sql`select 1`))
    await assert.rejects(change, isUnavailable)
    await assert.rejects(doomed.rows(sql`select 1`), isUnavailable)
  }
  await doomed.close()
  await new Promise((resolve) => server.close(resolve))
})

/** A message as PostgreSQL sends it: a letter, the length, the content. */
function packet(letter: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(content))
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content)])
}

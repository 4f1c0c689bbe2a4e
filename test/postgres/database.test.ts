// Database transactions: what counts as committed, what is retried, and how failures are reported.

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

test('fails when COMMIT returns ROLLBACK', async () => {
  const before = await countOf(1)
  const change = db.transaction(async (tx) => {
    await tx.count(add(1))
    // The failure is swallowed, so only the command tag of COMMIT shows the rollback.
    await tx.rows(sql`select 1 / 0`).catch(() => {})
    return 'committed'
  })
  await assert.rejects(change, /COMMIT returned ROLLBACK/)
  assert.equal(await countOf(1), before)
})

test('rolls back on a throw, and returns a usable client to the pool', async () => {
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

test('applies both changes of a deadlock exactly once', async () => {
  const before = [await countOf(1), await countOf(2)]
  let attempts = 0
  let holders = 0
  let meet = () => {}
  const bothHoldOne = new Promise<void>((resolve) => {
    meet = resolve
  })
  const change = (first: number, second: number) =>
    db.transaction(async (tx) => {
      attempts += 1
      await tx.count(add(first))
      holders += 1
      if (holders === 2) meet()
      await bothHoldOne
      await tx.count(add(second))
    })
  await Promise.all([change(1, 2), change(2, 1)])
  // Both may fail, if both detect the deadlock at the same time.
  assert.ok(attempts >= 3, 'at least one was retried')
  assert.deepEqual([await countOf(1), await countOf(2)], [before[0]! + 2, before[1]! + 2])
})

test('returns unavailable after four attempts with serialization conflicts', async () => {
  for (const state of ['40001', '40P01']) {
    let attempts = 0
    const change = db.transaction(async (tx) => {
      attempts += 1
      await tx.rows(failing(state))
    })
    await assert.rejects(change, isUnavailable, state)
    assert.equal(attempts, 4)
    await assert.rejects(db.rows(failing(state)), isUnavailable, 'outside of a transaction')
  }
})

test('reports database failures as unavailable, and passes other errors on', async () => {
  const failures = ['08006', '53300', '57014', '57P01', '58030', '28000', '3D000', '55P03', '25P03']
  for (const state of [...failures, '25006']) {
    await assert.rejects(db.rows(failing(state)), isUnavailable, state)
    const change = db.transaction((tx) => tx.rows(failing(state)))
    await assert.rejects(change, isUnavailable, `${state} in a transaction`)
  }
  for (const state of ['22P02', '23505', '23514', '42601', '42P01', '25P02', 'P0001', 'XX000']) {
    await assert.rejects(db.rows(failing(state)), { code: state })
  }
})

test('ends a transaction that is idle for too long as unavailable', async () => {
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
  assert.equal(await db.count(add(2)), 1, 'the pool still works')
})

test('sets timeouts on every connection', async () => {
  const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
  const found = await Promise.all(names.map((name) => db.pool.query(`show ${name}`)))
  assert.deepEqual(
    found.map(({ rows }) => Object.values(rows[0])[0]),
    ['3s', '5s', '5s'],
  )
})

test('returns unavailable for a server that accepts and closes a connection at once', async () => {
  const greeting = Buffer.concat([packet('R', '\0\0\0\0'), packet('Z', 'I')])
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', '']
  const error = packet('E', fields.map((field) => `${field}\0`).join(''))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([greeting, error])))
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

/** A message of the PostgreSQL protocol: a type byte, the length, the content. */
function packet(type: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(content))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)])
}

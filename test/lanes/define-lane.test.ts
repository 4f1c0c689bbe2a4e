// The batch engine with a small noun: one database transaction per batch, in arrival order,
// with tokens, idempotency keys and bisection.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '../../src/primitives/ids.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransactionFixtures, type Shop } from '../transactions/transaction-fixtures.ts'
import { type NoteCommand, type NoteEntry, NoteLanes, type NoteRow } from './note-lanes.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
await florin.db.pool.query(`
  create table notes (account_id uuid, id uuid, status text, text text not null,
    updated_at timestamptz, primary key (account_id, id))`)

const lanes = new NoteLanes(florin.db)

function submit(command: NoteCommand, more: Partial<NoteEntry> = {}) {
  return lanes.submit({
    command,
    account_id: command.account_id,
    background: false,
    isWanted: () => true,
    token: undefined,
    key: undefined,
    status: 201,
    render: (row) => JSON.stringify(row),
    ...more,
  })
}

const create = ({ uuid }: Shop, text: string): NoteCommand => {
  return { kind: 'create', account_id: uuid, text }
}

async function created(shop: Shop, text: string): Promise<NoteRow> {
  return JSON.parse(String((await submit(create(shop, text))).body))
}

async function stored(shop: Shop) {
  const { rows } = await florin.db.pool.query(
    'select text, status, xmin::text from notes where account_id = $1 order by id',
    [shop.uuid],
  )
  return rows
}

test('commands that arrive together are one database transaction, in arrival order', async () => {
  const shop = await fixtures.shop()
  const { id } = await created(shop, 'first')
  const close = { kind: 'close', account_id: shop.uuid, id } as const
  const results = await Promise.allSettled([
    submit(create(shop, 'second')),
    submit(close),
    submit(close),
    submit(create(shop, 'third')),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  const rows = await stored(shop)
  assert.deepEqual(
    rows.map(({ text, status }) => [text, status]),
    [
      ['first', 'closed'],
      ['second', 'open'],
      ['third', 'open'],
    ],
  )
  assert.equal(new Set(rows.map(({ xmin }) => xmin)).size, 1)
})

test('an account or a row that does not exist is the error of the noun', async () => {
  const shop = await fixtures.shop()
  const id = newUuid(Date.now())
  const commands: NoteCommand[] = [
    { kind: 'create', account_id: id, text: 'lost' },
    { kind: 'close', account_id: shop.uuid, id },
  ]
  for (const command of commands) await assert.rejects(submit(command), { code: 'not_found' })
})

test('a command with a revoked token is rejected under the lock', async () => {
  const shop = await fixtures.shop()
  const token = { kind: 'session', token_hash: sha256('gone'), account_id: shop.uuid } as const
  await assert.rejects(submit(create(shop, 'no'), { token }), { code: 'unauthorized' })
  assert.deepEqual(await stored(shop), [])
})

test('a key returns its stored response, and is rejected with another request', async () => {
  const shop = await fixtures.shop()
  const key = {
    scope_id: shop.uuid,
    key_hash: sha256('key'),
    fingerprint: sha256('request'),
    sealingKey: () => Buffer.alloc(0),
  }
  const first = await submit(create(shop, 'once'), { key })
  const again = await submit(create(shop, 'once'), { key })
  assert.deepEqual([first.replayed, again.replayed], [false, true])
  assert.equal(String(again.body), first.body)
  const other = { ...key, fingerprint: sha256('another request') }
  const code = 'idempotency_conflict'
  await assert.rejects(submit(create(shop, 'twice'), { key: other }), { code })
  assert.equal((await stored(shop)).length, 1)
})

test('a row that PostgreSQL rejects fails only its own command', async () => {
  const shop = await fixtures.shop()
  const bad = null as unknown as string
  const texts = ['a', 'b', bad, 'c', 'd']
  const results = await Promise.allSettled(texts.map((text) => submit(create(shop, text))))
  assert.deepEqual(
    results.map(({ status }) => status === 'fulfilled'),
    [true, true, false, true, true],
  )
  const rows = await stored(shop)
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['a', 'b', 'c', 'd'],
  )
})

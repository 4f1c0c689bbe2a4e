// One Idempotency-Key sent to a lane and to another endpoint at once. Accounts are always locked
// before keys, which prevents deadlocks.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { waitForWaiters } from './transaction-fixtures.ts'

const florin = await startFlorin()
const { pool } = florin.db

const withKey = ({ token }: Owner, key: string) => ({ token, headers: { 'idempotency-key': key } })

function pay(owner: Owner, key: string) {
  const { account_id } = owner
  const body = { account_id, amount: 5, currency: 'USD', type: 'payment' }
  return florin.call('POST', '/v1/transactions', { ...withKey(owner, key), body })
}

function rename(owner: Owner, key: string, name = 'Acme') {
  return florin.call('PATCH', '/v1/account', { ...withKey(owner, key), body: { name } })
}

/** The number of sessions that have written a key and wait for a lock. */
async function countWaitingWithKeys(): Promise<number> {
  // By session: databases cloned from one template use the same oid for this table, so the locks of
  // other tests on the same server would match too.
  const text = `select count(*)::int as n from pg_stat_activity join pg_locks using (pid)
    where datname = current_database() and wait_event_type = 'Lock'
      and relation = 'idempotency_keys'::regclass and mode = 'RowExclusiveLock'`
  return (await pool.query(text)).rows[0].n
}

test('a request that waits for an account holds no key', async () => {
  const owner = await florin.people.owner()
  const other = await pool.connect()
  try {
    await other.query('begin')
    const account = findUuid('account', owner.account_id)
    await other.query('select 1 from balances where account_id = $1 for update', [account])
    const renamed = rename(owner, 'waits')
    await waitForWaiters(florin)
    assert.equal(await countWaitingWithKeys(), 0)
    await other.query('commit')
    assert.equal((await renamed).status, 200)
  } finally {
    other.release()
  }
})

test('of two different requests with one key, one succeeds and one gets 422', async () => {
  const owner = await florin.people.owner()
  for (let round = 0; round < 20; round++) {
    const key = `pair-${round}`
    const responses = await Promise.all([rename(owner, key, `Acme ${round}`), pay(owner, key)])
    const refused = responses.filter(({ status }) => status === 422)
    assert.equal(refused.length, 1, responses.map(({ text }) => text).join('\n'))
    assert.ok(responses.some(({ status }) => status < 300))
  }
})

test('twenty concurrent requests with one key have one effect', async () => {
  const owner = await florin.people.owner()
  const sent = Array.from({ length: 10 }, () => [rename(owner, 'one'), pay(owner, 'one')]).flat()
  const responses = await Promise.all(sent)
  const done = responses.filter(({ status }) => status < 300)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const { status } of responses) assert.ok([200, 201, 409, 422].includes(status), `${status}`)
  const events = await florin.call('GET', '/v1/events', { token: owner.token })
  assert.equal(events.body.data.length, 3, 'account, owner and one change')
})

test('a key used by a concurrent transaction fails only its entry of the batch', async () => {
  const owner = await florin.people.owner()
  const other = await pool.connect()
  try {
    await other.query('begin')
    const scope = findUuid('account', owner.account_id)
    const hash = sha256(`${findUuid('user', owner.id)}\ntaken`)
    await other.query(
      `insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
       values ($1, $2, $3, current_date + 30, 200, '{}')`,
      [scope, hash, randomBytes(32)],
    )
    const paid = pay(owner, 'taken')
    await waitForWaiters(florin)
    assert.equal(await countWaitingWithKeys(), 1)
    await other.query('commit')
    const response = await paid
    assert.deepEqual([response.status, response.body.error], [422, 'idempotency_conflict'])
  } finally {
    other.release()
  }
})

// The response to COMMIT is lost, and evidence shows whether the change was committed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventEvidence } from '../../src/ledger/event-evidence.ts'
import { type Evidence, newEvidenceRow } from '../../src/postgres/commit-evidence.ts'
import { type Db, openDatabase, type Tx } from '../../src/postgres/database.ts'
import { OutcomeUnknown } from '../../src/postgres/failure.ts'
import { sql } from '../../src/postgres/sql.ts'
import { sweepEvidence } from '../../src/postgres/sweep.ts'
import { newRealTimeUuid } from '../../src/primitives/ids.ts'
import { openPaymentFixtures } from '../payments/payment-fixtures.ts'
import { addBareAccounts } from '../support/bare-accounts.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { startFlorin } from '../support/florin.ts'
import { newPassword } from '../support/secrets.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)
const proxy = await startCommitProxy(florin.connection)
const server = await florin.startSecondServer({}, proxy.connection)
const direct = florin.db.pool
await direct.query('create table probes (n int not null)')
await direct.query('insert into probes values (0)')

const add = sql`update probes set n = n + 1`

/** Runs a change through the proxy and returns by how much it raised the number. */
async function effectOf(change: (db: Db) => Promise<unknown>): Promise<number> {
  const db = openDatabase(proxy.connection, { clients_max: 3 })
  const before = (await direct.query('select n from probes')).rows[0].n
  try {
    await change(db)
  } finally {
    await db.close()
  }
  return (await direct.query('select n from probes')).rows[0].n - before
}

/** How many evidence rows a change has left. */
async function rowsOf(change: () => Promise<unknown>): Promise<number> {
  const count = async () =>
    (await direct.query('select count(*)::int as n from commit_evidence')).rows[0].n as number
  const before = await count()
  await change()
  return (await count()) - before
}

for (const fault of ['lose_commit_response', 'lose_all_responses', 'panic', 'cut_before'] as const)
  for (const how of ['awaited', 'sent'] as const)
    test(`a change without an event takes effect once (${fault}, ${how})`, async () => {
      const effect = await effectOf(async (db) => {
        proxy.next(fault)
        await db.transaction(async (tx) => {
          if (how === 'sent') tx.send(add)
          else await tx.count(add)
        })
      })
      assert.equal(effect, 1)
    })

for (const end of ['commit', 'end'] as const)
  test(`waits for a change that is still in progress (${end})`, async () => {
    const effect = await effectOf(async (db) => {
      const commit = proxy.next('strand')
      const change = db.transaction((tx) => tx.count(add))
      await commit.seen
      // Long enough for the check to wait for the row.
      await sleep(100)
      await commit.release(end)
      assert.equal(await change, 1)
    })
    assert.equal(effect, 1)
  })

test('settles changes when every client of the pool has lost its connection', async () => {
  const effect = await effectOf(async (db) => {
    for (let times = 0; times < 3; times++) proxy.next('lose_commit_response')
    const changes = [1, 2, 3].map(() => db.transaction(async (tx) => tx.send(add)))
    await Promise.all(changes)
  })
  assert.equal(effect, 3)
})

test('repeats a change that wrote nothing', async () => {
  let runs = 0
  await effectOf(async (db) => {
    proxy.next('lose_commit_response')
    await db.transaction(async (tx) => {
      runs += 1
      await tx.rows(sql`select n from probes`)
    })
  })
  assert.equal(runs, 2)
})

for (const fault of ['lose_commit_response', 'cut_before'] as const)
  test(`a new account is created once (${fault})`, async () => {
    const email = `new-${fault.replaceAll('_', '-')}@example.com`
    const body = { email, password: newPassword(), name: 'New Ltd', type: 'business' }
    proxy.next(fault)
    const { token } = fixtures.admin
    const response = await server.call('POST', '/v1/accounts', { token, body })
    assert.equal(response.status, 201, response.text)
    const { rows } = await direct.query('select id from accounts where email = $1', [email])
    assert.equal(rows.length, 1)
  })

test('a batch without an event takes effect once, and its row names the account', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.createPayment(shop)).body
  proxy.next('lose_commit_response')
  const sent = await server.call('POST', `/v1/payments/${id}/send`, { token: shop.token })
  assert.equal(sent.status, 200, sent.text)
  const text = `select sends, (select count(*)::int from commit_evidence
      where account_id = $1 and committed) as rows
    from payment_requests where account_id = $1`
  const { rows } = await direct.query(text, [shop.uuid])
  assert.deepEqual(rows, [{ sends: 2, rows: 2 }], 'the second row is that of the new account')
})

test('writes a row only if there is no event', async () => {
  const { db } = florin
  const shop = await fixtures.shop()
  assert.equal(await rowsOf(() => fixtures.create(shop)), 0, 'a payment')
  assert.equal(await rowsOf(() => db.transaction((tx) => tx.count(add))), 1, 'no event')
  assert.equal(await rowsOf(() => db.transaction(async (tx) => tx.send(add))), 1, 'sent')
  const cte = sql`with added as (update probes set n = n + 1 returning n) select n from added`
  assert.equal(await rowsOf(() => db.transaction((tx) => tx.rows(cte))), 1, 'a CTE that writes')
  const unawaited = async (tx: Tx) => void tx.count(add)
  assert.equal(await rowsOf(() => db.transaction(unawaited)), 1, 'not awaited')
  const read = sql`select n from probes for update`
  assert.equal(await rowsOf(() => db.transaction((tx) => tx.rows(read))), 0, 'a read')
  const none = sql`update probes set n = 0 where false`
  assert.equal(await rowsOf(() => db.transaction((tx) => tx.count(none))), 0, 'no row changed')
})

const checkWith = (evidence: Evidence) => florin.db.transaction((tx) => evidence(tx))

test('a row that was committed is found, also twice', async () => {
  const { insert, evidence } = newEvidenceRow()
  await florin.db.count(insert)
  assert.deepEqual([await checkWith(evidence), await checkWith(evidence)], [true, true])
})

test('an absent row stays absent: a COMMIT that arrives later fails', async () => {
  const { insert, evidence } = newEvidenceRow()
  assert.deepEqual([await checkWith(evidence), await checkWith(evidence)], [false, false])
  await assert.rejects(florin.db.count(insert), { code: '23505' })
  assert.equal(await checkWith(evidence), false)
})

test('an event proves its change by its id, not by its number', async () => {
  const shop = await fixtures.shop()
  await fixtures.create(shop)
  const { rows } = await direct.query(
    'select account_id, sequence::int, id from events where account_id = $1 order by sequence desc',
    [shop.uuid],
  )
  const event = rows[0] as { account_id: string; sequence: number; id: string }
  assert.equal(await checkWith(eventEvidence(event)), true)
  // Another batch used the number, as after a failover.
  const other = { ...event, id: newRealTimeUuid(Date.now()) }
  assert.equal(await checkWith(eventEvidence(other)), false)
  const later = { ...other, sequence: event.sequence + 1 }
  assert.equal(await checkWith(eventEvidence(later)), false)
  await assert.rejects(
    checkWith(eventEvidence({ ...event, account_id: other.id })),
    OutcomeUnknown,
    'an account that does not exist',
  )
})

test('an event that has been pruned leaves the outcome unknown', async () => {
  const shop = await fixtures.shop()
  await fixtures.create(shop)
  const { rows } = await direct.query(
    'select * from events where account_id = $1 and sequence = 1',
    [shop.uuid],
  )
  const { account_id, id, type, object_id, at, data } = rows[0]
  await direct.query('delete from events where account_id = $1 and sequence = 1', [shop.uuid])
  await assert.rejects(checkWith(eventEvidence({ account_id, sequence: 1, id })), OutcomeUnknown)
  await direct.query('insert into events values ($1, 1, $2, $3, $4, $5, $6)', [
    account_id,
    id,
    type,
    object_id,
    at,
    data,
  ])
})

test('deletes rows after an hour', async () => {
  await direct.query('delete from commit_evidence')
  const old = newRealTimeUuid(Date.now() - 3_601_000)
  const insert = 'insert into commit_evidence values ($1, $2, true)'
  const { insert: fresh } = newEvidenceRow()
  await florin.db.count(fresh)
  const account_id = newRealTimeUuid(Date.now())
  await addBareAccounts(direct, [account_id])
  await direct.query(insert, [account_id, old])
  await direct.query(insert, ['ffffffff-ffff-ffff-ffff-ffffffffffff', old])
  assert.equal(await sweepEvidence(florin.db), 2)
  await direct.query('delete from balances where account_id = $1', [account_id])
  const { rows } = await direct.query('select id from commit_evidence')
  assert.deepEqual(rows, [{ id: fresh.values[1] }])
})

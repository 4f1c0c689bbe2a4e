// The coordinator and the workers of a Citus cluster are killed during COMMIT. Killing one process
// of a PostgreSQL server with SIGKILL makes the server drop all sessions and recover from its WAL.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'
import { ask } from '../support/ask.ts'
import { distributedDatabase, toNode, without_citus } from '../support/citus.ts'
import { type SecondServer, serveOn } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { type Owner, People } from '../support/people.ts'
import { until } from '../support/until.ts'

const may_kill = process.env.FLORIN_TEST_CITUS_KILL === '1'
const skip =
  without_citus ||
  (!may_kill &&
    'set FLORIN_TEST_CITUS_KILL=1 if this machine runs the cluster and nothing else uses it')
const kills_max = 12
const clients = 24

interface Attempt {
  reference: string
  has_key: boolean
  /** The id of the response; undefined if the outcome is unknown. */
  id?: string
  /** The last response promised that nothing happened. */
  is_rejected?: true
}

test('kill -9 of coordinator and worker during COMMIT loses and doubles nothing', {
  skip,
  timeout: 300_000,
}, async (t) => {
  const { connection, nodes, name, drop } = await distributedDatabase()
  t.after(drop)
  const florin = await serveOn(connection)
  const people = new People(florin.db)
  const owners = await Promise.all(Array.from({ length: 12 }, () => people.owner()))
  const attempts: Attempt[] = []
  const load = { stopped: false }
  const running = Array.from({ length: clients }, (_, at) =>
    payUntilStopped(florin, owners[at % owners.length]!, at % 2 === 0, load, attempts),
  )
  const kills = { coordinator: 0, worker: 0 }
  for (let kill = 0; kill < kills_max; kill++) {
    const node = nodes[kill % nodes.length]!
    const killed = await killDuringCommit(toNode(connection, node), name)
    if (killed) kills[node.is_coordinator ? 'coordinator' : 'worker'] += 1
    const acknowledged = countAcknowledged(attempts)
    await until(
      () => countAcknowledged(attempts) > acknowledged + clients,
      'payments after the restart',
    )
  }
  load.stopped = true
  await Promise.all(running)
  assert.ok(kills.coordinator >= 2 && kills.worker >= 4, JSON.stringify(kills))

  await ask(connection, 'select recover_prepared_transactions()')
  const { rows } = await florin.db.pool.query<{ id: string; reference: string }>(
    'select id, reference from transactions',
  )
  const stored = Map.groupBy(rows, ({ reference }) => reference)
  for (const { reference, has_key, id, is_rejected } of attempts) {
    const found = stored.get(reference)?.length ?? 0
    assert.ok(found <= 1, `${reference} was doubled`)
    if (id !== undefined) assert.equal(found, 1, `${reference} was acknowledged and lost`)
    else if (is_rejected) assert.equal(found, 0, `${reference} was rejected and stored`)
    assert.ok(!has_key || id !== undefined, 'a retry with the key succeeds in the end')
  }
  await checkInvariants(florin.db.pool)
  await assertVerifyPasses(florin.db)
  t.diagnostic(`${JSON.stringify(kills)}, ${countAcknowledged(attempts)} of ${attempts.length}`)
  await florin.close()
})

function countAcknowledged(attempts: Attempt[]): number {
  return attempts.filter(({ id }) => id !== undefined).length
}

async function payUntilStopped(
  florin: SecondServer,
  owner: Owner,
  has_key: boolean,
  load: { stopped: boolean },
  attempts: Attempt[],
): Promise<void> {
  while (!load.stopped) {
    const attempt: Attempt = { reference: randomUUID(), has_key }
    attempts.push(attempt)
    await pay(florin, owner, attempt)
  }
}

/** With a key it is repeated until it succeeds, as a client does. */
async function pay(florin: SecondServer, owner: Owner, attempt: Attempt): Promise<void> {
  const { reference, has_key } = attempt
  const { account_id, token } = owner
  const body = { account_id, amount: 5, currency: 'USD', type: 'payment', reference }
  const headers = has_key ? { 'idempotency-key': reference } : {}
  for (let left = has_key ? 600 : 1; left > 0; left--) {
    const sent = await florin.call('POST', '/v1/transactions', { token, headers, body })
    if (sent.status === 201) {
      attempt.id = sent.body.id
      return
    }
    assert.ok(sent.status === 503 || sent.status === 409, sent.text)
    if (!/outcome is unknown/i.test(sent.body.message)) attempt.is_rejected = true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns whether the killed process was committing. */
async function killDuringCommit(node: Connection, database: string): Promise<boolean> {
  const find = `select pid, query ilike 'commit%' or query ilike 'prepare tr%' as commits
    from pg_stat_activity
    where datname = '${database}' and state = 'active' and pid <> pg_backend_pid()
      and application_name ~ '^(florin|citus_internal)'
    order by 2 desc limit 1`
  const client = new pg.Client(node)
  client.on('error', () => {})
  await client.connect()
  try {
    for (let left = 2_000; left > 0; left--) {
      const found = (await client.query(find)).rows[0]
      if (!found?.commits) continue
      process.kill(found.pid, 'SIGKILL')
      return true
    }
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

// A worker on a Citus cluster: it settles, sends webhooks and emails, and sweeps, for accounts of
// several shards.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { cleanUpSlice } from '../../src/operations/clean-up.ts'
import { moveClock } from '../../src/postgres/clock.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { openProcessor } from '../../src/processors/processor.ts'
import { startWorker } from '../../src/worker.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { ask } from '../support/ask.ts'
import { distributedDatabase, without_citus } from '../support/citus.ts'
import { type SecondServer, serveOn } from '../support/florin.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { type Owner, People } from '../support/people.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { until } from '../support/until.ts'
import { startSink } from '../webhooks/sink.ts'

const database = without_citus ? undefined : await distributedDatabase()
after(() => database?.drop())

const accounts = 8
const transactions_each = 3

async function post(florin: SecondServer, { token }: Owner, path: string, body: object) {
  const sent = await florin.call('POST', path, { token, body })
  assert.equal(sent.status, 201, sent.text)
}

/** Expired rows of every account, of which a sweep finds some in each shard. */
const expired_rows = [
  `insert into request_logs (account_id, entry_id, id, method, path, status, duration_ms,
     caller_kind, caller_id, has_idempotency_key)
   select account_id, '01900000-0000-7000-8000-000000000001'::uuid, account_id, 'GET', '/', 200, 1,
     'user', account_id, false from balances`,
  `insert into commit_evidence (account_id, id, committed)
   select account_id, '01900000-0000-7000-8000-000000000001'::uuid, true from balances`,
  `insert into webhook_deliveries (account_id, id, endpoint_id, event_id, event_type, test_body,
     status)
   select account_id, '01900000-0000-7000-8000-000000000001'::uuid, account_id, account_id, 'x',
     'x', 'succeeded' from balances`,
  `insert into webhook_attempts (account_id, delivery_id, attempted_at, url, duration_ms)
   select account_id, '01900000-0000-7000-8000-000000000001'::uuid, now(), 'x', 1 from balances`,
  `insert into emails (account_id, cause, id, state, kind, recipient, content)
   select account_id, 'old', '01900000-0000-7000-8000-000000000001'::uuid, 'stored',
     'payment_receipt', 'x', '{}' from balances`,
  `insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
   select account_id, 'x', 'x', current_date - 1, 200, 'x' from balances`,
  `insert into email_changes (account_id, email, token_hash, password_fingerprint, expires_at)
   select account_id, 'x', 'x', 'x', now() - interval '1 day' from balances`,
]
const swept_tables = [
  `request_logs where entry_id = '01900000-0000-7000-8000-000000000001'`,
  `commit_evidence where id = '01900000-0000-7000-8000-000000000001'`,
  `webhook_deliveries where id = '01900000-0000-7000-8000-000000000001'`,
  `webhook_attempts where delivery_id = '01900000-0000-7000-8000-000000000001'`,
  `emails where cause = 'old'`,
  `idempotency_keys where fingerprint = 'x'`,
  'email_changes',
]

test('a worker does all of its jobs in several shards', { skip: without_citus }, async (t) => {
  const { connection } = database!
  const sink = await startSink()
  const smtp = await startSmtpServer()
  const env = {
    DATABASE_URL: connection.connectionString!,
    HOST: '127.0.0.1',
    FLORIN_SMTP_URL: smtp.url,
    FLORIN_EMAIL_FROM: 'Acme <pay@example.com>',
  }
  const florin = await serveOn(connection, env)
  const { db } = florin
  t.after(async () => {
    await florin.close()
    await sink.stop()
    await smtp.stop()
  })
  const config = readConfig(env)
  const log = pino({ level: 'silent' })
  const worker = await startWorker(config, log)
  const people = new People(db)
  const owners = await Promise.all(Array.from({ length: accounts }, () => people.owner()))
  const shards = new Set(
    owners.map((one) => db.shards.shardOf(findUuid('account', one.account_id)!)),
  )
  assert.ok(shards.size > 1, 'the accounts are in several shards')

  const failed: unknown[] = []
  try {
    await Promise.all(
      owners.map((owner) =>
        post(florin, owner, '/v1/webhook_endpoints', { url: sink.url, events: ['transaction.*'] }),
      ),
    )
    await Promise.all(
      owners.flatMap((owner) => {
        const { account_id } = owner
        const money = { amount: 700, currency: 'USD' }
        const payment = { account_id, ...money, type: 'payment' }
        const request = { account_id, ...money, customer_email: `${account_id}@example.com` }
        return [
          ...Array.from({ length: transactions_each }, () =>
            post(florin, owner, '/v1/transactions', payment),
          ),
          post(florin, owner, '/v1/payments', request),
        ]
      }),
    )
    await db.transaction((tx) => moveClock(tx, 3_600_000))
    const count = async (rest: string) =>
      Number((await ask(connection, `select count(*)::int as n from ${rest}`)).rows[0].n)
    const total = accounts * transactions_each
    await until(
      async () => (await count(`transactions where status = 'succeeded'`)) === total,
      'settlements',
    )
    await until(
      async () =>
        (await count(`emails where state = 'sent' and kind = 'payment_request'`)) === accounts,
      'emails',
    )
    // Created and succeeded.
    await until(
      async () => (await count(`webhook_deliveries where status = 'succeeded'`)) === 2 * total,
      'webhooks',
    )
    const ids = sink.received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [2 * total, 2 * total], 'once each')

    for (const text of expired_rows) await ask(connection, text)
    const processor = await openProcessor(config)
    const slots = [...Array(16).keys()]
    const { signal } = new AbortController()
    for (const job of jobsOf({ db, log, config, processor })) {
      await job.run(db, { slots, signal }).catch((error) => failed.push([job.name, error]))
    }
    assert.deepEqual(failed, [])
    for (const table of swept_tables) assert.equal(await count(table), 0, table)
  } finally {
    await worker.close()
  }
  await checkInvariants(db.pool)
  await assertVerifyPasses(db)
})

test('closing cancels 1,200 transactions and their account in slices', {
  skip: without_citus,
}, async (t) => {
  const { connection } = database!
  const florin = await serveOn(connection, { FLORIN_PROCESSOR: 'manual' })
  t.after(() => florin.close())
  const { account_id, token } = await new People(florin.db).owner()
  const item = { amount: 5, currency: 'USD', type: 'payment' }
  for (const count of [1_000, 200]) {
    const body = { account_id, transactions: Array.from({ length: count }, () => item) }
    const sent = await florin.call('POST', '/v1/transactions/bulk', { token, body })
    assert.equal(sent.status, 200, sent.text)
  }
  const closed = await florin.call('DELETE', '/v1/account', { token })
  assert.equal(closed.status, 200, closed.text)
  const parts = { db: florin.db, public_url: florin.config.public_url }
  const uuid = findUuid('account', account_id)!
  let slices = 1
  while (await cleanUpSlice(parts, uuid)) slices += 1
  assert.ok(slices > 1, 'the response did not wait for all of them')
  const { rows } = await ask(
    connection,
    `select status, count(*)::int as n from transactions where account_id = '${uuid}' group by 1`,
  )
  assert.deepEqual(rows, [{ status: 'canceled', n: 1_200 }])
  const events = await ask(
    connection,
    `select type, max(sequence) over () - count(*) over () as gaps from events
     where account_id = '${uuid}' order by sequence desc limit 1`,
  )
  assert.deepEqual(events.rows, [{ type: 'account.closed', gaps: '0' }])
  await checkInvariants(florin.db.pool)
  await assertVerifyPasses(florin.db)
})

// Kills the real worker while it sends: every committed event is delivered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { findWorkerPid } from '../cli/find-worker-pid.ts'
import { makeInstallation } from '../cli/florin-process.ts'
import { makeDatabase } from '../cli/shared-database.ts'
import { call } from '../support/call.ts'
import { credentials } from '../support/people.ts'
import { waitFor } from './run-dispatcher.ts'
import { startSink, verify } from './sink.ts'

test('a worker that is killed repeatedly loses no event', async (t) => {
  const { env, connection } = await makeDatabase(t)
  const installation = await makeInstallation(t)
  const sink = await startSink()
  t.after(() => sink.stop())
  const db = openDatabase(connection)
  t.after(() => db.close())
  const { florin, url } = await installation.start({ env: { ...env, FLORIN_RATE_LIMIT: 'off' } })

  const who = credentials('killed')
  const account = await call(url, 'POST', '/v1/accounts', {
    body: { ...who, name: 'Acme', type: 'business' },
  })
  const login = await call(url, 'POST', '/v1/auth/login', { body: who })
  const token = login.body.access_token
  const body = { url: sink.url, events: ['transaction.created'] }
  const endpoint = await call(url, 'POST', '/v1/webhook_endpoints', { token, body })
  assert.equal(endpoint.status, 201)

  const delivered = new Set<string>()
  sink.respond = (received, response) => {
    verify(received, endpoint.body.secret)
    setTimeout(() => {
      if (response.destroyed) return
      delivered.add(received.event.data.id)
      response.end()
    }, 20)
  }
  const created: string[] = []
  let worker: number | undefined
  for (let round = 0; round < 2; round++) {
    worker = await findWorkerPid(florin.pid, worker)
    const before = sink.received.length
    for (let n = 0; n < 60; n++) {
      const response = await call(url, 'POST', '/v1/transactions', {
        token,
        body: { account_id: account.body.id, amount: 100, currency: 'USD', type: 'payment' },
      })
      created.push(response.body.id)
      if (n === 40) await sink.until(before + 1)
      if (n === 40) process.kill(worker, 'SIGKILL')
    }
  }
  await findWorkerPid(florin.pid, worker)
  await waitFor(
    'all are delivered',
    async () => {
      // Simulates expired leases of the killed workers.
      await db.pool.query(
        `update webhook_deliveries set next_at = now() - interval '1 second'
         where status = 'pending' and (lease_id is not null or error is not null)
           and next_at < now() + interval '58 seconds'`,
      )
      return delivered.size === created.length
    },
    60_000,
  )
  assert.deepEqual([...delivered].sort(), created.sort())
  const { rows } = await db.pool.query('select count(*)::int as n from webhook_deliveries')
  assert.equal(rows[0].n, created.length)
  await florin.stop()
})

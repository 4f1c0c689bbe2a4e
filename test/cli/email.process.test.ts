// Email in real processes: the worker sends it, and doctor checks the SMTP server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/postgres/database.ts'
import { emailStatusOf, makeDue, queueReceipt } from '../email/outbox.ts'
import { headerOf, startSmtpServer } from '../support/smtp-server.ts'
import { until } from '../support/until.ts'
import { makeInstallation } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'

const sender = { FLORIN_EMAIL_FROM: 'Acme Payments <pay@example.com>' }

test('two workers send each queued email once, and stop on SIGTERM', async (t) => {
  const installation = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const server = await startSmtpServer()
  const db = openDatabase(connection)
  t.after(async () => {
    await db.close()
    await server.stop()
  })
  const settings = { env: { ...env, ...sender, FLORIN_SMTP_URL: server.url } }
  const workers = [installation.run(['worker'], settings), installation.run(['worker'], settings)]
  for (const worker of workers) await worker.line('florin worker is ready')
  await Promise.all(Array.from({ length: 50 }, () => queueReceipt(db)))
  const deadline_ms = Date.now() + 20_000
  while (server.received.length < 50 && Date.now() < deadline_ms) await sleep(50)
  for (const worker of workers) assert.equal((await worker.stop('SIGTERM')).code, 0)
  assert.equal(server.received.length, 50)
  const { rows } = await db.pool.query('select state, count(*)::int from emails group by 1')
  assert.deepEqual(rows, [{ state: 'sent', count: 50 }])
})

test('stopping florin start waits for an email in progress', async (t) => {
  const installation = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const server = await startSmtpServer()
  const db = openDatabase(connection)
  t.after(async () => {
    await db.close()
    await server.stop()
  })
  let started = 0
  // A worker that does not wait would have exited by then; it waits up to four seconds.
  server.onMessage = async () => {
    started += 1
    await sleep(1_000)
    return undefined
  }
  const settings = { env: { ...env, ...sender, FLORIN_SMTP_URL: server.url } }
  const { florin } = await installation.start(settings)
  const cause = await queueReceipt(db)
  await until(() => started === 1)
  assert.equal((await florin.stop('SIGTERM')).code, 0)
  assert.equal((await emailStatusOf(db, cause)).state, 'sent')
})

test('another worker retries the email of a worker that was killed', async (t) => {
  const installation = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const server = await startSmtpServer()
  const db = openDatabase(connection)
  t.after(async () => {
    await db.close()
    await server.stop()
  })
  const settings = { env: { ...env, ...sender, FLORIN_SMTP_URL: server.url } }
  const ids: (string | undefined)[] = []
  // The server receives the email but never confirms it.
  server.onMessage = (message) => {
    ids.push(headerOf(message, 'Message-ID'))
    return new Promise(() => {})
  }
  const killed = installation.run(['worker'], settings)
  await killed.line('florin worker is ready')
  const cause = await queueReceipt(db)
  await until(() => ids.length > 0)
  await killed.stop('SIGKILL')
  assert.equal((await emailStatusOf(db, cause)).state, 'queued')

  server.onMessage = async () => undefined
  const next = installation.run(['worker'], settings)
  await next.line('florin worker is ready')
  // The lease lasts two minutes; makeDue ends it below.
  await sleep(1_500)
  assert.equal(server.received.length, 0)
  await makeDue(db)
  await until(() => server.received.length > 0)
  assert.equal((await next.stop('SIGTERM')).code, 0)
  assert.equal(headerOf(server.received[0]!, 'Message-ID'), ids[0])
  const { state, attempts } = await emailStatusOf(db, cause)
  assert.deepEqual([state, attempts], ['sent', 2])
})

test('without an SMTP server the worker marks queued emails as stored', async (t) => {
  const installation = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const db = openDatabase(connection)
  t.after(() => db.close())
  await db.pool.query('update email_delivery set enabled = true')
  const cause = await queueReceipt(db)
  const worker = installation.run(['worker'], { env })
  await worker.line('florin worker is ready')
  await until(async () => (await emailStatusOf(db, cause)).state === 'stored')
  assert.equal((await worker.stop('SIGTERM')).code, 0)
})

test('doctor checks the SMTP server', async (t) => {
  const installation = await makeInstallation(t)
  const server = await startSmtpServer()
  const mailOf = async (env: Record<string, string>) => {
    const { stdout } = await installation.run(['doctor', '--json'], { env }).ended
    const { checks } = JSON.parse(stdout) as { checks: { check: string; message: string }[] }
    return checks.find(({ check }) => check === 'Email')!.message
  }
  const live = {
    FLORIN_MODE: 'live',
    FLORIN_PROCESSOR: 'manual',
    FLORIN_PUBLIC_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  }
  assert.match(await mailOf(live), /^No SMTP server: customers receive no payment links or rec/)
  assert.match(await mailOf({}), /^stored in the database only; nothing is sent$/)
  const settings = { ...sender, FLORIN_SMTP_URL: server.url }
  assert.equal(await mailOf(settings), `from pay@example.com through 127.0.0.1:${server.port}`)
  await server.stop()
  assert.match(
    await mailOf(settings),
    /is not usable: .*ECONNREFUSED.* stay queued until it works\.$/,
  )
})

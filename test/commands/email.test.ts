// Mail in the whole program: the worker sends, and doctor looks at the way.

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

test('two workers send what is queued, each email once, and stop when told', async (t) => {
  const place = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const server = await startSmtpServer()
  const db = openDatabase(connection)
  t.after(async () => {
    await db.close()
    await server.stop()
  })
  const settings = { env: { ...env, ...sender, FLORIN_SMTP_URL: server.url } }
  const workers = [place.run(['worker'], settings), place.run(['worker'], settings)]
  for (const worker of workers) await worker.line('florin worker is ready')
  await Promise.all(Array.from({ length: 50 }, () => queueReceipt(db)))
  const deadline_ms = Date.now() + 20_000
  while (server.received.length < 50 && Date.now() < deadline_ms) await sleep(50)
  for (const worker of workers) assert.equal((await worker.stop('SIGTERM')).code, 0)
  assert.equal(server.received.length, 50)
  const { rows } = await db.pool.query('select state, count(*)::int from emails group by 1')
  assert.deepEqual(rows, [{ state: 'sent', count: 50 }])
})

test('florin start that is stopped lets a slow mail server take the email', async (t) => {
  const place = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const server = await startSmtpServer()
  const db = openDatabase(connection)
  t.after(async () => {
    await db.close()
    await server.stop()
  })
  let begun = 0
  // A worker that did not wait for it would be gone by then; four seconds are what it waits.
  server.onMessage = async () => {
    begun += 1
    await sleep(1_000)
    return undefined
  }
  const settings = { env: { ...env, ...sender, FLORIN_SMTP_URL: server.url } }
  const { florin } = await place.start(settings)
  const cause = await queueReceipt(db)
  await until(() => begun === 1)
  assert.equal((await florin.stop('SIGTERM')).code, 0)
  assert.equal((await emailStatusOf(db, cause)).state, 'sent')
})

test('a worker that is killed in the middle of an email leaves it to the next', async (t) => {
  const place = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const server = await startSmtpServer()
  const db = openDatabase(connection)
  t.after(async () => {
    await db.close()
    await server.stop()
  })
  const settings = { env: { ...env, ...sender, FLORIN_SMTP_URL: server.url } }
  const ids: (string | undefined)[] = []
  // It has all of the email, and never says so.
  server.onMessage = (message) => {
    ids.push(headerOf(message, 'Message-ID'))
    return new Promise(() => {})
  }
  const killed = place.run(['worker'], settings)
  await killed.line('florin worker is ready')
  const cause = await queueReceipt(db)
  await until(() => ids.length > 0)
  await killed.stop('SIGKILL')
  assert.equal((await emailStatusOf(db, cause)).state, 'queued')

  server.onMessage = async () => undefined
  const next = place.run(['worker'], settings)
  await next.line('florin worker is ready')
  // As if two minutes had passed: until then the lease keeps it from everybody.
  await sleep(1_500)
  assert.equal(server.received.length, 0)
  await makeDue(db)
  await until(() => server.received.length > 0)
  assert.equal((await next.stop('SIGTERM')).code, 0)
  assert.equal(headerOf(server.received[0]!, 'Message-ID'), ids[0])
  const stand = await emailStatusOf(db, cause)
  assert.deepEqual([stand.state, stand.attempts], ['sent', 2])
})

test('without a mail server a worker keeps what waits', async (t) => {
  const place = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const db = openDatabase(connection)
  t.after(() => db.close())
  await db.pool.query('update email_delivery set enabled = true')
  const cause = await queueReceipt(db)
  const worker = place.run(['worker'], { env })
  await worker.line('florin worker is ready')
  await until(async () => (await emailStatusOf(db, cause)).state === 'stored')
  assert.equal((await worker.stop('SIGTERM')).code, 0)
})

test('doctor says where mail goes, and what is wrong with the way', async (t) => {
  const place = await makeInstallation(t)
  const server = await startSmtpServer()
  const mailOf = async (env: Record<string, string>) => {
    const { stdout } = await place.run(['doctor', '--json'], { env }).ended
    const { checks } = JSON.parse(stdout) as { checks: { check: string; message: string }[] }
    return checks.find(({ check }) => check === 'Email')!.message
  }
  const live = {
    FLORIN_MODE: 'live',
    FLORIN_PROCESSOR: 'manual',
    FLORIN_PUBLIC_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  }
  assert.match(await mailOf(live), /^no SMTP server: customers get no payment links or receipts\./)
  assert.match(await mailOf({}), /^kept in the database for admins; nothing leaves/)
  const settings = { ...sender, FLORIN_SMTP_URL: server.url }
  assert.equal(await mailOf(settings), `from pay@example.com through 127.0.0.1:${server.port}`)
  await server.stop()
  assert.match(await mailOf(settings), /does not take mail: .*ECONNREFUSED.* emails wait\.$/)
})

// Looking without touching: status and doctor, with the server up and down, healthy and not.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { knownMigrations } from '../../src/postgres/migrate.ts'
import { call } from '../support/call.ts'
import { findFreePort } from '../support/free-port.ts'
import { ask } from '../support/postgres.ts'
import { newPassword } from '../support/secrets.ts'
import { databasePid, type Installation, makeInstallation } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'

interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
}

async function doctor(place: Installation, env: Record<string, string>) {
  const { code, stdout } = await place.run(['doctor', '--json'], { env }).ended
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] }
  assert.equal(code, ok ? 0 : 1)
  const of = (check: string) => checks.find((finding) => finding.check === check)
  return { ok, checks, of }
}

async function status(place: Installation, env: Record<string, string>) {
  const { code, stdout, stderr } = await place.run(['status', '--json'], { env }).ended
  assert.equal(stderr, '')
  return { code, ...JSON.parse(stdout) }
}

test('before, during and after a server', async (t) => {
  const place = await makeInstallation(t)
  const env = { PORT: String(await findFreePort()) }
  const known = knownMigrations().length

  await t.test('before: nothing runs, nothing is made by looking', async () => {
    const told = await status(place, env)
    assert.deepEqual([told.code, told.ready, told.server.state], [1, false, 'not_running'])
    assert.equal(told.database.state, 'away')
    const { ok, of } = await doctor(place, env)
    assert.equal(ok, true)
    assert.match(of('Database')!.message, /made at the first start/)
    assert.match(of('Data')!.message, /made at the first start/)
    assert.equal(existsSync(place.data_path), false)
  })

  const { florin, url } = await place.start({ env })
  const body = { email: 'a@example.com', password: newPassword(), name: 'A', type: 'business' }
  assert.equal((await call(url, 'POST', '/v1/accounts', { body })).status, 201)

  await t.test('during: ready, with what it holds', async () => {
    const told = await status(place, env)
    assert.deepEqual([told.code, told.ready, told.server.state], [0, true, 'ready'])
    assert.deepEqual([told.mode, told.users, told.accounts], ['sandbox', 1, 1])
    assert.deepEqual(told.schema, { applied: known, known })
    const plain = await place.run(['status'], { env }).ended
    assert.match(plain.stdout, new RegExp(`^ {2}Server +ready at ${url}$`, 'm'))
    assert.match(plain.stdout, /^ {2}Users +1$/m)
    const { ok, of } = await doctor(place, { ...env, FLORIN_DATUM: 'x' })
    assert.equal(ok, true)
    assert.match(of('Port')!.message, /^Florin answers at/)
    assert.equal(of('Durability')!.state, 'ok')
    assert.equal(of('Schema')!.state, 'ok')
    assert.equal(of('Admin')!.state, 'warn')
    assert.deepEqual(of('Closings'), {
      check: 'Closings',
      state: 'ok',
      message: 'no account closing in progress',
    })
    assert.match(of('Settings')!.message, /Did you mean FLORIN_DATA\?$/)
  })

  await t.test(
    'with PORT=0 it asks where it is told to, and else says that it cannot',
    async () => {
      const told = await status(place, { PORT: '0', FLORIN_PUBLIC_URL: url })
      assert.deepEqual([told.code, told.ready, told.server], [0, true, { state: 'ready', url }])
      const { code, ready, server, users } = await status(place, { PORT: '0' })
      const message =
        'With PORT=0 only the server knows its URL. ' +
        'Set FLORIN_PUBLIC_URL to the URL that "florin start" printed.'
      assert.deepEqual([code, ready, users], [1, false, 1])
      assert.deepEqual(server, { state: 'unknown', url: null, message })
      const plain = await place.run(['status'], { env: { PORT: '0' } }).ended
      assert.ok(plain.stdout.includes(`Server    unknown. ${message}\n`), plain.stdout)
    },
  )

  await t.test('after: the data are looked at, and the database is left stopped', async () => {
    await florin.stop()
    assert.equal((await status(place, env)).code, 1)
    const plain = await place.run(['doctor'], { env }).ended
    assert.equal(plain.code, 0)
    assert.match(plain.stdout, /^ {2}✓ ok {4}Database {4}embedded PostgreSQL 18/m)
    assert.match(plain.stdout, /^ {2}! warn {2}Admin {7}There is none yet\. Make one: /m)
    assert.match(plain.stdout, /Florin can serve\. Mind the warning\./)
    assert.equal(await databasePid(place.data_path), undefined)
  })
})

const live = {
  FLORIN_MODE: 'live',
  FLORIN_PUBLIC_URL: 'https://pay.example.com',
  FLORIN_PROCESSOR: 'manual',
}

const away = 'postgres://u:hunter22@127.0.0.1:1/d'

test('doctor tells what would keep Florin from serving', async (t) => {
  const place = await makeInstallation(t)

  await t.test('settings', async () => {
    const { ok, checks } = await doctor(place, { FLORIN_MODE: 'live', PORT: '-1' })
    assert.equal(ok, false)
    assert.ok(checks.filter(({ state }) => state === 'fail').length >= 4)
  })

  await t.test('a port of another program', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    const env = { PORT: String((other.address() as { port: number }).port) }
    const { ok, of } = await doctor(place, env)
    assert.equal(ok, false)
    assert.match(of('Port')!.message, /is taken by another program/)
    assert.equal((await status(place, env)).server.state, 'not_florin')
  })

  await t.test('a data directory that is not ours', async () => {
    await mkdir(join(place.data_path, 'postgres'), { recursive: true })
    await writeFile(join(place.data_path, 'postgres', 'PG_VERSION'), '18\n')
    const { ok, of } = await doctor(place, {})
    assert.equal(ok, false)
    assert.match(of('Database')!.message, /was not made by Florin/)
  })

  await t.test('a data directory that is a file', async () => {
    const file = join(place.path, 'file')
    await writeFile(file, '')
    const { of } = await doctor(place, { FLORIN_DATA: file })
    assert.equal(of('Data')!.state, 'fail')
  })

  const asRoot = { skip: process.getuid?.() === 0 && 'root may write everywhere' }
  await t.test('a data directory without the right to write', asRoot, async () => {
    const locked = join(place.path, 'locked')
    await mkdir(locked)
    await chmod(locked, 0o500)
    const { of } = await doctor(place, { FLORIN_DATA: join(locked, 'data') })
    assert.match(of('Data')!.message, /may not write/)
  })

  await t.test('a database that is away', async () => {
    const env = { DATABASE_URL: away }
    const { of, checks } = await doctor(place, env)
    assert.match(of('Database')!.message, /^Nothing listens at 127\.0\.0\.1:1\./)
    assert.doesNotMatch(JSON.stringify(checks), /hunter22/)
    const told = await status(place, env)
    assert.deepEqual([told.code, told.database.state], [1, 'away'])
    assert.match(told.message, /^Nothing listens/)
  })

  await t.test('an address that works on this machine only, or in the clear', async () => {
    const wide = await doctor(place, { HOST: '0.0.0.0', FLORIN_DATA: join(place.path, 'none') })
    assert.match(wide.of('Public URL')!.message, /works on this machine only/)
    const clear = { FLORIN_PUBLIC_URL: 'http://pay.example.com' }
    const { of } = await doctor(place, { ...clear, FLORIN_DATA: join(place.path, 'none') })
    assert.match(of('Public URL')!.message, /in the clear/)
    const behind = { ...live, FLORIN_PUBLIC_URL: 'https://localhost', DATABASE_URL: away }
    assert.match((await doctor(place, behind)).of('Public URL')!.message, /this machine only/)
  })

  await t.test('a certificate that cannot be read', async () => {
    const tls = { FLORIN_TLS_CERT: '/nowhere/cert.pem', FLORIN_TLS_KEY: '/nowhere/key.pem' }
    const { of } = await doctor(place, { ...tls, FLORIN_DATA: join(place.path, 'none') })
    assert.equal(of('TLS')!.state, 'fail')
  })
})

test('a sandbox is not started as live, and doctor says so', async (t) => {
  const place = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const refused = await place.run(['start'], { env: { ...env, ...live } }).ended
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^This database was made for FLORIN_MODE=sandbox, and Florin was/)
  const { ok, of } = await doctor(place, { ...env, ...live })
  assert.equal(ok, false)
  assert.match(of('Mode')!.message, /^The database was made for sandbox, and FLORIN_MODE is live\./)
  // The test server does not write to disk, which live mode must not accept.
  assert.match(of('Durability')!.message, /fsync.* a payment could be lost/)
})

test('a schema of a newer Florin is told by start, migrate and doctor', async (t) => {
  const place = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  await ask(connection, `insert into schema_migrations (name, run_on) values ('9999_new', now())`)
  for (const command of ['start', 'migrate']) {
    const { code, stderr } = await place.run([command], { env }).ended
    assert.equal(code, 1)
    assert.match(stderr, /^The database was made by a newer Florin: it has the migration 9999_new/)
  }
  assert.match(
    (await doctor(place, env)).of('Schema')!.message,
    /9999_new, unknown to this version/,
  )
})

test('doctor warns of an account closing that makes no progress', async (t) => {
  const place = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  const insert = (minutes: number) =>
    ask(
      connection,
      `insert into account_closings (account_id, closed_at, stage, after_id, actor_role,
         started_at, progressed_at)
       values (gen_random_uuid(), now(), 'users', gen_random_uuid(), 'owner',
         now() - interval '${minutes} minutes', now() - interval '${minutes} minutes')`,
    )
  await insert(3)
  const closings = async () => (await doctor(place, env)).of('Closings')!
  const going = { check: 'Closings', state: 'ok', message: '1 in progress, the oldest for 3 min' }
  assert.deepEqual(await closings(), going)
  await insert(75)
  const { state, message } = await closings()
  assert.equal(state, 'warn')
  assert.match(message, /^2 in progress, the oldest for 75 min; 1 without progress for 10 min\. /)
})

// florin status and florin doctor, with and without a running server, healthy and not.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { knownMigrations } from '../../src/postgres/migrate.ts'
import { call } from '../support/call.ts'
import { FakeMollie } from '../support/fake-mollie.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
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

async function doctor(installation: Installation, env: Record<string, string>) {
  const { code, stdout } = await installation.run(['doctor', '--json'], { env }).ended
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] }
  assert.equal(code, ok ? 0 : 1)
  const of = (check: string) => checks.find((finding) => finding.check === check)
  return { ok, checks, of }
}

async function health(
  installation: Installation,
  env: Record<string, string>,
  args: string[] = [],
) {
  const { code, stdout } = await installation.run(['health', '--json', ...args], { env }).ended
  return { code, ...JSON.parse(stdout) }
}

async function status(installation: Installation, env: Record<string, string>) {
  const { code, stdout, stderr } = await installation.run(['status', '--json'], { env }).ended
  assert.equal(stderr, '')
  return { code, ...JSON.parse(stdout) }
}

test('before, during and after a server runs', async (t) => {
  const installation = await makeInstallation(t)
  const env = { PORT: String(await findFreePort()) }
  const known = knownMigrations().length

  await t.test('before: nothing runs, and the checks create nothing', async () => {
    const result = await status(installation, env)
    assert.deepEqual([result.code, result.ready, result.server.state], [1, false, 'not_running'])
    assert.equal(result.database.state, 'unreachable')
    const { server, ...outcome } = await health(installation, env)
    assert.deepEqual([outcome, server.state], [{ code: 1, ready: false }, 'not_running'])
    const { ok, of } = await doctor(installation, env)
    assert.equal(ok, true)
    assert.match(of('Database')!.message, /created on first start/)
    assert.match(of('Data')!.message, /created on first start/)
    assert.equal(existsSync(installation.data_path), false)
  })

  const waiting = health(installation, env, ['--wait', '60'])
  const { florin, ready, url } = await installation.start({ env })
  assert.deepEqual(await waiting, { code: 0, ready: true, server: { state: 'ready', url } })
  const body = { email: 'a@example.com', password: newPassword(), name: 'A', type: 'business' }
  assert.equal((await call(url, 'POST', '/v1/accounts', { body })).status, 201)

  await t.test('during: ready, with counts', async () => {
    const result = await status(installation, env)
    assert.deepEqual([result.code, result.ready, result.server.state], [0, true, 'ready'])
    assert.deepEqual([result.mode, result.users, result.accounts], ['sandbox', 1, 1])
    assert.deepEqual(result.schema, { applied: known, known })
    assert.deepEqual(result.processors, ['sandbox'])
    assert.ok(result.setup_url.startsWith(`${url}/setup/`), result.setup_url)
    for (const link of [ready.setup_url!, result.setup_url]) {
      assert.equal((await call(link, 'GET', '')).status, 200, 'both links work')
    }
    const printed = await installation.run(['health'], { env }).ended
    assert.deepEqual([printed.code, printed.stdout], [0, `  Server  ready at ${url}\n`])
    const plain = await installation.run(['status'], { env }).ended
    assert.match(plain.stdout, new RegExp(`^ {2}Server +ready at ${url}$`, 'm'))
    assert.match(plain.stdout, /^ {2}Payments +sandbox$/m)
    assert.match(plain.stdout, /^ {2}Users +1$/m)
    assert.match(
      plain.stdout,
      new RegExp(`^ {2}Admin +none yet\\. Create one at ${url}/setup/`, 'm'),
    )
    const { ok, of } = await doctor(installation, { ...env, FLORIN_DATUM: 'x' })
    assert.equal(ok, true)
    assert.match(of('Port')!.message, /^Florin is running at/)
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
    'with PORT=0 it uses FLORIN_PUBLIC_URL, and reports that it is missing',
    async () => {
      const result = await status(installation, { PORT: '0', FLORIN_PUBLIC_URL: url })
      assert.deepEqual(
        [result.code, result.ready, result.server],
        [0, true, { state: 'ready', url }],
      )
      const { code, ready, server, users } = await status(installation, { PORT: '0' })
      const message =
        'With PORT=0 only the server knows its URL. ' +
        'Set FLORIN_PUBLIC_URL to the URL that "florin start" printed.'
      assert.deepEqual([code, ready, users], [1, false, 1])
      assert.deepEqual(server, { state: 'unknown', url: null, message })
      const plain = await installation.run(['status'], { env: { PORT: '0' } }).ended
      assert.ok(plain.stdout.includes(`Server    unknown. ${message}\n`), plain.stdout)
    },
  )

  await t.test('after: doctor checks the data and stops the database again', async () => {
    await florin.stop()
    assert.equal((await status(installation, env)).code, 1)
    const plain = await installation.run(['doctor'], { env }).ended
    assert.equal(plain.code, 0)
    assert.match(plain.stdout, /^ {2}✓ ok {4}Database {4}embedded PostgreSQL 18/m)
    assert.match(plain.stdout, /^ {2}! warn {2}Admin {7}No admin exists\. Create one: /m)
    assert.match(plain.stdout, /Florin can run, with 1 warning\./)
    assert.equal(await databasePid(installation.data_path), undefined)
  })
})

const live = {
  FLORIN_MODE: 'live',
  FLORIN_PUBLIC_URL: 'https://pay.example.com',
  FLORIN_PROCESSOR: 'manual',
}

test('doctor checks the key, the clock and the webhooks of a provider', async (t) => {
  const installation = await makeInstallation(t)
  const stripe = await FakeStripe.start()
  t.after(() => stripe.stop())
  const database = await makeDatabase(t)
  const env = {
    PORT: String(await findFreePort()),
    ...database.env,
    FLORIN_PROCESSOR: 'stripe',
    FLORIN_STRIPE_SECRET_KEY: 'sk_test_1',
    FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_1',
    FLORIN_STRIPE_API_URL: stripe.url,
  }
  const findings = async (more: Record<string, string> = {}) => {
    const { of } = await doctor(installation, { ...env, ...more })
    return { stripe: of('Stripe')!, webhooks: of('Webhooks'), settings: of('Settings') }
  }
  assert.equal((await installation.run(['migrate'], { env }).ended).code, 0)
  const first = await findings()
  assert.equal(first.stripe.message, 'the test key works, the clock is right')
  assert.equal(first.webhooks?.state, 'warn')
  assert.match(first.webhooks.message, /\/v1\/processors\/stripe\/webhook at Stripe/)
  stripe.faults.set('/v1/balance', ['reject_key', 'lose_request', 'lose_request'])
  const rejected = (await findings()).stripe
  assert.equal(rejected.state, 'fail')
  assert.match(rejected.message, /^The key was rejected\. Stripe: /)
  const lost = (await findings()).stripe
  assert.equal(lost.state, 'warn')
  assert.match(lost.message, /^The key could not be checked\. Stripe: /)
  stripe.clock_offset_ms = -120_000
  await ask(database.connection, "insert into provider_states values ('stripe', null, now())")
  const last = await findings()
  assert.match(last.stripe.message, /^The clock of this machine is 1(19|2\d) s off\./)
  assert.equal(last.webhooks?.state, 'ok')
  const { settings } = await findings({ FLORIN_STRIPE_SECRET_KEY: 'sk_live_1' })
  assert.match(settings!.message, /is a live key, which moves real money/)
})

test('doctor checks the access token of Mollie', async (t) => {
  const installation = await makeInstallation(t)
  const mollie = await FakeMollie.start()
  t.after(() => mollie.stop())
  const { settled } = mollie
  const database = await makeDatabase(t)
  const find = async (token?: string) => {
    const { of } = await doctor(installation, {
      PORT: String(await findFreePort()),
      ...live,
      ...database.env,
      FLORIN_PROCESSOR: 'mollie',
      FLORIN_MOLLIE_API_KEY: 'live_1',
      FLORIN_MOLLIE_API_URL: mollie.url,
      ...(token && { FLORIN_MOLLIE_ACCESS_TOKEN: token }),
    })
    const finding = of('Mollie settlements')
    return finding && `${finding.state} ${finding.message}`
  }
  assert.equal(await find(), undefined)
  assert.equal(await find(settled.token), 'ok the access token works')
  const rejected = await find(settled.weak_token)
  assert.match(rejected!, /^fail Mollie rejected FLORIN_MOLLIE_ACCESS_TOKEN: /)
  assert.doesNotMatch(rejected!, /access_/)
  settled.faults.push(503)
  assert.match((await find(settled.token))!, /^warn The access token could not be checked\. /)
})

const unreachable = 'postgres://u:hunter22@127.0.0.1:1/d'

test('doctor reports problems that would prevent Florin from running', async (t) => {
  const installation = await makeInstallation(t)

  await t.test('invalid settings', async () => {
    const { ok, checks } = await doctor(installation, { FLORIN_MODE: 'live', PORT: '-1' })
    assert.equal(ok, false)
    assert.ok(checks.filter(({ state }) => state === 'fail').length >= 4)
  })

  await t.test('a port in use by another program', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    const env = { PORT: String((other.address() as { port: number }).port) }
    const { ok, of } = await doctor(installation, env)
    assert.equal(ok, false)
    assert.match(of('Port')!.message, /is already in use/)
    assert.equal((await status(installation, env)).server.state, 'not_florin')
  })

  await t.test('a data directory that Florin did not create', async () => {
    await mkdir(join(installation.data_path, 'postgres'), { recursive: true })
    await writeFile(join(installation.data_path, 'postgres', 'PG_VERSION'), '18\n')
    const { ok, of } = await doctor(installation, {})
    assert.equal(ok, false)
    assert.match(of('Database')!.message, /was not created by Florin/)
  })

  await t.test('a data directory that is a file', async () => {
    const file = join(installation.path, 'file')
    await writeFile(file, '')
    const { of } = await doctor(installation, { FLORIN_DATA: file })
    assert.equal(of('Data')!.state, 'fail')
  })

  const asRoot = { skip: process.getuid?.() === 0 && 'root may write everywhere' }
  await t.test('a data directory that is not writable', asRoot, async () => {
    const locked = join(installation.path, 'locked')
    await mkdir(locked)
    await chmod(locked, 0o500)
    const { of } = await doctor(installation, { FLORIN_DATA: join(locked, 'data') })
    assert.match(of('Data')!.message, /is not writable by this user/)
  })

  await t.test('an unreachable database', async () => {
    const env = { DATABASE_URL: unreachable }
    const { of, checks } = await doctor(installation, env)
    assert.match(of('Database')!.message, /^No server is listening at 127\.0\.0\.1:1\./)
    assert.doesNotMatch(JSON.stringify(checks), /hunter22/)
    const result = await status(installation, env)
    assert.deepEqual([result.code, result.database.state], [1, 'unreachable'])
    assert.match(result.message, /^No server is listening/)
  })

  await t.test('a public URL that is local or unencrypted', async () => {
    const wide = await doctor(installation, {
      HOST: '0.0.0.0',
      FLORIN_DATA: join(installation.path, 'none'),
    })
    assert.match(wide.of('Public URL')!.message, /works only on this machine/)
    const clear = { FLORIN_PUBLIC_URL: 'http://pay.example.com' }
    const { of } = await doctor(installation, {
      ...clear,
      FLORIN_DATA: join(installation.path, 'none'),
    })
    assert.match(of('Public URL')!.message, /unencrypted/)
    const behind = { ...live, FLORIN_PUBLIC_URL: 'https://localhost', DATABASE_URL: unreachable }
    assert.match(
      (await doctor(installation, behind)).of('Public URL')!.message,
      /only on this machine/,
    )
  })

  await t.test('an unreadable certificate', async () => {
    const tls = { FLORIN_TLS_CERT: '/nowhere/cert.pem', FLORIN_TLS_KEY: '/nowhere/key.pem' }
    const { of } = await doctor(installation, {
      ...tls,
      FLORIN_DATA: join(installation.path, 'none'),
    })
    assert.equal(of('TLS')!.state, 'fail')
  })
})

test('a sandbox does not start in live mode, and doctor reports it', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const refused = await installation.run(['start'], { env: { ...env, ...live } }).ended
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /^This database was created with FLORIN_MODE=sandbox, but Florin was/,
  )
  const { ok, of } = await doctor(installation, { ...env, ...live })
  assert.equal(ok, false)
  assert.match(of('Mode')!.message, /^The database is in sandbox mode, but FLORIN_MODE is live\./)
  // The test server runs without fsync, which live mode rejects.
  assert.match(of('Durability')!.message, /fsync.* a crash could lose payments/)
})

test('start, migrate and doctor report the schema of a newer version', async (t) => {
  const installation = await makeInstallation(t)
  const { env, connection } = await makeDatabase(t)
  await ask(connection, `insert into schema_migrations (name, run_on) values ('9999_new', now())`)
  for (const command of ['start', 'migrate']) {
    const { code, stderr } = await installation.run([command], { env }).ended
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^The database was migrated by a newer version of Florin: it has the migration 9999_new/,
    )
  }
  assert.match(
    (await doctor(installation, env)).of('Schema')!.message,
    /9999_new is unknown to this version/,
  )
})

test('doctor warns about an account closing without progress', async (t) => {
  const installation = await makeInstallation(t)
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
  const closings = async () => (await doctor(installation, env)).of('Closings')!
  const going = { check: 'Closings', state: 'ok', message: '1 in progress, the oldest for 3 min' }
  assert.deepEqual(await closings(), going)
  await insert(75)
  const { state, message } = await closings()
  assert.equal(state, 'warn')
  assert.match(message, /^2 in progress, the oldest for 75 min; 1 without progress for 10 min\. /)
})

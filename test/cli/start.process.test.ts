// florin start: first start, restart, after a crash, twice at once, and on a port in use.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { version } from '../../src/version.ts'
import { call } from '../support/call.ts'
import { newPassword } from '../support/secrets.ts'
import { databasePid, isAlive, launcher, makeInstallation } from './florin-process.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

test('first start, restart, and start after a crash', async (t) => {
  const installation = await makeInstallation(t)
  const login = { email: 'stored@example.com', password: newPassword() }

  await t.test('the first start prints one JSON line when ready', async () => {
    const { florin, ready, url } = await installation.start()
    assert.equal(ready.pid, florin.pid)
    assert.equal(ready.version, version)
    assert.equal(ready.mode, 'sandbox')
    assert.equal(ready.node, process.versions.node)
    const { kind, started, location } = ready.database
    assert.deepEqual([kind, started, location], ['embedded', 'new', installation.data_path])
    assert.equal(ready.migrated[0], '0001_platform')
    assert.equal(ready.has_admin, false)
    assert.match(ready.first_admin ?? '', /admin create/)
    const [, setup_token] = /^http:\/\/127\.0\.0\.1:\d+\/setup\/([\w-]{43})$/.exec(
      ready.setup_url!,
    )!
    assert.equal((await call(ready.setup_url!, 'GET', '')).status, 200)
    // With PORT=0 both URLs contain the actual port.
    assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    assert.equal(ready.public_url, url)
    assert.equal((await call(url, 'GET', '/readyz')).status, 200)
    const openapi = await call(url, 'GET', '/openapi.json')
    assert.equal(openapi.body.servers[0].url, url)

    // The printed curl command works.
    const curl = spawnSync('sh', ['-c', `${ready.try} -s -w '\\n%{http_code}'`], {
      encoding: 'utf8',
    })
    if (curl.status === 127) t.diagnostic('skipped the curl command: curl is not installed')
    else assert.match(curl.stdout, /\n201$/, curl.stderr)
    assert.equal((await call(url, 'POST', '/v1/users', { body: login })).status, 201)
    const pid = await databasePid(installation.data_path)
    const ended = await florin.stop('SIGTERM')
    assert.deepEqual([ended.code, ended.stderr], [0, ''])
    assert.equal(ended.stdout.match(/florin is ready/g)?.length, 1)
    assert.doesNotMatch(ended.stdout, /Server listening/)
    assert.equal(ended.stdout.split(setup_token!).length, 2, 'one line contains the setup link')
    assert.equal(isAlive(pid!), false, 'the database is left running')
    assert.equal(await databasePid(installation.data_path), undefined)
  })

  await t.test('the next start finds the data', async () => {
    const { florin, ready, url } = await installation.start({}, ['--no-worker'])
    assert.equal(ready.database.started, 'started')
    assert.deepEqual(ready.migrated, [])
    assert.equal(ready.worker, false)
    assert.equal((await call(url, 'POST', '/v1/auth/login', { body: login })).status, 200)
    florin.child.kill('SIGKILL')
    await florin.ended
  })

  await t.test('after kill -9 the next start adopts the database', async () => {
    const orphan = await databasePid(installation.data_path)
    assert.ok(orphan, 'kill -9 leaves the database running')
    const { ready, url } = await installation.start()
    assert.equal(ready.database.started, 'adopted')
    assert.equal(await databasePid(installation.data_path), orphan)
    assert.equal((await call(url, 'POST', '/v1/auth/login', { body: login })).status, 200)
  })

  await t.test('a second start on the same data fails with the pid of the first', async () => {
    const { code, stderr, stdout } = await installation.run(['start']).ended
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^Florin is already running on this data directory \(pid \d+\)\. Stop it/)
    assert.doesNotMatch(stderr, /at .*\.ts/)
  })
})

test('a port in use fails the start and stops the database', async (t) => {
  const installation = await makeUsedInstallation(t)
  const taken = createServer().listen({ host: '127.0.0.1', port: 0 })
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const env = { PORT: String(port) }
  const { code, stdout, stderr } = await installation.run(['start'], { env }).ended
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(
    stderr,
    new RegExp(`^Port ${port} is already in use\\. Stop the other program, or run: `),
  )
  assert.match(stderr, /PORT=\d+ npm start\n$/)
  assert.equal(await databasePid(installation.data_path), undefined)

  await t.test('rejects a HOST that is not an address of this machine', async () => {
    const response = await installation.run(['start'], { env: { HOST: '203.0.113.7' } }).ended
    assert.equal(response.code, 1)
    assert.equal(response.stderr, '203.0.113.7 is not an address of this machine. Correct HOST.\n')
  })

  await t.test('rejects an invalid certificate', async () => {
    const env = { FLORIN_TLS_CERT: launcher, FLORIN_TLS_KEY: launcher }
    const response = await installation.run(['start'], { env }).ended
    assert.equal(response.code, 1)
    assert.match(response.stderr, /^FLORIN_TLS_CERT and FLORIN_TLS_KEY cannot be used: .*\n$/)
  })

  await t.test('warns about an unknown setting and suggests the closest', async () => {
    const env = { FLORIN_SINGUP: 'closed' }
    const migrated = await installation.run(['migrate'], { env }).ended
    assert.match(
      migrated.stderr,
      /^! FLORIN_SINGUP is not a Florin setting .* mean FLORIN_SIGNUP\?\n$/,
    )
    const { florin } = await installation.start({ env }, ['--json'])
    const { stderr, code } = await florin.stop()
    assert.equal(code, 0)
    const { warning, message } = JSON.parse(stderr)
    assert.equal(warning, 'unknown_setting')
    assert.match(message, /^FLORIN_SINGUP is not a Florin setting .* Did you mean FLORIN_SIGNUP\?$/)
  })
})

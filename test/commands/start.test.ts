// Starting, again and again: first, later, after a crash, twice at once, on a port that is taken.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { version } from '../../src/version.ts'
import { call } from '../support/call.ts'
import { newPassword } from '../support/secrets.ts'
import { databasePid, isAlive, launcher, makeInstallation } from './florin-process.ts'

test('from the first start to the next', async (t) => {
  const place = await makeInstallation(t)
  const login = { email: 'kept@example.com', password: newPassword() }

  await t.test('the first start says what is ready in one JSON line', async () => {
    const { florin, ready, url } = await place.start()
    assert.equal(ready.pid, florin.pid)
    assert.equal(ready.version, version)
    assert.equal(ready.mode, 'sandbox')
    assert.equal(ready.node, process.versions.node)
    const { kind, started, place: where } = ready.database
    assert.deepEqual([kind, started, where], ['embedded', 'new', place.data_path])
    assert.equal(ready.migrated[0], '0001_platform')
    assert.equal(ready.has_admin, false)
    assert.match(ready.first_admin ?? '', /admin create/)
    // PORT=0, and the port is the true one, in the public URL too.
    assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    assert.equal(ready.public_url, url)
    assert.equal((await call(url, 'GET', '/readyz')).status, 200)
    const openapi = await call(url, 'GET', '/openapi.json')
    assert.equal(openapi.body.servers[0].url, url)

    // Its curl line works as it stands.
    const curl = spawnSync('sh', ['-c', `${ready.try} -s -w '\\n%{http_code}'`], {
      encoding: 'utf8',
    })
    if (curl.status === 127) t.diagnostic('this machine has no curl to try the line with')
    else assert.match(curl.stdout, /\n201$/, curl.stderr)
    assert.equal((await call(url, 'POST', '/v1/users', { body: login })).status, 201)
    const pid = await databasePid(place.data_path)
    const ended = await florin.stop('SIGTERM')
    assert.deepEqual([ended.code, ended.stderr], [0, ''])
    assert.equal(ended.stdout.match(/florin is ready/g)?.length, 1)
    assert.doesNotMatch(ended.stdout, /\/setup\/[\w-]{20}|Server listening/)
    assert.equal(isAlive(pid!), false, 'the database is left running')
    assert.equal(await databasePid(place.data_path), undefined)
  })

  await t.test('the next start finds the data', async () => {
    const { florin, ready, url } = await place.start({}, ['--no-worker'])
    assert.equal(ready.database.started, 'started')
    assert.deepEqual(ready.migrated, [])
    assert.equal(ready.worker, false)
    assert.equal((await call(url, 'POST', '/v1/auth/login', { body: login })).status, 200)
    florin.child.kill('SIGKILL')
    await florin.ended
  })

  await t.test('after kill -9 the database is taken over', async () => {
    const orphan = await databasePid(place.data_path)
    assert.ok(orphan, 'kill -9 leaves the database running')
    const { ready, url } = await place.start()
    assert.equal(ready.database.started, 'adopted')
    assert.equal(await databasePid(place.data_path), orphan)
    assert.equal((await call(url, 'POST', '/v1/auth/login', { body: login })).status, 200)
  })

  await t.test('a second start on the same data says who is there', async () => {
    const { code, stderr, stdout } = await place.run(['start']).ended
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^Florin is already running on this data directory \(pid \d+\)\. Stop it/)
    assert.doesNotMatch(stderr, /at .*\.ts/)
  })
})

test('a taken port is told, and the database is stopped again', async (t) => {
  const place = await makeInstallation(t)
  const taken = createServer().listen({ host: '127.0.0.1', port: 0 })
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const env = { PORT: String(port) }
  const { code, stdout, stderr } = await place.run(['start'], { env }).ended
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, new RegExp(`^Port ${port} is taken by another program\\. Stop it\\. Or: `))
  assert.match(stderr, /PORT=\d+ npm start\n$/)
  assert.equal(await databasePid(place.data_path), undefined)

  await t.test('an address that the machine has not is told as well', async () => {
    const response = await place.run(['start'], { env: { HOST: '203.0.113.7' } }).ended
    assert.equal(response.code, 1)
    assert.equal(response.stderr, 'This machine has no address 203.0.113.7. Correct HOST.\n')
  })

  await t.test('and so is a certificate that is none', async () => {
    const env = { FLORIN_TLS_CERT: launcher, FLORIN_TLS_KEY: launcher }
    const response = await place.run(['start'], { env }).ended
    assert.equal(response.code, 1)
    assert.match(response.stderr, /^FLORIN_TLS_CERT and FLORIN_TLS_KEY cannot be used: .*\n$/)
  })

  await t.test('a name that means nothing is warned about, with the nearest', async () => {
    const env = { FLORIN_SINGUP: 'closed' }
    const said = await place.run(['migrate'], { env }).ended
    assert.match(said.stderr, /^! FLORIN_SINGUP is not a setting .* mean FLORIN_SIGNUP\?\n$/)
    const { florin } = await place.start({ env }, ['--json'])
    const { stderr, code } = await florin.stop()
    assert.equal(code, 0)
    const { warning, message } = JSON.parse(stderr)
    assert.equal(warning, 'unknown_setting')
    assert.match(message, /^FLORIN_SINGUP is not a setting .* Did you mean FLORIN_SIGNUP\?$/)
  })
})

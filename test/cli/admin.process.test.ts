// Creating admins: by command and by environment variable; an existing user is never promoted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../support/call.ts'
import { newPassword } from '../support/secrets.ts'
import { databasePid, type FlorinProcess, makeInstallation } from './florin-process.ts'
import { makeDatabase } from './shared-database.ts'

test('admin create works with and without a running server', async (t) => {
  const installation = await makeInstallation(t)
  const password = newPassword()
  const create = (args: string[], stdin?: string): FlorinProcess =>
    installation.run(['admin', 'create', ...args], stdin === undefined ? {} : { stdin })

  await t.test('without a server, it creates the database', async () => {
    const args = ['--email', 'Ann@example.com', '--name', 'Ann', '--password-stdin', '--json']
    const { code, stdout, stderr } = await create(args, `${password}\n`).ended
    assert.deepEqual([code, stderr], [0, ''])
    const { id, email, name, role, status } = JSON.parse(stdout)
    assert.match(id, /^usr_/)
    assert.deepEqual([email, name, role, status], ['Ann@example.com', 'Ann', 'admin', 'active'])
    assert.equal(await databasePid(installation.data_path), undefined)
  })

  await t.test('with a running server that reports an admin', async () => {
    const { florin, ready, url } = await installation.start()
    assert.equal(ready.has_admin, true)
    assert.equal(ready.first_admin, undefined)
    assert.equal(ready.setup_url, undefined)
    const platform = ['--email', 'p@example.com', '--role', 'platform', '--password', password]
    const made = await create(platform).ended
    assert.deepEqual([made.code, made.stderr], [0, ''])
    assert.match(made.stdout, /^✓ Created platform user p@example\.com \(usr_\w+\)\.$/m)
    assert.match(made.stdout, /POST http:\/\/127\.0\.0\.1:\d+\/v1\/auth\/login$/m)

    const login = async (email: string) => {
      const response = await call(url, 'POST', '/v1/auth/login', { body: { email, password } })
      assert.equal(response.status, 200)
      return response.body.access_token
    }
    const [admin, server] = [await login('ann@example.com'), await login('p@example.com')]
    // Both may list users; only an admin may change one.
    assert.equal((await call(url, 'GET', '/v1/users', { token: server })).status, 200)
    const users = await call(url, 'GET', '/v1/users', { token: admin })
    const path = `/v1/users/${users.body.data[0].id}`
    const body = { name: 'Changed' }
    assert.equal((await call(url, 'PATCH', path, { token: server, body })).status, 401)
    assert.equal((await call(url, 'PATCH', path, { token: admin, body })).status, 200)

    const lone = { email: 'lone@example.com', password }
    assert.equal((await call(url, 'POST', '/v1/users', { body: lone })).status, 201)
    const taken = await create(['--email', 'LONE@example.com', '--password', password]).ended
    assert.deepEqual([taken.code, taken.stdout], [1, ''])
    assert.match(taken.stderr, /^A user with the email LONE@example\.com exists and cannot be pr/)
    const as_given = await create(['--email', 'lone@example.com', '--password', password]).ended
    assert.match(as_given.stderr, /^A user with the email lone@example\.com exists/)
    assert.equal((await florin.stop()).code, 0)
  })
})

test('admin create rejects invalid options before it opens the database', async (t) => {
  const installation = await makeInstallation(t)
  const password = newPassword()
  const wrong: [string[], string, RegExp][] = [
    [[], '', /^--email is required: florin admin create --email/],
    [['--email', 'ann'], '', /^The email must be an address such as/],
    [['--email', 'a@example.com'], '', /^A password is required: .*--password-stdin/],
    [
      ['--email', 'a@example.com', '--password-stdin'],
      '',
      /^No password was received on stdin\.$/m,
    ],
    [['--email', 'a@example.com', '--password-stdin'], 'two\nlines\n', /^The password must be on/],
    [['--email', 'a@example.com', '--password-stdin'], '\ufdfa'.repeat(8), /of at most 128 char/],
    [
      ['--email', 'a@example.com', '--name', ' ', '--password', password],
      '',
      /^The name must have/,
    ],
    [['--password-stdin', '--password', password], '', /not both\.$/m],
  ]
  const ended = await Promise.all(
    wrong.map(([args, stdin]) => installation.run(['admin', 'create', ...args], { stdin }).ended),
  )
  for (const [at, { code, stderr, stdout }] of ended.entries()) {
    assert.match(stderr, wrong[at]![2])
    assert.deepEqual([code, stdout], [64, ''])
  }
  assert.equal(await databasePid(installation.data_path), undefined)
})

test('creates the first admin from the environment, once', async (t) => {
  const installation = await makeInstallation(t)
  const { env: database } = await makeDatabase(t)
  const password = newPassword()
  const env = {
    ...database,
    FLORIN_ADMIN_EMAIL: 'ann@example.com',
    FLORIN_ADMIN_PASSWORD: password,
  }
  const body = { email: 'ann@example.com', password }

  await t.test('rejects a password that is too short', async () => {
    const short = { ...env, FLORIN_ADMIN_PASSWORD: 'short' }
    const { code, stderr } = await installation.run(['start'], { env: short }).ended
    assert.equal(code, 1)
    assert.match(stderr, /^FLORIN_ADMIN_PASSWORD is invalid: .* at least 8 characters/)
    const { FLORIN_ADMIN_PASSWORD: _, ...half } = env
    const lacking = await installation.run(['start'], { env: half }).ended
    assert.match(lacking.stderr, /^FLORIN_ADMIN_PASSWORD must be set if FLORIN_ADMIN_EMAIL is set/)
  })

  for (const time of ['first', 'second']) {
    await t.test(`the admin can log in after the ${time} start`, async () => {
      const { florin, ready, url } = await installation.start({ env })
      assert.equal(ready.has_admin, true)
      assert.equal((await call(url, 'POST', '/v1/auth/login', { body })).status, 200)
      const { stdout } = await florin.stop()
      assert.doesNotMatch(stdout, new RegExp(password))
    })
  }

  await t.test('does not create a second admin', async () => {
    const other = { ...env, FLORIN_ADMIN_EMAIL: 'eve@example.com' }
    const { florin, url } = await installation.start({ env: other })
    const eve = { email: 'eve@example.com', password }
    assert.equal((await call(url, 'POST', '/v1/auth/login', { body: eve })).status, 401)
    await florin.stop()
  })
})

test('start fails if FLORIN_ADMIN_EMAIL belongs to another user', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const body = { email: 'lone@example.com', password: newPassword() }
  const { florin, url } = await installation.start({ env })
  assert.equal((await call(url, 'POST', '/v1/users', { body })).status, 201)
  await florin.stop()
  const admin = { FLORIN_ADMIN_EMAIL: 'Lone@example.com', FLORIN_ADMIN_PASSWORD: body.password }
  const { code, stderr } = await installation.run(['start'], { env: { ...env, ...admin } }).ended
  assert.equal(code, 1)
  assert.match(stderr, /^FLORIN_ADMIN_EMAIL belongs to a user who is not an admin, and existing/)
})

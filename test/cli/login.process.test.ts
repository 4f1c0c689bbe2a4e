// florin login and logout, and the stored session.

import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { makeApi } from '../../src/cli/client/api.ts'
import { StoredLogins } from '../../src/cli/client/stored-logins.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import { newPassword } from '../support/secrets.ts'
import { enrollTotp, test_secret_key } from '../support/totp.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin({ FLORIN_SECRET_KEY: test_secret_key })
const { people } = florin

/** As if the token had expired. */
const dead_token = `fat_${'example'.repeat(6)}0`

test('stores the login in a private file, and later commands use it', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  const args = ['login', '--email', owner.email, '--password-stdin']
  const { code, stdout, stderr } = await cli.run(args, { stdin: `${owner.password}\n` })
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(
    stdout,
    `✓ Logged in at ${florin.url} as ${owner.email}.\n  Account ${owner.account_id}\n`,
  )
  assert.equal(statSync(cli.logins_path).mode & 0o777, 0o600)
  assert.ok(!JSON.stringify(cli.logins()).includes(owner.password), 'the password is not stored')
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
})

test('the server of the last login is the default', async () => {
  const cli = new Cli(undefined)
  const owner = await people.owner()
  // With the white space of a pasted URL.
  const pasted = ` ${florin.url}/\n`
  const login = ['login', '--server', pasted, '--email', owner.email, '--password-stdin']
  const { stdout } = await cli.run([...login, '--json'], { stdin: owner.password })
  assert.deepEqual(JSON.parse(stdout), {
    server: florin.url,
    name: owner.email,
    account_id: owner.account_id,
  })
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
})

test('login warns that FLORIN_API_KEY overrides it', async () => {
  const owner = await people.owner()
  const body = { name: 'Forgotten', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const cli = new Cli(florin.url)
  const args = ['login', '--email', owner.email, '--password-stdin']
  const options = { stdin: owner.password, env: { FLORIN_API_KEY: key } }
  const result = await cli.run(args, options)
  assert.equal(result.code, 0)
  const sentence =
    'FLORIN_API_KEY is set and overrides this login: commands use that key. ' +
    'Run: unset FLORIN_API_KEY'
  assert.equal(result.stderr, `! ${sentence}\n`)
  const { stderr } = await cli.run([...args, '--json'], options)
  assert.deepEqual(JSON.parse(stderr), { warning: 'api_key_overrides_login', message: sentence })
})

test('rejects a wrong or missing password, with the next step', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  const args = ['login', '--email', owner.email, '--password-stdin']
  const wrong = await cli.run(args, { stdin: 'not this one' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /\nNext: florin login\n$/)
  const none = await cli.run(['login'])
  assert.equal(none.code, 64)
  assert.match(none.stderr, /^There is no terminal to prompt in\. Pipe the password to florin l/)
  const no_email = await cli.run(['login', '--email', 'ann', '--password-stdin'], { stdin: 'x' })
  assert.deepEqual([no_email.code, existsSync(cli.logins_path)], [64, false])
})

test('a user with two-factor authentication needs --code without a terminal', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  const app = await enrollTotp(florin.call, owner)
  const args = ['login', '--email', owner.email, '--password-stdin']
  const without = await cli.run(args, { stdin: owner.password })
  assert.deepEqual([without.code, existsSync(cli.logins_path)], [64, false])
  assert.match(without.stderr, /^This user has two-factor authentication, .* Add --code with /)
  const wrong = await cli.run([...args, '--code', '0'], { stdin: owner.password })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /"code" is wrong, expired or already used/)
  const done = await cli.run([...args, '--code', app.nextCode()], { stdin: owner.password })
  assert.deepEqual([done.code, done.stderr], [0, ''])
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
})

test('an API key works from stdin or from the environment', async () => {
  const owner = await people.owner()
  const body = { name: 'CLI', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const cli = new Cli(florin.url)
  const { code, stdout } = await cli.run(['login', '--key-stdin'], { stdin: `${key}\n` })
  assert.equal(code, 0)
  assert.match(stdout, new RegExp(` as the API key ending in ${key.slice(-4)}\\.\n$`))
  assert.equal((await cli.json('get', '/v1/account/balance')).account_id, owner.account_id)
  const refused = await cli.run(['get', '/v1/events'])
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /lacks the scope "events:read".*\nNext: florin login, as a user or with a key/,
  )

  const stranger = new Cli(florin.url)
  const env = { FLORIN_API_KEY: key }
  const balance = await stranger.run(['get', '/v1/account/balance'], { env })
  assert.equal(JSON.parse(balance.stdout).account_id, owner.account_id)
  assert.equal(existsSync(stranger.logins_path), false)

  const dead = await stranger.run(['login', '--key', `sk_sandbox_${'example'.repeat(6)}0`])
  assert.equal(dead.code, 1)
  const typo = await stranger.run(['login', '--key', 'pk_123'])
  assert.deepEqual([typo.code, existsSync(stranger.logins_path)], [64, false])
})

test('logout ends the session on the server and keeps the signing secret of listen', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const token = cli.logins().servers[florin.url].session.access_token
  cli.rewrite(({ servers }) => {
    servers[florin.url].secrets = { [owner.account_id]: 'kept' }
  })
  assert.deepEqual(await cli.json('logout', '--json'), { server: florin.url, logged_out: true })
  assert.equal((await florin.call('GET', '/v1/account', { token })).status, 401)
  assert.deepEqual(cli.logins().servers, {
    [florin.url]: { secrets: { [owner.account_id]: 'kept' } },
  })
  assert.match((await cli.run(['logout'])).stdout, /^You are not logged in at /)
  const after = await cli.run(['events', 'tail', '--json'])
  assert.equal(after.code, 1)
  assert.deepEqual(JSON.parse(after.stderr), {
    error: 'not_logged_in',
    message: `You are not logged in at ${florin.url}.`,
    next: 'florin login',
  })
})

test('concurrent commands refresh an expired token once', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const first = cli.logins().servers[florin.url].session
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.access_token = dead_token
  })
  const ends = await Promise.all(Array.from({ length: 5 }, () => cli.run(['get', '/v1/account'])))
  for (const { code, stdout, stderr } of ends) {
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(JSON.parse(stdout).id, owner.account_id)
  }
  const refreshed = cli.logins().servers[florin.url].session
  assert.notEqual(refreshed.refresh_token, first.refresh_token)
  assert.notEqual(refreshed.access_token, dead_token)
  // A refresh token that was used twice would have ended the session.
  assert.equal((await cli.run(['get', '/v1/account'])).code, 0)
})

test('refreshes a rejected token, and suggests login after the session ended', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const good = cli.logins().servers[florin.url].session.access_token
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.access_token = dead_token
  })
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
  assert.notEqual(cli.logins().servers[florin.url].session.access_token, dead_token)

  await florin.call('DELETE', '/v1/auth/session', { token: good })
  const { code, stderr } = await cli.run(['get', '/v1/account'])
  assert.equal(code, 1)
  assert.match(stderr, /\nNext: florin login\n$/)
  assert.equal(cli.logins().servers[florin.url].session, undefined)
})

test('never sends an unauthenticated request after the session ended', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const { access_token: token } = cli.logins().servers[florin.url].session
  await florin.call('DELETE', '/v1/auth/session', { token })
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.access_token = dead_token
  })
  // With a login this adds a user to the account; without one it would sign up a new user.
  const email = `added-${owner.email}`
  const body = JSON.stringify({ email, password: newPassword() })
  const add = () => cli.run(['post', '/v1/users', '-d', '@-', '--json'], { stdin: body })
  for (const _ of ['noticed now', 'noticed before']) {
    const { code, stdout, stderr } = await add()
    assert.deepEqual([code, stdout], [1, ''])
    assert.deepEqual(JSON.parse(stderr), {
      error: 'unauthorized',
      message:
        `The session of ${owner.email} at ${florin.url} has ended. ` +
        'Log in again, or run florin logout to continue without a login.',
      next: 'florin login',
      status: 401,
    })
  }
  const { rows } = await florin.db.pool.query('select 1 from users where email = $1', [email])
  assert.equal(rows.length, 0)

  assert.deepEqual(await cli.json('logout', '--json'), { server: florin.url, logged_out: true })
  assert.deepEqual(cli.logins().servers, {})
  assert.equal((await add()).code, 0, 'after logout, requests are unauthenticated')
})

test('a command never continues in the session of a later login', async () => {
  const cli = new Cli(florin.url)
  await cli.logIn(await people.owner())
  const { session } = cli.logins().servers[florin.url]
  await cli.logIn(await people.owner())
  const { servers } = cli.logins()
  const api = makeApi(florin.url, new StoredLogins(dirname(cli.logins_path)), {})
  const expired = { ...session, access_token: dead_token }
  await assert.rejects(
    api.bySession(expired).account.get(),
    /^FlorinError: The session of the logged-in user at \S+ has ended\./,
  )
  assert.deepEqual(cli.logins().servers, servers)
})

test('takes over the stale lock of a killed command', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const gone = await cli.start(['--version'])
  await gone.ended
  writeFileSync(`${cli.logins_path}.lock`, String(gone.pid))
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.access_token = dead_token
  })
  assert.equal((await cli.run(['get', '/v1/account'])).code, 0)
  assert.equal(existsSync(`${cli.logins_path}.lock`), false)
})

test('reports a damaged file of logins and an unreachable server, with the next step', async () => {
  const cli = new Cli(florin.url)
  await cli.logIn(await people.owner())
  writeFileSync(cli.logins_path, 'oops')
  const broken = await cli.run(['get', '/v1/account'])
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /^Cannot read \S.*logins\.json: invalid JSON\. Remove the file and/)

  const url = `http://127.0.0.1:${await findFreePort()}`
  const away = await new Cli(url).run(['get', '/v1/account', '--json'])
  assert.equal(away.code, 1)
  const { error, message } = JSON.parse(away.stderr)
  assert.equal(error, 'server_unreachable')
  assert.match(message, /^Cannot reach a Florin server at .* \(ECONNREFUSED\)\. Start one with/)
  const bad = await new Cli(undefined).run(['get', '/v1/account', '--server', 'ftp://x'])
  assert.deepEqual([bad.code, bad.stdout], [64, ''])
})

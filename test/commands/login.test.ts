// Logging in, staying so, and out again.

import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import { newPassword } from '../support/secrets.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const { people } = florin

test('a log-in is kept where nobody else may read it, and later commands use it', async () => {
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
  assert.ok(!JSON.stringify(cli.kept()).includes(owner.password), 'the password is not kept')
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
})

test('the server of the last log-in is meant when none is named', async () => {
  const cli = new Cli(undefined)
  const owner = await people.owner()
  // With what comes along when an address is pasted.
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

test('whoever logs in while a key is in the environment is told which is used', async () => {
  const owner = await people.owner()
  const body = { name: 'Forgotten', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const cli = new Cli(florin.url)
  const args = ['login', '--email', owner.email, '--password-stdin']
  const given = { stdin: owner.password, env: { FLORIN_API_KEY: key } }
  const told = await cli.run(args, given)
  assert.equal(told.code, 0)
  const sentence =
    'FLORIN_API_KEY is set and stands above this log-in: commands act as that key. ' +
    'Run: unset FLORIN_API_KEY'
  assert.equal(told.stderr, `! ${sentence}\n`)
  const { stderr } = await cli.run([...args, '--json'], given)
  assert.deepEqual(JSON.parse(stderr), { warning: 'key_above_login', message: sentence })
})

test('a wrong password, or none, is refused with what to do', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  const args = ['login', '--email', owner.email, '--password-stdin']
  const wrong = await cli.run(args, { stdin: 'not this one' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /\nNext: florin login\n$/)
  const none = await cli.run(['login'])
  assert.equal(none.code, 64)
  assert.match(none.stderr, /^There is no terminal to ask on\. Pipe the password in: florin login/)
  const no_email = await cli.run(['login', '--email', 'ann', '--password-stdin'], { stdin: 'x' })
  assert.deepEqual([no_email.code, existsSync(cli.logins_path)], [64, false])
})

test('a key logs in too, from stdin or from the environment', async () => {
  const owner = await people.owner()
  const body = { name: 'CLI', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const cli = new Cli(florin.url)
  const { code, stdout } = await cli.run(['login', '--key-stdin'], { stdin: `${key}\n` })
  assert.equal(code, 0)
  assert.match(stdout, new RegExp(` as the key that ends in ${key.slice(-4)}\\.\n$`))
  assert.equal((await cli.json('get', '/v1/account/balance')).account_id, owner.account_id)
  const refused = await cli.run(['get', '/v1/events'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /lacks the scope "events:read".*\nNext: florin login, as somebody/)

  const stranger = new Cli(florin.url)
  const env = { FLORIN_API_KEY: key }
  const told = await stranger.run(['get', '/v1/account/balance'], { env })
  assert.equal(JSON.parse(told.stdout).account_id, owner.account_id)
  assert.equal(existsSync(stranger.logins_path), false)

  const dead = await stranger.run(['login', '--key', `sk_sandbox_${'example'.repeat(6)}0`])
  assert.equal(dead.code, 1)
  const typo = await stranger.run(['login', '--key', 'pk_123'])
  assert.deepEqual([typo.code, existsSync(stranger.logins_path)], [64, false])
})

test('logging out ends the session at the server, and keeps the secret of listen', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const token = cli.kept().servers[florin.url].session.access_token
  cli.rewrite(({ servers }) => {
    servers[florin.url].secrets = { [owner.account_id]: 'kept' }
  })
  assert.deepEqual(await cli.json('logout', '--json'), { server: florin.url, logged_out: true })
  assert.equal((await florin.call('GET', '/v1/account', { token })).status, 401)
  assert.deepEqual(cli.kept().servers, {
    [florin.url]: { secrets: { [owner.account_id]: 'kept' } },
  })
  assert.match((await cli.run(['logout'])).stdout, /^Nobody is logged in at /)
  const after = await cli.run(['events', 'tail', '--json'])
  assert.equal(after.code, 1)
  assert.deepEqual(JSON.parse(after.stderr), {
    error: 'not_logged_in',
    message: `Nobody is logged in at ${florin.url}.`,
    next: 'florin login',
  })
})

test('tokens that ran out are renewed once, however many commands run', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const first = cli.kept().servers[florin.url].session
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.expires_at = 0
  })
  const ends = await Promise.all(Array.from({ length: 5 }, () => cli.run(['get', '/v1/account'])))
  for (const { code, stdout, stderr } of ends) {
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(JSON.parse(stdout).id, owner.account_id)
  }
  const renewed = cli.kept().servers[florin.url].session
  assert.notEqual(renewed.refresh_token, first.refresh_token)
  assert.ok(renewed.expires_at > Date.now() + 3_000_000)
  // A refresh token that was used twice would have ended the session.
  assert.equal((await cli.run(['get', '/v1/account'])).code, 0)
})

test('a dead token is renewed, and a session that ended asks to log in', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const good = cli.kept().servers[florin.url].session.access_token
  const dead = `fat_${'example'.repeat(6)}0`
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.access_token = dead
  })
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
  assert.notEqual(cli.kept().servers[florin.url].session.access_token, dead)

  await florin.call('DELETE', '/v1/auth/session', { token: good })
  const { code, stderr } = await cli.run(['get', '/v1/account'])
  assert.equal(code, 1)
  assert.match(stderr, /\nNext: florin login\n$/)
  assert.equal(cli.kept().servers[florin.url].session, undefined)
})

test('a session that ended sends nothing as nobody, before it is noticed and after', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const { access_token: token } = cli.kept().servers[florin.url].session
  await florin.call('DELETE', '/v1/auth/session', { token })
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.expires_at = 0
  })
  // Whoever is logged in adds a user to the account; nobody would sign up alone.
  const email = `added-${owner.email}`
  const body = JSON.stringify({ email, password: newPassword() })
  const add = () => cli.run(['post', '/v1/users', '-d', '@-', '--json'], { stdin: body })
  for (const _ of ['noticed now', 'noticed before']) {
    const { code, stdout, stderr } = await add()
    assert.deepEqual([code, stdout], [1, ''])
    assert.deepEqual(JSON.parse(stderr), {
      error: 'unauthorized',
      message:
        `The session of ${owner.email} at ${florin.url} has ended, and nothing was sent. ` +
        'To go on as nobody, run florin logout.',
      next: 'florin login',
      status: 401,
    })
  }
  const { rows } = await florin.db.pool.query('select 1 from users where email = $1', [email])
  assert.equal(rows.length, 0)

  assert.deepEqual(await cli.json('logout', '--json'), { server: florin.url, logged_out: true })
  assert.deepEqual(cli.kept().servers, {})
  assert.equal((await add()).code, 0, 'whoever logged out is nobody on purpose')
})

test('a lock that a killed command left behind is taken over', async () => {
  const cli = new Cli(florin.url)
  const owner = await people.owner()
  await cli.logIn(owner)
  const gone = await cli.start(['--version'])
  await gone.ended
  writeFileSync(`${cli.logins_path}.lock`, String(gone.pid))
  cli.rewrite(({ servers }) => {
    servers[florin.url].session.expires_at = 0
  })
  assert.equal((await cli.run(['get', '/v1/account'])).code, 0)
  assert.equal(existsSync(`${cli.logins_path}.lock`), false)
})

test('a file that is no JSON, and a server that is away, are told with what to do', async () => {
  const cli = new Cli(florin.url)
  await cli.logIn(await people.owner())
  writeFileSync(cli.logins_path, 'oops')
  const broken = await cli.run(['get', '/v1/account'])
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /logins\.json cannot be read: it is no JSON\. Remove it, and run/)

  const url = `http://127.0.0.1:${await findFreePort()}`
  const away = await new Cli(url).run(['get', '/v1/account', '--json'])
  assert.equal(away.code, 1)
  const { error, message } = JSON.parse(away.stderr)
  assert.equal(error, 'server_unreachable')
  assert.match(message, /^No Florin answers at .* \(ECONNREFUSED\)\. Start one with florin start/)
  const bad = await new Cli(undefined).run(['get', '/v1/account', '--server', 'ftp://x'])
  assert.deepEqual([bad.code, bad.stdout], [64, ''])
})

// A lone user opens an account with a wrong password. Clients must not treat this 401 as an expired
// token, renew it and send the wrong password again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, type FlorinError } from '../../client/src/florin.ts'
import { sha256 } from '../../src/primitives/secrets.ts'
import { Cli } from '../cli/cli.ts'
import { startFlorin } from '../support/florin.ts'

const server = await startFlorin()

/** A request with a wrong password, and checks of its effects on the server. */
async function mistype() {
  const lone = await server.people.lone()
  const { email, token: access_token, refresh_token, session_id } = lone
  const body = {
    email,
    password: 'surely not this one',
    name: 'New Ltd',
    type: 'business',
  } as const
  const countFailures = async () => {
    const text = 'select cardinality(failed_at) as n from login_failures where key_hash = $1'
    const { rows } = await server.db.pool.query(text, [sha256(`pair\n${email}\n127.0.0.1`)])
    return rows[0]?.n ?? 0
  }
  const isSpent = async () => {
    const text = 'select used_at is not null as spent from tokens where token_hash = $1'
    return (await server.db.pool.query(text, [sha256(refresh_token)])).rows[0]?.spent ?? true
  }
  return { lone, body, tokens: { access_token, refresh_token, session_id }, countFailures, isSpent }
}

test('the challenge states that the token is valid and the password is not', async () => {
  const { body, lone } = await mistype()
  const response = await server.call('POST', '/v1/accounts', { token: lone.token, body })
  assert.deepEqual([response.status, response.body.error], [401, 'unauthorized'])
  const challenge = response.headers.get('www-authenticate')
  assert.equal(challenge, 'Bearer error="insufficient_user_authentication"')
})

test('the SDK sends a wrong password once, and keeps its tokens', async () => {
  const { body, tokens, countFailures, isSpent } = await mistype()
  const florin = new Florin({ base_url: server.url, tokens })
  const rejected = await florin.accounts.create(body).catch((error: FlorinError) => error)
  assert.equal(await countFailures(), 1)
  assert.equal(await isSpent(), false)
  assert.deepEqual(florin.tokens, tokens)
  const { status, code, token_is_valid, lacks_permission } = rejected as FlorinError
  assert.deepEqual([status, code], [401, 'unauthorized'])
  assert.deepEqual([token_is_valid, lacks_permission], [true, false])
})

test('the SDK renews an expired token and then opens the account', async () => {
  const { body, lone, tokens, countFailures } = await mistype()
  const ended = { ...tokens, access_token: 'fat_no_longer' }
  const florin = new Florin({ base_url: server.url, tokens: ended })
  const opened = await florin.accounts.create({ ...body, password: lone.password })
  assert.equal((await florin.account.get()).id, opened.id)
  assert.equal(await countFailures(), 0)
})

test('the command line sends a wrong password once, and stays logged in', async () => {
  const { body, lone, tokens, countFailures, isSpent } = await mistype()
  const cli = new Cli(server.url)
  await cli.logIn(lone)
  const session = { ...tokens, expires_at: Date.now() + 3_000_000 }
  cli.rewrite(({ servers }) => {
    servers[server.url].session = session
  })
  const args = ['post', '/v1/accounts', '--json', '-d', JSON.stringify(body)]
  const { code, stderr } = await cli.run(args)
  assert.equal(await countFailures(), 1)
  assert.equal(await isSpent(), false)
  assert.deepEqual(cli.logins().servers[server.url].session, session)
  assert.equal(code, 1)
  const { error, message, next, status } = JSON.parse(stderr)
  assert.deepEqual([error, status], ['unauthorized', 401])
  assert.equal(message, '"password" must be your current password.')
  assert.equal(next, undefined, 'logging in would not help')
})

// Logout with an expired access token and a session that is still valid.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../src/primitives/secrets.ts'
import { startFaultProxy } from '../client/fault-proxy.ts'
import { startFlorin } from '../support/florin.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const proxy = await startFaultProxy(florin.url)

const dead = { status: 401, body: '{"error":"unauthorized","message":"It has ended."}' }
const later = { status: 503, body: '{"error":"unavailable","message":"Later."}' }

/** A login whose access token has expired on the server. */
async function logInLongAgo(url = florin.url) {
  const owner = await florin.people.owner()
  const cli = new Cli(url)
  await cli.logIn(owner)
  const session = cli.logins().servers[url].session
  const { rowCount } = await florin.db.pool.query(
    "update tokens set expires_at = now() - interval '1 s' where token_hash = $1",
    [sha256(session.access_token)],
  )
  assert.equal(rowCount, 1)
  const listOthers = async (): Promise<string[]> => {
    const { body } = await florin.call('GET', '/v1/auth/sessions', { token: owner.token })
    const ids = body.data.map(({ id }: { id: string }) => id)
    return ids.filter((id: string) => id !== owner.session_id)
  }
  assert.equal((await listOthers()).length, 1)
  return { cli, url, session, owner, listOthers }
}

test('logout with an expired token ends the session on the server', async () => {
  const { cli, session, listOthers } = await logInLongAgo()
  assert.deepEqual(await cli.json('logout', '--json'), { server: florin.url, logged_out: true })
  assert.deepEqual(await listOthers(), [])
  assert.deepEqual(cli.logins().servers, {})
  const { refresh_token } = session
  const again = await florin.call('POST', '/v1/auth/refresh', { token: refresh_token })
  assert.equal(again.status, 401)
})

test('logout uses the stored session, not FLORIN_API_KEY', async () => {
  const { cli, owner, listOthers } = await logInLongAgo()
  const body = { name: 'CLI', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const { code, stderr } = await cli.run(['logout'], { env: { FLORIN_API_KEY: key } })
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(await listOthers(), [])
})

test('logout succeeds silently if the session has already ended', async () => {
  const { cli, owner, listOthers } = await logInLongAgo()
  const [session_id] = await listOthers()
  await florin.call('DELETE', '/v1/auth/session', { token: owner.token, body: { session_id } })
  const { code, stderr } = await cli.run(['logout'])
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(cli.logins().servers, {})
})

test('logout warns that the session stays valid if the token refresh fails', async () => {
  const { cli, listOthers } = await logInLongAgo(proxy.url)
  proxy.canned.push(dead, later)
  const { code, stderr } = await cli.run(['logout', '--json'])
  assert.equal(code, 0)
  assert.equal(JSON.parse(stderr).warning, 'session_not_ended')
  assert.equal((await listOthers()).length, 1)
  assert.deepEqual(cli.logins().servers, {})
})

test('a failed token refresh is reported and does not suggest login', async () => {
  const { cli, owner } = await logInLongAgo(proxy.url)
  proxy.canned.push(dead, later)
  const { code, stderr } = await cli.run(['get', '/v1/account', '--json'])
  assert.equal(code, 1)
  const { error, status } = JSON.parse(stderr)
  assert.deepEqual([error, status], ['unavailable', 503])
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
})

// Logging out long after the last command: the access token has run out, the session has not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../src/primitives/secrets.ts'
import { startFaultProxy } from '../client/fault-proxy.ts'
import { startFlorin } from '../support/florin.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const proxy = await startFaultProxy(florin.url)

/** Somebody whose access token the server takes for dead. */
async function logInLongAgo(url = florin.url) {
  const owner = await florin.people.owner()
  const cli = new Cli(url)
  await cli.logIn(owner)
  const session = cli.kept().servers[url].session
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

test('a session is ended at the server by a token that ran out, whoever noticed it', async () => {
  for (const expires_at of [0, Date.now() + 3_000_000]) {
    const { cli, session, listOthers } = await logInLongAgo()
    cli.rewrite(({ servers }) => {
      servers[florin.url].session.expires_at = expires_at
    })
    assert.deepEqual(await cli.json('logout', '--json'), { server: florin.url, logged_out: true })
    assert.deepEqual(await listOthers(), [])
    assert.deepEqual(cli.kept().servers, {})
    const { refresh_token } = session
    const again = await florin.call('POST', '/v1/auth/refresh', { token: refresh_token })
    assert.equal(again.status, 401)
  }
})

test('a key of the environment does not stand in for the session that is to end', async () => {
  const { cli, owner, listOthers } = await logInLongAgo()
  const body = { name: 'CLI', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const { code, stderr } = await cli.run(['logout'], { env: { FLORIN_API_KEY: key } })
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(await listOthers(), [])
})

test('a session that ended elsewhere is logged out of without a word', async () => {
  const { cli, owner, listOthers } = await logInLongAgo()
  const [session_id] = await listOthers()
  await florin.call('DELETE', '/v1/auth/session', { token: owner.token, body: { session_id } })
  const { code, stderr } = await cli.run(['logout'])
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(cli.kept().servers, {})
})

test('a renewal that fails leaves the session at the server, and logging out says so', async () => {
  for (const expires_at of [0, Date.now() + 3_000_000]) {
    const { cli, url, listOthers } = await logInLongAgo(proxy.url)
    cli.rewrite(({ servers }) => {
      servers[url].session.expires_at = expires_at
    })
    const dead = { status: 401, body: '{"error":"unauthorized","message":"It has ended."}' }
    if (expires_at > 0) proxy.canned.push(dead)
    proxy.canned.push({ status: 503, body: '{"error":"unavailable","message":"Later."}' })
    const { code, stderr } = await cli.run(['logout', '--json'])
    assert.equal(code, 0)
    assert.equal(JSON.parse(stderr).warning, 'session_not_ended')
    assert.equal((await listOthers()).length, 1)
    assert.deepEqual(cli.kept().servers, {})
  }
})

test('a command whose renewal fails says why, and does not ask to log in', async () => {
  const { cli, url, owner } = await logInLongAgo(proxy.url)
  cli.rewrite(({ servers }) => {
    servers[url].session.expires_at = 0
  })
  proxy.canned.push({ status: 503, body: '{"error":"unavailable","message":"Later."}' })
  const { code, stderr } = await cli.run(['get', '/v1/account', '--json'])
  assert.equal(code, 1)
  const { error, status } = JSON.parse(stderr)
  assert.deepEqual([error, status], ['unavailable', 503])
  assert.equal((await cli.json('get', '/v1/account')).id, owner.account_id)
})

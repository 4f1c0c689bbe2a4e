import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import type { CallOptions } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import type { Person } from '../../support/people.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()

const end = (options: CallOptions) => florin.call('DELETE', '/v1/auth/session', options)
const list = (token: string, query = '') =>
  florin.call('GET', `/v1/auth/sessions${query}`, { token })

async function isRevoked({ token, refresh_token }: Person): Promise<boolean> {
  const access = await list(token)
  const refresh = await florin.call('POST', '/v1/auth/refresh', { token: refresh_token })
  assert.equal(access.status === 401, refresh.status === 401)
  return access.status === 401
}

test('ends only the current session without a body', async () => {
  const ways: CallOptions[] = [
    {},
    { body: {} },
    { headers: { 'content-type': 'application/json' } },
    { body: '', headers: { 'content-type': 'application/json' } },
  ]
  const other = await florin.people.session(owner)
  for (const way of ways) {
    const session = await florin.people.session(owner)
    const response = await end({ token: session.token, ...way })
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(Object.keys(response.body).sort(), ['message', 'session_id'])
    assert.equal(response.body.session_id, session.session_id)
    assert.ok(await isRevoked(session))
  }
  assert.ok(!(await isRevoked(other)))
})

test('ends another session by id, and not the current one', async () => {
  const current = await florin.people.session(owner)
  const other = await florin.people.session(owner)
  const body = { session_id: other.session_id }
  const response = await end({ token: current.token, body })
  assert.equal(response.status, 200)
  assert.equal(response.body.session_id, other.session_id)
  assert.ok(await isRevoked(other))
  const again = await assertNoChanges(florin.db.pool, () => end({ token: current.token, body }))
  assert.equal(again.status, 404)
  assert.equal(again.body.error, 'invalid_session')
  assert.ok(!(await isRevoked(current)))
})

test('returns 400 for a malformed body and ends no session', async () => {
  const { token } = await florin.people.session(owner)
  for (const body of [{ session_id: 1 }, { session_id: null }, { session: 'x' }, [], '{', 'null']) {
    const response = await assertNoChanges(florin.db.pool, () => end({ token, body }))
    assert.equal(response.status, 400, response.text)
    assert.equal(response.body.error, 'invalid_request')
  }
})

test('a session whose tokens have expired cannot be listed or ended', async () => {
  const current = await florin.people.session(owner)
  const { refresh_token, session_id } = await florin.people.session(owner)
  const used = await florin.call('POST', '/v1/auth/refresh', { token: refresh_token })
  assert.equal(used.status, 200)
  await florin.db.pool.query(
    "update sessions set refreshed_at = now() - interval '30 days' where id = $1",
    [findUuid('session', session_id)],
  )
  const { body } = await list(current.token)
  assert.ok(!body.data.some((session: { id: string }) => session.id === session_id))
  const options = { token: current.token, body: { session_id } }
  const response = await assertNoChanges(florin.db.pool, () => end(options))
  assert.equal(response.status, 404)
  assert.equal(response.body.error, 'invalid_session')
  const cursor = await list(current.token, `?starting_after=${session_id}`)
  assert.equal(cursor.status, 400)
})

test('exactly one of many concurrent requests ends a session', async () => {
  for (const person of [await florin.people.lone(), owner, await florin.people.admin()]) {
    const { token } = await florin.people.session(person)
    const ends = await Promise.all(Array.from({ length: 20 }, () => end({ token })))
    const statuses = ends.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array(19).fill(401)])
  }
})

test('lists the address and user agent of each session, and marks the current one', async () => {
  const { email, password } = await florin.people.lone()
  const login = await florin.call('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'user-agent': `a browser ${'x'.repeat(500)}` },
  })
  const { status, body } = await list(login.body.access_token)
  assert.equal(status, 200)
  assert.equal(body.has_more, false)
  assert.equal(body.data.length, 2)
  const [newest, oldest] = body.data
  assert.equal(newest.id, login.body.session_id)
  assert.equal(newest.current, true)
  assert.equal(newest.address, '127.0.0.1')
  assert.match(newest.user_agent, /^a browser x+$/)
  assert.equal(newest.user_agent.length, 400)
  assert.equal(newest.refreshed_at, newest.created_at)
  assert.equal(oldest.current, false)
  assert.equal(oldest.user_agent, 'test')
})

test('paginates with cursors in both directions', async () => {
  const person = await florin.people.lone()
  const sessions = [person]
  for (let n = 1; n < 5; n++) sessions.push(await florin.people.session(person))
  const newest_first = sessions.map(({ session_id }) => session_id).reverse()
  const page = async (query: string) => {
    const { status, body } = await list(person.token, query)
    assert.equal(status, 200)
    return [body.data.map((session: { id: string }) => session.id), body.has_more]
  }
  const [a, b, c, d, e] = newest_first
  assert.deepEqual(await page(''), [newest_first, false])
  assert.deepEqual(await page('?limit=2'), [[a, b], true])
  assert.deepEqual(await page(`?limit=2&starting_after=${b}`), [[c, d], true])
  assert.deepEqual(await page(`?limit=2&starting_after=${d}`), [[e], false])
  assert.deepEqual(await page(`?starting_after=${e}`), [[], false])
  assert.deepEqual(await page(`?limit=2&ending_before=${d}`), [[b, c], true])
  assert.deepEqual(await page(`?limit=2&ending_before=${c}`), [[a, b], false])
  assert.deepEqual(await page(`?ending_before=${a}`), [[], false])
  assert.deepEqual(await page('?limit=1000'), [newest_first, false])
})

test('returns 400 for an invalid cursor or limit', async () => {
  const { token, session_id } = await florin.people.lone()
  const queries = [
    `?starting_after=${session_id}&ending_before=${session_id}`,
    `?starting_after=${owner.session_id}`,
    `?ending_before=${owner.session_id}`,
    '?starting_after=ses_01h455vb4pex5vsknk084sn02q',
    '?starting_after=x',
    '?starting_after=',
    '?limit=0',
    '?limit=-1',
    '?limit=x',
    '?limit=1.5',
    '?limit=',
  ]
  for (const query of queries) {
    const { status, body } = await list(token, query)
    assert.equal(status, 400, query)
    assert.equal(body.error, 'invalid_request')
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../../src/primitives/secrets.ts'
import type { ApiResponse, CallOptions } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import type { Person } from '../../support/people.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()
const lone = await florin.people.lone()

function refresh(options: CallOptions): Promise<ApiResponse> {
  return florin.call('POST', '/v1/auth/refresh', options)
}

function newSession(): Promise<Person> {
  return florin.people.session(lone)
}

async function isValid(token: string): Promise<boolean> {
  const { status } = await florin.call('GET', '/v1/auth/sessions', { token })
  assert.ok(status === 200 || status === 401)
  return status === 200
}

function assertError(response: ApiResponse, status: number, error: string): void {
  assert.equal(response.status, status, response.text)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'])
  assert.equal(response.body.error, error)
  assert.equal(response.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null)
}

test('accepts the refresh token in the header, in the body, or in both', async () => {
  const ways: ((token: string) => CallOptions)[] = [
    (token) => ({ token }),
    (refresh_token) => ({ body: { refresh_token } }),
    (token) => ({ token, body: { refresh_token: token } }),
    (token) => ({ token, body: {} }),
    (token) => ({ token, headers: { 'content-type': 'application/json' } }),
    (token) => ({ headers: { authorization: `bearer ${token}` } }),
  ]
  for (const way of ways) {
    const { refresh_token, session_id, token } = await newSession()
    const response = await refresh(way(refresh_token))
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(Object.keys(response.body).sort(), [
      'access_token',
      'expires_in',
      'refresh_token',
      'session_id',
      'token_type',
    ])
    assert.equal(response.body.session_id, session_id)
    assert.equal(response.body.token_type, 'Bearer')
    assert.equal(response.body.expires_in, 3600)
    assert.notEqual(response.body.refresh_token, refresh_token)
    assert.ok(await isValid(response.body.access_token))
    assert.ok(await isValid(token), 'earlier access tokens are valid until they expire')
  }
})

test('returns 400 for two different tokens and uses neither', async () => {
  const one = await newSession()
  const other = await newSession()
  const response = await assertNoChanges(florin.db.pool, () =>
    refresh({ token: one.refresh_token, body: { refresh_token: other.refresh_token } }),
  )
  assertError(response, 400, 'invalid_request')
  for (const { refresh_token } of [one, other]) {
    assert.equal((await refresh({ token: refresh_token })).status, 200)
  }
})

test('returns 400 for a malformed body, also with a valid header', async () => {
  const { refresh_token: token } = await newSession()
  const bodies = [
    { refresh_token: token, more: 1 },
    { refresh_token: 1 },
    { refresh_token: null },
    { refresh_token: '' },
    { refreshToken: token },
    [],
    '{',
  ]
  for (const body of bodies) {
    const response = await assertNoChanges(florin.db.pool, () => refresh({ token, body }))
    assertError(response, 400, 'invalid_request')
    assert.ok(!response.text.includes(token))
  }
  assert.equal((await refresh({ token })).status, 200)
})

test('returns 401 unauthorized without a refresh token', async () => {
  for (const body of [undefined, {}]) {
    assertError(await assertNoChanges(florin.db.pool, () => refresh({ body })), 401, 'unauthorized')
  }
})

test('returns 401 invalid_grant for any other token', async () => {
  const ended = await newSession()
  await florin.call('DELETE', '/v1/auth/session', { token: ended.token })
  const expired = await newSession()
  await florin.db.pool.query(
    "update tokens set expires_at = now() - interval '1 ms' where token_hash = $1",
    [sha256(expired.refresh_token)],
  )
  const { token: access } = await newSession()
  const unknown = access.replace('fat_', 'frt_')
  const bodies = new Set<string>()
  for (const token of [access, unknown, 'x', ended.refresh_token, expired.refresh_token]) {
    for (const way of [{ token }, { body: { refresh_token: token } }]) {
      const response = await assertNoChanges(florin.db.pool, () => refresh(way))
      assertError(response, 401, 'invalid_grant')
      bodies.add(response.text)
    }
  }
  assert.equal(bodies.size, 1)
  assert.ok(await isValid(access), 'an access token sent by mistake stays valid')
})

test('a second use ends the whole session, and no other session', async () => {
  for (const person of [lone, owner, await florin.people.admin()]) {
    const other = await florin.people.session(person)
    const first = await florin.people.session(person)
    const second = await refresh({ token: first.refresh_token })
    const third = await refresh({ token: second.body.refresh_token })
    assertError(await refresh({ token: first.refresh_token }), 401, 'invalid_grant')
    for (const access of [first.token, second.body.access_token, third.body.access_token]) {
      assert.ok(!(await isValid(access)))
    }
    assertError(await refresh({ token: third.body.refresh_token }), 401, 'invalid_grant')
    assert.ok(await isValid(other.token))
    assert.equal((await refresh({ token: other.refresh_token })).status, 200)
  }
})

test('exactly one of 20 parallel uses succeeds, and the session is ended', async () => {
  const rounds = process.env.FLORIN_LONG ? 50 : 15
  for (let round = 0; round < rounds; round++) {
    const { refresh_token } = await florin.people.session(round % 2 ? owner : lone)
    const uses = Array.from({ length: 20 }, () => refresh({ token: refresh_token }))
    const responses = await Promise.all(uses)
    const winners = responses.filter((response) => response.status === 200)
    assert.equal(winners.length, 1, `round ${round}`)
    for (const response of responses) {
      if (response !== winners[0]) assertError(response, 401, 'invalid_grant')
    }
    assert.ok(!(await isValid(winners[0]!.body.access_token)))
    assertError(await refresh({ token: winners[0]!.body.refresh_token }), 401, 'invalid_grant')
  }
})

const ends = `select extract(epoch from max(expires_at) - now())::int as left_s
  from tokens where token_hash = $1`

async function secondsLeft(token: string): Promise<number> {
  return (await florin.db.pool.query(ends, [sha256(token)])).rows[0].left_s
}

test('a refresh extends the session by 30 days, up to 90 days in total', async () => {
  const { refresh_token, session_id } = await newSession()
  const second = await refresh({ token: refresh_token })
  const thirty_days_s = 30 * 86_400
  const left = await secondsLeft(second.body.refresh_token)
  assert.ok(left > thirty_days_s - 60 && left <= thirty_days_s, `${left} s`)
  const listed = await florin.call('GET', '/v1/auth/sessions', { token: second.body.access_token })
  const session = listed.body.data.find((entry: { id: string }) => entry.id === session_id)
  const lifetime_ms = Date.parse(session.expires_at) - Date.parse(session.created_at)
  assert.equal(lifetime_ms, 90 * 86_400_000)

  await moveEnd(second.body.refresh_token, '100 s')
  const third = await refresh({ token: second.body.refresh_token })
  assert.ok(third.body.expires_in <= 100 && third.body.expires_in > 40, third.text)
  assert.ok((await secondsLeft(third.body.refresh_token)) <= 100)
  assert.ok((await secondsLeft(third.body.access_token)) <= 100)
})

async function moveEnd(refresh_token: string, left: string): Promise<void> {
  const text = `update sessions set ends_at = now() + $1::interval
    where id = (select principal_id from tokens where token_hash = $2)`
  const { rowCount } = await florin.db.pool.query(text, [left, sha256(refresh_token)])
  assert.equal(rowCount, 1)
}

// A revocation is effective at once in another process too. Two real servers on one database share
// no memory that could hide an error. FLORIN_LONG=1 revokes 1,000 sessions.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Db, openDatabase } from '../../../src/postgres/database.ts'
import { makeInstallation } from '../../cli/florin-process.ts'
import { makeDatabase } from '../../cli/shared-database.ts'
import { type ApiResponse, call } from '../../support/call.ts'
import { People, type Person } from '../../support/people.ts'

const rounds = process.env.FLORIN_LONG ? 1_000 : 30

/** Two servers, and a factory of sessions that does not hash a password for each. */
async function startTwo(t: TestContext): Promise<{ servers: string[]; people: People }> {
  // Closed in this order: the servers, the connections of this test, the database.
  const installation = await makeInstallation(t)
  const opened: Db[] = []
  t.after(async () => opened[0]?.close())
  const { env, connection } = await makeDatabase(t)
  const db = openDatabase(connection)
  opened.push(db)
  const options = { env: { ...env, FLORIN_RATE_LIMIT: 'off' } }
  const served = await Promise.all([0, 1].map(() => installation.start(options, ['--no-worker'])))
  return { servers: served.map(({ url }) => url), people: new People(db) }
}

/** In turn: with the session itself, from another session, and by reusing its refresh token. */
async function revoke(
  servers: string[],
  session: Person,
  keeper: Person,
  round: number,
): Promise<void> {
  const at = servers[round % 2]!
  const { token, session_id, refresh_token } = session
  if (round % 3 === 0) await must(call(at, 'DELETE', '/v1/auth/session', { token }))
  if (round % 3 === 1) {
    const by_id = { token: keeper.token, body: { session_id } }
    await must(call(at, 'DELETE', '/v1/auth/session', by_id))
  }
  if (round % 3 !== 2) return
  await must(call(at, 'POST', '/v1/auth/refresh', { token: refresh_token }))
  const again = await call(servers[0]!, 'POST', '/v1/auth/refresh', { token: refresh_token })
  assert.equal(again.status, 401)
}

async function must(response: Promise<ApiResponse>): Promise<void> {
  const { status, text } = await response
  assert.equal(status, 200, text)
}

test(`neither of two processes accepts any of ${rounds} revoked sessions`, async (t) => {
  const { servers, people } = await startTwo(t)
  const reads = (session: Person): Promise<ApiResponse[]> =>
    Promise.all(servers.map((url) => call(url, 'GET', '/v1/account', { token: session.token })))
  const owner = await people.owner()
  const keeper = await people.session(owner)
  let accepted = 0
  for (let round = 0; round < rounds; round++) {
    const session = await people.session(owner)
    for (const { status } of await reads(session)) assert.equal(status, 200)
    await revoke(servers, session, keeper, round)
    for (const { status } of await reads(session)) accepted += status === 401 ? 0 : 1
  }
  assert.equal(accepted, 0)
  for (const { status } of await reads(keeper)) assert.equal(status, 200)
})

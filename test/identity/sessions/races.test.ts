// A login or refresh that races with a suspension, a new password or a deletion never leaves a
// valid token. Each round uses different delays, so that both orders occur.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '../../../src/identity/users/password.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import type { Person } from '../../support/people.ts'
import { runWhileBlocked } from '../../support/run-while-blocked.ts'
import { newPassword } from '../../support/secrets.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()

const changes: Record<string, (person: Person) => Promise<ApiResponse>> = {
  'a suspension': ({ id }) =>
    florin.call('PATCH', `/v1/users/${id}`, {
      token: admin.token,
      body: { status: 'suspended' },
    }),
  'a new password': ({ id }) =>
    florin.call('PATCH', `/v1/users/${id}`, {
      token: admin.token,
      body: { password: newPassword() },
    }),
  'a deletion': ({ id }) => florin.call('DELETE', `/v1/users/${id}`, { token: admin.token }),
}

const rounds = 6

for (const [name, change] of Object.entries(changes)) {
  test(`a login that races with ${name} leaves no valid token`, async () => {
    const outcomes = { opened: 0, rejected: 0 }
    for (let round = 0; round < rounds; round++) {
      const person = await florin.people.lone()
      const { email, password } = person
      const logins = [0, 1].map(() =>
        florin.call('POST', '/v1/auth/login', { body: { email, password } }),
      )
      // A login takes about 50 ms, nearly all of it hashing. The change happens during a login or
      // between the two.
      await (round % 2 ? sleep(round * 10) : Promise.race(logins))
      assert.equal((await change(person)).status, 200)
      for (const response of await Promise.all(logins)) {
        assert.ok(response.status === 200 || response.status === 401, response.text)
        outcomes[response.status === 200 ? 'opened' : 'rejected'] += 1
      }
      await assertNoTokens(person)
    }
    assert.ok(outcomes.opened > 0, 'some logins were first')
  })
}

test('rejects a login if the password changed after it was verified', async () => {
  const { id, email, password } = await florin.people.lone()
  const user_id = findUuid('user', id)
  const password_hash = await hashPassword(newPassword())
  const response = await runWhileBlocked(
    florin,
    { text: 'select 1 from users where id = $1 for update', values: [user_id] },
    () => florin.call('POST', '/v1/auth/login', { body: { email, password } }),
    async (holder) => {
      await holder.query('delete from tokens where user_id = $1', [user_id])
      await holder.query('delete from sessions where user_id = $1', [user_id])
      const text = 'update users set password_hash = $2 where id = $1'
      await holder.query(text, [user_id, password_hash])
    },
  )
  assert.equal(response.status, 401)
  assert.equal(response.body.error, 'invalid_credentials')
})

test('a refresh that races with a suspension leaves no valid token', async () => {
  const outcomes = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    const owner = await florin.people.owner()
    const member = await florin.people.member(owner)
    const body = { status: 'suspended' }
    const path = `/v1/users/${member.id}`
    const suspended = florin.call('PATCH', path, { token: owner.token, body })
    let token = member.refresh_token
    for (;;) {
      const response = await florin.call('POST', '/v1/auth/refresh', { token })
      outcomes.set(response.status, (outcomes.get(response.status) ?? 0) + 1)
      if (response.status !== 200) break
      token = response.body.refresh_token
    }
    assert.equal((await suspended).status, 200)
    await assertNoTokens(member)
  }
  assert.equal(outcomes.get(401), rounds, 'every chain of refreshes ended')
})

test('a login that races with the closing of its account leaves no valid token', async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await florin.people.owner()
    const { email, password, token } = owner
    const login = florin.call('POST', '/v1/auth/login', { body: { email, password } })
    await sleep(round * 8)
    const closed = await florin.call('DELETE', '/v1/account', { token })
    assert.equal(closed.status, 200)
    assert.ok([200, 401].includes((await login).status))
    await assertNoTokens(owner)
  }
})

async function assertNoTokens({ id }: Person): Promise<void> {
  const text = `select 1 from tokens where user_id = $1
    union all select 1 from sessions where user_id = $1`
  const { rowCount } = await florin.db.pool.query(text, [findUuid('user', id)])
  assert.equal(rowCount, 0)
}

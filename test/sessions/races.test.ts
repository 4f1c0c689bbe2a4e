// A log-in or a refresh that races a suspension, a new password or a deletion never leaves a live
// token behind. Each round starts the two at slightly different times, so that both orders happen.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid } from '../../src/primitives/ids.ts'
import { hashPassword } from '../../src/users/password.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { runWhileBlocked } from '../support/run-while-blocked.ts'
import { newPassword } from '../support/secrets.ts'

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
  test(`a log-in that races ${name} leaves no live token`, async () => {
    const outcomes = { opened: 0, refused: 0 }
    for (let round = 0; round < rounds; round++) {
      const person = await florin.people.lone()
      const { email, password } = person
      const logIns = [0, 1].map(() =>
        florin.call('POST', '/v1/auth/login', { body: { email, password } }),
      )
      // A log-in takes about 50 ms, nearly all of it hashing: the change comes somewhere in it, or
      // between the first one and the last.
      await (round % 2 ? sleep(round * 10) : Promise.race(logIns))
      assert.equal((await change(person)).status, 200)
      for (const response of await Promise.all(logIns)) {
        assert.ok(response.status === 200 || response.status === 401, response.text)
        outcomes[response.status === 200 ? 'opened' : 'refused'] += 1
      }
      await expectNoTokens(person)
    }
    assert.ok(outcomes.opened > 0, 'some log-ins were first')
  })
}

test('a password that changed after it was verified opens nothing', async () => {
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

test('a refresh that races a change leaves no live token', async () => {
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
    await expectNoTokens(member)
  }
  assert.equal(outcomes.get(401), rounds, 'every chain of refreshes came to its end')
})

test('a log-in that races the closing of its account leaves no live token', async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await florin.people.owner()
    const { email, password, token } = owner
    const logIn = florin.call('POST', '/v1/auth/login', { body: { email, password } })
    await sleep(round * 8)
    const closed = await florin.call('DELETE', '/v1/account', { token })
    assert.equal(closed.status, 200)
    assert.ok([200, 401].includes((await logIn).status))
    await expectNoTokens(owner)
  }
})

async function expectNoTokens({ id }: Person): Promise<void> {
  const text = `select 1 from tokens where user_id = $1
    union all select 1 from sessions where user_id = $1`
  const { rowCount } = await florin.db.pool.query(text, [findUuid('user', id)])
  assert.equal(rowCount, 0)
}

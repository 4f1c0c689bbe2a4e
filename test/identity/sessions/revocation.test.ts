// A revoked session is invalid for the next request, in every process.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import type { Person } from '../../support/people.ts'
import { newPassword } from '../../support/secrets.ts'

const florin = await startFlorin()
const other = await florin.startSecondServer()
const admin = await florin.people.admin()

type Call = typeof florin.call

async function must(response: ReturnType<Call>): Promise<void> {
  const { status, text } = await response
  assert.equal(status, 200, text)
}

async function isValid({ token }: { token: string }): Promise<boolean> {
  const statuses = await Promise.all(
    [florin, other].map(
      async ({ call }) => (await call('GET', '/v1/auth/sessions', { token })).status,
    ),
  )
  assert.ok(statuses.every((status) => status === statuses[0] && [200, 401].includes(status)))
  return statuses[0] === 200
}

async function assertRevoked(...people: Person[]): Promise<void> {
  for (const person of people) {
    assert.ok(!(await isValid(person)))
    const refresh = await other.call('POST', '/v1/auth/refresh', { token: person.refresh_token })
    assert.equal(refresh.status, 401)
    assert.equal(refresh.body.error, 'invalid_grant')
  }
}

const change = (by: Person, of: Person, body: unknown) =>
  must(other.call('PATCH', `/v1/users/${of.id}`, { token: by.token, body }))

test('none of 1,000 requests after a revocation is accepted, in either process', async () => {
  const person = await florin.people.owner()
  const keeper = await florin.people.session(person)
  const revocations: ((session: Person) => Promise<void>)[] = [
    ({ token }) => must(florin.call('DELETE', '/v1/auth/session', { token })),
    ({ session_id }) => {
      const by_id = { token: keeper.token, body: { session_id } }
      return must(other.call('DELETE', '/v1/auth/session', by_id))
    },
    async ({ refresh_token: token }) => {
      await must(florin.call('POST', '/v1/auth/refresh', { token }))
      assert.equal((await other.call('POST', '/v1/auth/refresh', { token })).status, 401)
    },
  ]
  let accepted = 0
  for (let round = 0; round < 100; round++) {
    const session = await florin.people.session(person)
    assert.ok(await isValid(session), 'both processes have accepted it')
    await revocations[round % revocations.length]!(session)
    const { token } = session
    const requests = Array.from({ length: 10 }, (_, at) =>
      (at % 2 ? florin : other).call('GET', '/v1/account', { token }),
    )
    for (const { status } of await Promise.all(requests)) accepted += status === 401 ? 0 : 1
  }
  assert.equal(accepted, 0)
  assert.ok(await isValid(keeper))
})

test('users who change their password keep the current session and end the others', async () => {
  const owner = await florin.people.owner()
  for (const person of [owner, await florin.people.member(owner), await florin.people.lone()]) {
    const elsewhere = await florin.people.session(person)
    await change(person, person, { password: newPassword() })
    await assertRevoked(elsewhere)
    assert.ok(await isValid(person))
    const refresh = { token: person.refresh_token }
    assert.equal((await florin.call('POST', '/v1/auth/refresh', refresh)).status, 200)
  }
})

test('a password change by another user ends every session', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const elsewhere = await florin.people.session(member)
  await change(owner, member, { password: newPassword() })
  await assertRevoked(member, elsewhere)
  await change(admin, owner, { password: newPassword() })
  await assertRevoked(owner)
})

test('a new name does not end sessions', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  await change(owner, member, { name: 'Someone Else', status: 'active' })
  assert.ok(await isValid(member))
})

test('suspended and pending end every session, and active does not restore them', async () => {
  const owner = await florin.people.owner()
  for (const status of ['suspended', 'pending']) {
    const member = await florin.people.member(owner)
    const elsewhere = await florin.people.session(member)
    await change(owner, member, { status })
    await assertRevoked(member, elsewhere)
    await change(owner, member, { status: 'active' })
    await assertRevoked(member, elsewhere)
    assert.ok(await isValid(owner))
  }
  const lone = await florin.people.lone()
  await change(admin, lone, { status: 'suspended' })
  await assertRevoked(lone)
})

test('deleting a user ends every session', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const elsewhere = await florin.people.session(member)
  await must(florin.call('DELETE', `/v1/users/${member.id}`, { token: owner.token }))
  await assertRevoked(member, elsewhere)
  const lone = await florin.people.lone()
  await must(florin.call('DELETE', `/v1/users/${lone.id}`, { token: lone.token }))
  await assertRevoked(lone)
  assert.ok(await isValid(owner))
})

test('closing an account ends every session of its users', async () => {
  const closings = [
    (owner: { token: string }) => florin.call('DELETE', '/v1/account', { token: owner.token }),
    (owner: { account_id: string }) =>
      other.call('DELETE', '/v1/account', {
        token: admin.token,
        headers: { 'florin-account': owner.account_id },
      }),
  ]
  for (const close of closings) {
    const owner = await florin.people.owner()
    const member = await florin.people.member(owner)
    const elsewhere = await florin.people.session(owner)
    await must(close(owner))
    await assertRevoked(owner, member, elsewhere)
    assert.ok(await isValid(admin))
  }
})

test('suspending an account does not end sessions', async () => {
  const owner = await florin.people.owner()
  const body = { status: 'suspended' }
  await must(florin.call('PATCH', `/v1/accounts/${owner.account_id}`, { token: admin.token, body }))
  assert.ok(await isValid(owner))
})

test('an expired token is invalid before its row is deleted', async () => {
  const person = await florin.people.lone()
  await florin.db.pool.query(
    `update tokens set expires_at = now() - interval '1 second' where user_id = $1`,
    [findUuid('user', person.id)],
  )
  await assertRevoked(person)
})

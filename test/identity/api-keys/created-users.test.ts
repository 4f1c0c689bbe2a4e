// Users that a platform key created lose access as soon as the key is revoked. The worker then
// suspends them one by one, and resumes after an interruption.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suspendCreatedUsers } from '../../../src/identity/users/suspend-created-users.ts'
import { startFlorin } from '../../support/florin.ts'
import { credentials, type Owner, type Person } from '../../support/people.ts'
import { makeKey } from './keys.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const all_scopes = ['users:write', 'members:write']

interface CreatedUser {
  id: string
  email: string
  password: string
  token: string
  refresh_token: string
}

function newKey(scopes = all_scopes, creator: Person = admin) {
  return makeKey(florin, creator, scopes, { role: 'platform' })
}

function create(key: string, owner?: Owner) {
  const headers: Record<string, string> = owner ? { 'florin-account': owner.account_id } : {}
  const body = credentials('made')
  return florin.call('POST', '/v1/users', { token: key, body, headers }).then((response) => ({
    response,
    ...body,
  }))
}

async function createAndLogIn(key: string, owner?: Owner): Promise<CreatedUser> {
  const { response, email, password } = await create(key, owner)
  assert.equal(response.status, 201, response.text)
  const { body } = await logIn({ email, password })
  const { access_token: token, refresh_token } = body
  return { id: response.body.id, email, password, token, refresh_token }
}

function logIn({ email, password }: { email: string; password: string }) {
  return florin.call('POST', '/v1/auth/login', { body: { email, password } })
}

function revoke(id: string) {
  return florin.call('DELETE', `/v1/api_keys/${id}`, { token: admin.token })
}

async function statusOf({ id }: { id: string }): Promise<string> {
  return (await florin.call('GET', `/v1/users/${id}`, { token: admin.token })).body.status
}

async function assertNoAccess(user: CreatedUser): Promise<void> {
  const rejected = await florin.call('GET', '/v1/auth/sessions', { token: user.token })
  assert.equal(rejected.status, 401)
  const renewed = await florin.call('POST', '/v1/auth/refresh', { token: user.refresh_token })
  assert.equal(renewed.body.error, 'invalid_grant')
  const login = await logIn(user)
  assert.equal(`${login.status} ${login.body.error}`, '401 unauthorized')
  assert.match(login.body.message, /suspended/)
}

test('creating a member needs the scope members:write', async () => {
  const owner = await florin.people.owner()
  const plain = await newKey(['users:write'])
  const denied = await create(plain.key, owner)
  assert.equal(denied.response.status, 401, denied.response.text)
  assert.match(denied.response.body.message, /members:write/)
  assert.equal((await create(plain.key)).response.status, 201)
  const able = await newKey(['members:write'])
  assert.equal((await create(able.key, owner)).response.status, 201)
})

test('revoking the key ends the access of its users, and the worker suspends them', async () => {
  const owner = await florin.people.owner()
  const { key, id } = await newKey()
  const other = await newKey()
  const made = [await createAndLogIn(key, owner), await createAndLogIn(key)]
  const spared = await createAndLogIn(other.key, owner)
  assert.equal((await revoke(id)).status, 200)
  for (const user of made) await assertNoAccess(user)
  assert.equal(await suspendCreatedUsers(florin.db), 2)
  for (const user of made) {
    await assertNoAccess(user)
    assert.equal(await statusOf(user), 'suspended')
    const { data } = (
      await florin.call('GET', `/v1/audit_log?object=${user.id}`, { token: admin.token })
    ).body
    assert.deepEqual([data[0].action, data[0].actor_id], ['user.updated', admin.id])
  }
  const events = await florin.call('GET', '/v1/events?type=user.updated', { token: owner.token })
  assert.deepEqual(
    events.body.data.map(({ data }: { data: { id: string; status: string } }) => [
      data.id,
      data.status,
    ]),
    [[made[0]!.id, 'suspended']],
  )
  const response = await florin.call('GET', '/v1/account', { token: spared.token })
  assert.equal(response.status, 200, 'users of another key are not affected')
  assert.equal(await suspendCreatedUsers(florin.db), 0)
})

test('the next run resumes an interrupted one', async () => {
  const { key, id } = await newKey()
  const made = [await createAndLogIn(key), await createAndLogIn(key), await createAndLogIn(key)]
  await revoke(id)
  const stop = new AbortController()
  const aborted = {
    get aborted() {
      const was = stop.signal.aborted
      stop.abort()
      return was
    },
  } as AbortSignal
  assert.equal(await suspendCreatedUsers(florin.db, aborted), 1)
  for (const user of made) await assertNoAccess(user)
  assert.equal(await suspendCreatedUsers(florin.db), 2)
  for (const user of made) assert.equal(await statusOf(user), 'suspended')
})

test('an activated user no longer depends on the key', async () => {
  const owner = await florin.people.owner()
  const { key, id } = await newKey()
  const before = await createAndLogIn(key, owner)
  const between = await createAndLogIn(key, owner)
  const after = await createAndLogIn(key, owner)
  const activate = async (user: CreatedUser) => {
    const body = { status: 'active' }
    const path = `/v1/users/${user.id}`
    assert.equal((await florin.call('PATCH', path, { token: owner.token, body })).status, 200)
  }
  await activate(before)
  await revoke(id)
  await activate(between)
  assert.equal(await suspendCreatedUsers(florin.db), 1)
  await activate(after)
  const response = await florin.call('GET', '/v1/account', { token: before.token })
  assert.equal(response.status, 200, 'the session continues')
  for (const user of [between, after]) {
    const { status } = await florin.call('GET', '/v1/account', { token: user.token })
    assert.equal(status, 401, 'a revoked session is not restored')
  }
  for (const user of [before, between, after]) {
    assert.equal((await logIn(user)).status, 200)
    assert.equal(await statusOf(user), 'active')
  }
  assert.equal(await suspendCreatedUsers(florin.db), 0)
})

test('suspending the creator of a key ends the access of the users of the key', async () => {
  const creator = await florin.people.admin()
  const { key } = await newKey(all_scopes, creator)
  const user = await createAndLogIn(key)
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${creator.id}`, { token: admin.token, body })
  await assertNoAccess(user)
  assert.equal(await suspendCreatedUsers(florin.db), 1)
  assert.equal(await statusOf(user), 'suspended')
})

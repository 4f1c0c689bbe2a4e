// A key is revoked with its creator and with its account, and not by a new password.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import type { Owner, Person } from '../../support/people.ts'
import { waitForWaiters } from '../../transactions/transaction-fixtures.ts'
import { makeKey, status } from './keys.ts'

const florin = await startFlorin()
const { people } = florin

const works = async (key: string) => (await status(florin, key, 'GET', '/v1/account')) === 200

async function keyByAdmin(admin: Person, owner: Owner) {
  const headers = { 'florin-account': owner.account_id }
  return makeKey(florin, admin, ['*'], { headers })
}

async function eventTypes(admin: Person, owner: Owner): Promise<string[]> {
  const { body } = await florin.call('GET', '/v1/events', {
    token: admin.token,
    headers: { 'florin-account': owner.account_id },
  })
  return body.data.map(({ type }: { type: string }) => type)
}

for (const user_status of ['suspended', 'pending']) {
  test(`the status ${user_status} revokes the keys that a user created, with events`, async () => {
    const [boss, admin] = [await people.admin(), await people.admin()]
    const [one, two] = [await people.owner(), await people.owner()]
    const keys = [await keyByAdmin(admin, one), await keyByAdmin(admin, two)]
    const platform = await makeKey(florin, admin, ['*'], { role: 'platform' })
    const spared = await keyByAdmin(boss, one)
    const body = { status: user_status }
    const done = await florin.call('PATCH', `/v1/users/${admin.id}`, { token: boss.token, body })
    assert.equal(done.status, 200, done.text)
    for (const { key } of keys) assert.equal(await works(key), false)
    assert.equal(await status(florin, platform.key, 'GET', '/v1/accounts'), 401)
    assert.equal(await works(spared.key), true)
    for (const owner of [one, two]) {
      assert.ok((await eventTypes(boss, owner)).includes('api_key.revoked'))
    }
    for (const { id } of [...keys, platform]) {
      const options = { token: boss.token }
      const { data } = (await florin.call('GET', `/v1/audit_log?object=${id}`, options)).body
      assert.deepEqual([data[0].action, data[0].actor_id], ['api_key.revoked', boss.id])
    }
    // Activating the user does not restore the keys.
    const back = { status: 'active' }
    await florin.call('PATCH', `/v1/users/${admin.id}`, { token: boss.token, body: back })
    for (const { key } of keys) assert.equal(await works(key), false)
  })
}

test('deleting the creator revokes the keys', async () => {
  const [boss, admin] = [await people.admin(), await people.admin()]
  const owner = await people.owner()
  const { key } = await keyByAdmin(admin, owner)
  assert.equal(await works(key), true)
  const done = await florin.call('DELETE', `/v1/users/${admin.id}`, { token: boss.token })
  assert.equal(done.status, 200, done.text)
  assert.equal(await works(key), false)
  assert.equal((await eventTypes(boss, owner))[0], 'api_key.revoked')
})

test('closing the account revokes all of its keys', async () => {
  const admin = await people.admin()
  const owner = await people.owner()
  const keys = [await makeKey(florin, owner, ['*']), await keyByAdmin(admin, owner)]
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  for (const { key } of keys) assert.equal(await works(key), false)
  const types = await eventTypes(admin, owner)
  assert.equal(types.filter((type) => type === 'api_key.revoked').length, 2)
  const listed = await florin.call('GET', '/v1/api_keys', {
    token: admin.token,
    headers: { 'florin-account': owner.account_id },
  })
  for (const { revoked_at } of listed.body.data) assert.notEqual(revoked_at, null)
})

test('a new password and a logout do not revoke keys', async () => {
  const owner = await people.owner()
  const { key } = await makeKey(florin, owner, ['*'])
  const body = { password: 'another good password' }
  const changed = await florin.call('PATCH', `/v1/users/${owner.id}`, { token: owner.token, body })
  assert.equal(changed.status, 200, changed.text)
  await florin.call('DELETE', '/v1/auth/session', { token: owner.token })
  assert.equal(await works(key), true)
})

test('a key created while its creator is being suspended is rejected or revoked', async () => {
  const boss = await people.admin()
  const owner = await people.owner()
  const headers = { 'florin-account': owner.account_id }
  for (let round = 0; round < 5; round++) {
    const admin = await people.admin()
    const make = () =>
      florin.call('POST', '/v1/api_keys', {
        token: admin.token,
        headers,
        body: { name: 'Race', scopes: ['*'] },
      })
    const suspend = florin.call('PATCH', `/v1/users/${admin.id}`, {
      token: boss.token,
      body: { status: 'suspended' },
    })
    const responses = await Promise.all([make(), make(), make()])
    assert.equal((await suspend).status, 200)
    for (const { status: code, body } of responses) {
      if (code === 201) assert.equal(await works(body.key), false)
      else assert.equal(code, 401)
    }
  }
})

test('rejects a write that was queued before its key was revoked', async () => {
  const owner = await people.owner()
  const { id, key } = await makeKey(florin, owner, ['*'])
  const { account_id } = owner
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const holder = await florin.db.pool.connect()
  try {
    await holder.query('begin')
    const lock = 'select 1 from balances where account_id = $1 for update'
    await holder.query(lock, [findUuid('account', account_id)])
    const revoking = florin.call('DELETE', `/v1/api_keys/${id}`, { token: owner.token })
    await waitForWaiters(florin)
    const writing = florin.call('POST', '/v1/transactions', { token: key, body })
    await waitForWaiters(florin, 2)
    await holder.query('commit')
    assert.equal((await revoking).status, 200)
    const rejected = await writing
    assert.equal(rejected.status, 401)
    assert.match(rejected.body.message, /^The API key is unknown, .* or revoked\./)
  } finally {
    holder.release()
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import type { Person } from '../../support/people.ts'

const florin = await startFlorin()
let keeper = await florin.people.admin()

const remove = (by: Person, of: Person) =>
  florin.call('DELETE', `/v1/users/${of.id}`, { token: by.token })

const setStatus = (by: Person, of: Person, status: string) =>
  florin.call('PATCH', `/v1/users/${of.id}`, { token: by.token, body: { status } })

async function admins(): Promise<string[]> {
  const text = "select id from users where role = 'admin' and status = 'active'"
  return (await florin.db.pool.query(text)).rows.map(({ id }) => id)
}

async function assertNotDeletable(): Promise<void> {
  const response = await assertNoChanges(florin.db.pool, () => remove(keeper, keeper))
  assert.equal(response.status, 403)
  assert.equal(response.body.error, 'forbidden')
  assert.match(response.body.message, /last admin/)
}

test('the last admin cannot be deleted, not even by a platform user', async () => {
  await assertNotDeletable()
  const platform = await florin.people.platform()
  assert.equal((await remove(platform, keeper)).status, 403)
})

test('an admin can be deleted if there is another one', async () => {
  const second = await florin.people.admin()
  assert.equal((await remove(keeper, keeper)).status, 200)
  keeper = second
  await assertNotDeletable()
})

test('a suspended admin does not count', async () => {
  const idle = await florin.people.admin()
  assert.equal((await setStatus(keeper, idle, 'suspended')).status, 200)
  await assertNotDeletable()
  assert.equal((await remove(keeper, idle)).status, 200)
})

test('admins cannot suspend themselves', async () => {
  for (const status of ['suspended', 'pending', 'active']) {
    const response = await assertNoChanges(florin.db.pool, () => setStatus(keeper, keeper, status))
    assert.equal(response.status, 401)
  }
})

test('one admin remains if two delete or suspend each other concurrently', async () => {
  const actions = [remove, (by: Person, of: Person) => setStatus(by, of, 'suspended')]
  for (let round = 0; round < 10; round++) {
    const other = await florin.people.admin()
    const [one, two] = [actions[round % 2]!, actions[(round >> 1) % 2]!]
    const responses = await Promise.all([one(keeper, other), two(other, keeper)])
    const statuses = responses.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 401])
    const [left, ...more] = await admins()
    assert.deepEqual(more, [])
    keeper = left === findUuid('user', keeper.id) ? keeper : other
  }
  await assertNotDeletable()
})

test('one admin remains if two delete themselves concurrently', async () => {
  const other = await florin.people.admin()
  const responses = await Promise.all([remove(keeper, keeper), remove(other, other)])
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 403])
  assert.equal((await admins()).length, 1)
})

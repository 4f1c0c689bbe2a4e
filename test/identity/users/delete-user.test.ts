import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { auditEntriesAbout, eventsOf } from '../../support/history.ts'
import type { Person } from '../../support/people.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()

const remove = (by: { token: string }, of: { id: string }) =>
  florin.call('DELETE', `/v1/users/${of.id}`, { token: by.token })

test('deletes a user, and returns 404 the second time', async () => {
  const lone = await florin.people.lone()
  const { status, body } = await remove(admin, lone)
  assert.equal(status, 200)
  assert.deepEqual(body, { message: body.message, id: lone.id })
  const path = `/v1/users/${lone.id}`
  assert.equal((await florin.call('GET', path, { token: admin.token })).status, 404)
  const again = await assertNoChanges(florin.db.pool, () => remove(admin, lone))
  assert.equal(again.status, 404)
  assert.equal(again.body.error, 'not_found')
})

test('accepts a missing content type, no body and an empty object, not other bodies', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const options of [{}, { headers }, { body: {} }]) {
    const { id, token } = await florin.people.lone()
    const response = await florin.call('DELETE', `/v1/users/${id}`, { token, ...options })
    assert.equal(response.status, 200, response.text)
  }
  const { id, token } = await florin.people.lone()
  const response = await florin.call('DELETE', `/v1/users/${id}`, { token, body: { force: true } })
  assert.equal(response.status, 400)
})

test('deleting a member appends an event with the last state of the user', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const shown = await florin.call('GET', `/v1/users/${member.id}`, { token: member.token })
  const before = (await eventsOf(florin, owner.account_id)).length
  assert.equal((await remove(owner, member)).status, 200)
  const [event, ...more] = await eventsOf(florin, owner.account_id, before)
  assert.deepEqual(more, [])
  assert.equal(event!.type, 'user.deleted')
  assert.deepEqual(event!.data, shown.body)
})

test('deleting a lone user writes an audit entry', async () => {
  const lone = await florin.people.lone()
  assert.equal((await remove(lone, lone)).status, 200)
  const actions = (await auditEntriesAbout(florin, lone.id)).map(({ action, actor_role }) => [
    action,
    actor_role,
  ])
  assert.deepEqual(actions, [
    ['user.created', 'anonymous'],
    ['user.deleted', 'lone'],
  ])
})

test('exactly one of many concurrent deletions of a user succeeds', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const lone = await florin.people.lone()
  // 403 if the token is deleted after authentication and before the user is looked up.
  const cases: [Person, Person, number[]][] = [
    [owner, member, [403]],
    [admin, await florin.people.lone(), [404]],
    [lone, lone, [401, 403]],
  ]
  for (const [by, of, others] of cases) {
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(by, of)))
    const losers = responses.map(({ status }) => status).filter((status) => status !== 200)
    assert.equal(losers.length, 9)
    for (const status of losers) assert.ok(others.includes(status), `${status}`)
  }
})

test('returns 403 for the deletion of an owner, also by the owner', async () => {
  const owner = await florin.people.owner()
  for (const who of [admin, owner]) {
    const response = await assertNoChanges(florin.db.pool, () => remove(who, owner))
    assert.equal(response.status, 403)
    assert.match(response.body.message, /Close the account/)
  }
  const member = await florin.people.member(owner)
  const rejected = await remove(member, owner)
  assert.deepEqual([rejected.status, /Close/.test(rejected.body.message)], [403, false])
})

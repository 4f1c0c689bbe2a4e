import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { auditEntriesAbout, eventsOf } from '../../support/history.ts'
import type { Person } from '../../support/people.ts'
import { runWhileBlocked } from '../../support/run-while-blocked.ts'
import { newPassword } from '../../support/secrets.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()
const member = await florin.people.member(owner)
const admin = await florin.people.admin()

function update(by: Person, of: Person, body: unknown): Promise<ApiResponse> {
  return florin.call('PATCH', `/v1/users/${of.id}`, { token: by.token, body })
}

async function retrieve({ id }: Person) {
  return (await florin.call('GET', `/v1/users/${id}`, { token: admin.token })).body
}

async function logIn({ email }: Person, password: string): Promise<number> {
  const body = { email, password }
  return (await florin.call('POST', '/v1/auth/login', { body })).status
}

test('changes only the given fields', async () => {
  const person = await florin.people.member(owner)
  const before = await retrieve(person)
  const renamed = await update(owner, person, { name: 'Someone Else' })
  assert.equal(renamed.status, 200)
  assert.deepEqual(renamed.body, {
    ...before,
    name: 'Someone Else',
    updated_at: renamed.body.updated_at,
  })
  assert.ok(renamed.body.updated_at > before.updated_at)
  assert.equal(await logIn(person, person.password), 200)
  const suspended = await update(owner, person, { status: 'suspended' })
  assert.equal(suspended.body.name, 'Someone Else')
  assert.equal(suspended.body.status, 'suspended')
  assert.deepEqual(await retrieve(person), suspended.body)
})

test('null removes a name', async () => {
  const { body } = await update(owner, member, { name: null })
  assert.equal(body.name, null)
  assert.equal((await update(owner, member, { name: 'A Member' })).body.name, 'A Member')
})

test('an update without effect writes nothing', async () => {
  const lone = await florin.people.lone()
  await update(lone, lone, { name: 'Just Me' })
  const updates: [Person, Person, unknown][] = [
    [owner, member, {}],
    [owner, member, { name: 'A Member', status: 'active' }],
    [member, member, { name: 'A Member' }],
    [admin, member, { status: 'active' }],
    [lone, lone, { name: 'Just Me' }],
    [admin, lone, { name: 'Just Me', status: 'active' }],
  ]
  for (const [by, of, body] of updates) {
    const before = await retrieve(of)
    const response = await assertNoChanges(florin.db.pool, () => update(by, of, body))
    assert.equal(response.status, 200)
    assert.deepEqual(response.body, before)
  }
})

test('updating a member appends one event, and an audit entry if an admin does it', async () => {
  const person = await florin.people.member(owner)
  const before = (await eventsOf(florin, owner.account_id)).length
  const changes: [Person, unknown][] = [
    [owner, { name: 'One' }],
    [person, { name: 'Two' }],
    [admin, { name: 'Three', status: 'pending' }],
    [owner, { status: 'active', password: newPassword() }],
  ]
  const users = []
  for (const [by, body] of changes) {
    const response = await update(by, person, body)
    assert.equal(response.status, 200)
    users.push(response.body)
  }
  const events = await eventsOf(florin, owner.account_id, before)
  assert.deepEqual(
    events.map(({ type, object_id }) => [type, object_id]),
    users.map(() => ['user.updated', person.id]),
  )
  assert.deepEqual(
    events.map(({ data }) => data),
    users,
  )
  const audit_entries = await auditEntriesAbout(florin, person.id)
  assert.deepEqual(
    audit_entries.filter(({ action }) => action === 'user.updated').map(({ actor_id }) => actor_id),
    [admin.id],
  )
})

test('updating a lone user writes an audit entry and no event', async () => {
  const lone = await florin.people.lone()
  const count = async () =>
    (await florin.db.pool.query('select count(*) as n from events')).rows[0].n
  const before = await count()
  const password = newPassword()
  assert.equal((await update(lone, lone, { name: 'Me', password })).status, 200)
  assert.equal((await update(admin, lone, { status: 'pending' })).status, 200)
  assert.equal(await count(), before)
  const [, own, by_admin] = await auditEntriesAbout(florin, lone.id)
  assert.equal(own!.actor_role, 'lone')
  assert.deepEqual(own!.details, { name: true, status: false, password: true })
  assert.equal(by_admin!.actor_role, 'admin')
  assert.deepEqual(by_admin!.details, { name: false, status: 'pending', password: false })
})

test('a new password replaces the old one', async () => {
  const person = await florin.people.lone()
  const password = newPassword()
  const { status, text } = await update(person, person, { password })
  assert.equal(status, 200)
  assert.ok(!text.includes('password'))
  assert.equal(await logIn(person, person.password), 401)
  assert.equal(await logIn(person, password), 200)
})

test('an invalid field rejects the whole update', async () => {
  const bodies: [unknown, RegExp][] = [
    [{ name: 'New', status: 'closed' }, /^"status" /],
    [{ name: 'New', status: 'deleted' }, /^"status" /],
    [{ name: 'New', status: null }, /^"status" /],
    [{ name: 'New', password: 'short' }, /^"password" /],
    [{ name: 'New', password: newPassword().padEnd(129, '.') }, /^"password" /],
    [{ name: 'New', password: null }, /^"password" /],
    [{ name: ' ' }, /^"name" /],
    [{ name: 'n'.repeat(201) }, /^"name" /],
    [{ name: 'New', email: 'new@example.com' }, /email/],
    [{ name: 'New', role: 'owner' }, /role/],
    [{ name: 'New', role: 'admin' }, /role/],
    [{ name: 'New', updated_at: '2026-01-01' }, /updated_at/],
    [[], /body/i],
    [undefined, /body/i],
  ]
  for (const [body, message] of bodies) {
    const response = await assertNoChanges(florin.db.pool, () => update(owner, member, body))
    assert.equal(response.status, 400, response.text)
    assert.equal(response.body.error, 'invalid_request')
    assert.match(response.body.message, message)
  }
})

test('40 concurrent updates with one token all succeed', async () => {
  for (const person of [await florin.people.lone(), member, admin]) {
    const changes = Array.from({ length: 40 }, (_, at) =>
      update(person, person, { name: `N ${at}` }),
    )
    const responses = await Promise.all(changes)
    for (const response of responses) assert.equal(response.status, 200, response.text)
    const latest = responses
      .map(({ body }) => body.updated_at)
      .sort()
      .at(-1)
    assert.equal((await retrieve(person)).updated_at, latest, 'time never goes back')
  }
})

test('an update succeeds while the lone user opens an account', async () => {
  const lone = await florin.people.lone()
  const body = { email: lone.email, password: lone.password, name: 'Own Ltd', type: 'business' }
  let renamed: Promise<ApiResponse> | undefined
  const opened = await runWhileBlocked(
    florin,
    {
      text: 'select 1 from sessions where id = $1 for update',
      values: [findUuid('session', lone.session_id)],
    },
    () => florin.call('POST', '/v1/accounts', { token: lone.token, body }),
    async () => {
      renamed = update(admin, lone, { name: 'Owner Now' })
      await florin.db.pool.query('select pg_sleep(0.1)')
    },
  )
  assert.equal(opened.status, 201)
  assert.equal((await renamed!).status, 200)
  assert.equal((await retrieve(lone)).name, 'Owner Now')
  const events = await eventsOf(florin, opened.body.id)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['account.created', 'user.updated', 'user.updated'],
  )
})

test('checks "current_password" if it is sent, and counts failures as failed logins', async () => {
  const owner = await florin.people.owner()
  const path = `/v1/users/${owner.id}`
  const change = (body: object) => florin.call('PATCH', path, { token: owner.token, body })
  const password = newPassword()
  const wrong = await change({ password, current_password: 'not the password' })
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_request'])
  assert.match(wrong.body.message, /^"current_password" must be your current password/)
  assert.equal((await change({ name: 'Ann', current_password: 'wrong' })).status, 400)
  const changed = await change({ password, current_password: owner.password })
  assert.equal(changed.status, 200, changed.text)
  const one_current = [newPassword(), newPassword()].map((next) =>
    change({ password: next, current_password: password }),
  )
  const statuses = (await Promise.all(one_current)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 400], 'the first change ends the current password')
  assert.equal((await change({ password: newPassword() })).status, 200, 'it is optional')

  const other = await florin.people.lone()
  const guess = () =>
    florin.call('PATCH', `/v1/users/${other.id}`, {
      token: other.token,
      body: { password, current_password: 'a guess' },
    })
  for (let at = 0; at < 10; at++) assert.equal((await guess()).status, 400)
  assert.equal((await guess()).status, 429)
})

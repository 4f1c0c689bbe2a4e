import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { auditEntriesAbout, eventsOf } from '../../support/history.ts'
import type { Owner } from '../../support/people.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()

const close = ({ token }: { token: string }) => florin.call('DELETE', '/v1/account', { token })

const closeAsAdmin = ({ account_id }: Owner) =>
  florin.call('DELETE', '/v1/account', {
    token: admin.token,
    headers: { 'florin-account': account_id },
  })

test('DELETE returns the closing time, and admins can still read the account', async () => {
  const owner = await florin.people.owner()
  const before = await florin.call('GET', '/v1/account', { token: owner.token })
  const { status, body } = await close(owner)
  assert.equal(status, 200)
  const { closed_at, message, ...rest } = body
  assert.deepEqual(rest, { id: owner.account_id, status: 'closed' })
  assert.match(closed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(message.length > 0)
  const path = `/v1/accounts/${owner.account_id}`
  const after = await florin.call('GET', path, { token: admin.token })
  assert.deepEqual(after.body, { ...before.body, status: 'closed', updated_at: closed_at })
})

test('closing deletes the users of the account', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const suspended = await florin.people.member(owner)
  const { token } = admin
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${suspended.id}`, { token, body })
  assert.equal((await close(owner)).status, 200)
  for (const { id } of [owner, member, suspended]) {
    assert.equal((await florin.call('GET', `/v1/users/${id}`, { token })).status, 404)
  }
  const headers = { 'florin-account': owner.account_id }
  const users = await florin.call('GET', '/v1/account/users', { token, headers })
  assert.deepEqual(users.body, { object: 'list', data: [], has_more: false })
})

test('a closed account cannot be reopened, changed or closed again', async () => {
  const owner = await florin.people.owner()
  assert.equal((await close(owner)).status, 200)
  const { token } = admin
  const path = `/v1/accounts/${owner.account_id}`
  const refusals = await assertNoChanges(florin.db.pool, () =>
    Promise.all([
      florin.call('PATCH', path, { token, body: { status: 'active' } }),
      closeAsAdmin(owner),
      close(owner),
      florin.call('PATCH', '/v1/account', {
        token,
        body: { name: 'Again' },
        headers: { 'florin-account': owner.account_id },
      }),
    ]),
  )
  assert.deepEqual(
    refusals.map(({ status, body }) => `${status} ${body.error}`),
    ['409 conflict', '404 not_found', '401 unauthorized', '404 not_found'],
  )
})

test('user.deleted events precede account.closed, numbered without gaps', async () => {
  const owner = await florin.people.owner()
  const members = [await florin.people.member(owner), await florin.people.member(owner)]
  const before = await eventsOf(florin, owner.account_id)
  const response = await close(owner)
  const events = await eventsOf(florin, owner.account_id, before.length)
  assert.deepEqual(
    events.map(({ type, object_id }) => [type, object_id]),
    [
      ...[owner, ...members].map(({ id }) => ['user.deleted', id]),
      ['account.closed', owner.account_id],
    ],
  )
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, at) => before.length + at + 1),
  )
  const { data } = events.at(-1)!
  assert.equal(data.status, 'closed')
  assert.equal(data.updated_at, response.body.closed_at)
})

test('closing by an admin records audit entries for the account and each user', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const response = await closeAsAdmin(owner)
  assert.equal(response.status, 200)
  const request_id = response.headers.get('request-id')
  for (const [id, action] of [
    [owner.id, 'user.deleted'],
    [member.id, 'user.deleted'],
    [owner.account_id, 'account.closed'],
  ] as const) {
    const entry = (await auditEntriesAbout(florin, id)).at(-1)!
    assert.equal(entry.action, action)
    assert.equal(entry.actor_id, admin.id)
    assert.equal(entry.account_id, owner.account_id)
    assert.equal(entry.request_id, request_id)
  }
})

test('DELETE accepts an empty body and rejects any other', async () => {
  const { token } = await florin.people.owner()
  for (const body of [{ confirm: true }, [], '{']) {
    const response = await assertNoChanges(florin.db.pool, () =>
      florin.call('DELETE', '/v1/account', { token, body }),
    )
    assert.equal(response.status, 400)
  }
  const headers = { 'content-type': 'application/json' }
  assert.equal((await florin.call('DELETE', '/v1/account', { token, headers })).status, 200)
})

test('of parallel closings of one account exactly one succeeds', async () => {
  const owner = await florin.people.owner()
  await florin.people.member(owner)
  const other = await florin.people.session(owner)
  const closings = Array.from({ length: 12 }, (_, at) => close(at % 2 ? owner : other))
  const statuses = (await Promise.all(closings)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array(11).fill(401)])
})

test('many accounts with members can be closed in parallel', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => florin.people.owner()))
  await Promise.all(owners.flatMap((owner) => [1, 2, 3].map(() => florin.people.member(owner))))
  const closings = await Promise.all(owners.map((owner) => closeAsAdmin(owner)))
  for (const { status, text } of closings) assert.equal(status, 200, text)
})

test('closing while members change leaves no users behind', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await florin.people.owner()
    const [staying, leaving] = [
      await florin.people.member(owner),
      await florin.people.member(owner),
    ]
    const responses = await Promise.all([
      florin.call('PATCH', `/v1/users/${staying.id}`, {
        token: staying.token,
        body: { name: 'Still here' },
      }),
      florin.call('DELETE', `/v1/users/${leaving.id}`, { token: leaving.token }),
      close(owner),
      florin.call('POST', '/v1/auth/refresh', { token: staying.refresh_token }),
    ])
    assert.equal(responses[2]!.status, 200)
    for (const { status, text } of responses) assert.ok([200, 401, 403, 404].includes(status), text)
    const text = 'select 1 from users where account_id = $1'
    const left = await florin.db.pool.query(text, [findUuid('account', owner.account_id)])
    assert.equal(left.rowCount, 0)
  }
})

// Every combination of caller and object at the endpoint that changes the role of a member, and
// what changing it does. All columns but `nothing` and `elsewhere` send the header of the account.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { accountAndRoleOf, keysOf, userKeys } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)

const people: Record<string, string> = {
  own: 'member',
  nothing: 'member',
  elsewhere: 'member',
  other: 'member2',
}

testGrid(florin, fixtures, {
  endpoint: 'PATCH /v1/account/users/{user_id}',
  requests: async (inside, object) => {
    const ids = await inside.userIds(people[object] ?? object)
    const [own, other] = [await inside.owner('owner'), await inside.owner('owner2')]
    const named = object === 'elsewhere' ? other : own
    const headers = object === 'nothing' ? {} : { 'florin-account': named.account_id }
    return ids
      .filter((_, at) => at % 4 === 0)
      .map((id) => {
        const path = `/v1/account/users/${id}`
        return { method: 'PATCH', path, body: { role: 'viewer' }, headers }
      })
  },
  check: async (response) => {
    assert.deepEqual(keysOf(response), [...userKeys, 'role'].sort())
    assert.equal(response.body.role, 'viewer')
    assert.equal((await accountAndRoleOf(florin, response.body.id))[0], 'viewer')
  },
  destroys: () => ['member'],
  grid: `
         own    nothing owner  other  elsewhere deleted unknown badid
dead     dead
member   scope
viewer   scope
owner    ok     ok      close  none   nohead    none    none    none
owner2   nohead none    nohead nohead none      nohead  nohead  none
lone     forb
platform scope
admin    ok     forb    close  none   none      none    none    none
key:*    scope
key2:*   scope
platform_key:* scope`,
})

test('a new role ends the sessions of the user, and the next one acts with it', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const change = (role: string) =>
    florin.call('PATCH', `/v1/account/users/${member.id}`, { token: owner.token, body: { role } })
  const { account_id } = owner
  const payment = { account_id, amount: 500, currency: 'USD', type: 'payment' }
  const pay = (token: string) => florin.call('POST', '/v1/transactions', { token, body: payment })

  assert.equal((await change('member')).status, 200)
  assert.equal((await pay(member.token)).status, 201, 'the same role ends nothing')
  assert.equal((await change('viewer')).body.role, 'viewer')
  const ended = await florin.call('GET', '/v1/account', { token: member.token })
  assert.equal(ended.status, 401)

  const again = await florin.people.session(member)
  const refused = await pay(again.token)
  assert.equal(refused.status, 401)
  assert.equal(
    refused.body.message,
    'This token may not create transactions: a read-only member does not have this permission.',
  )
  assert.equal((await florin.call('GET', '/v1/transactions', again)).body.data.length, 1)
  const own = { token: again.token, body: { name: 'Reader' } }
  assert.equal((await florin.call('PATCH', `/v1/users/${member.id}`, own)).body.name, 'Reader')

  assert.equal((await change('member')).status, 200)
  assert.equal((await pay((await florin.people.session(member)).token)).status, 201)
})

test('a new role is in the audit log and in the list of users, and sends an event', async () => {
  const owner = await florin.people.owner()
  const { id } = await florin.people.member(owner)
  const path = `/v1/account/users/${id}`
  const { token } = owner
  await florin.call('PATCH', path, { token, body: { role: 'viewer' } })
  const text =
    'select actor_role, action, details, account_id from audit_log where object_id = $1 order by id'
  const { rows } = await florin.db.pool.query(text, [findUuid('user', id)])
  assert.deepEqual(rows, [
    {
      actor_role: 'owner',
      action: 'user.role_changed',
      details: '{"role":"viewer"}',
      account_id: findUuid('account', owner.account_id),
    },
  ])
  const { body: users } = await florin.call('GET', '/v1/account/users', { token })
  const roles = users.data.map((user: { id: string; role: string }) => [user.id, user.role])
  assert.deepEqual(roles, [
    [id, 'viewer'],
    [owner.id, 'owner'],
  ])
  const { body: events } = await florin.call('GET', '/v1/events?type=user.updated', { token })
  assert.equal(events.data[0].data.id, id)
})

test('an unknown role is rejected with the roles that exist', async () => {
  const owner = await florin.people.owner()
  const { id } = await florin.people.member(owner)
  for (const role of ['owner', 'admin', 'lone', '', null]) {
    const { token } = owner
    const { status, body } = await florin.call('PATCH', `/v1/account/users/${id}`, {
      token,
      body: { role },
    })
    assert.equal(status, 400, body.message)
    assert.match(body.message, /"?role"?/)
  }
})

test('an email address of a read-only member is free once the account is closed', async () => {
  const owner = await florin.people.owner()
  const { email, password } = await florin.people.viewer(owner)
  assert.equal((await florin.call('DELETE', '/v1/account', { token: owner.token })).status, 200)
  const created = await florin.call('POST', '/v1/users', { body: { email, password } })
  assert.equal(created.status, 201, created.text)
})

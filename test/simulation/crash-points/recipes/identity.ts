// Sessions, users, accounts and API keys. Some of these requests revoke the caller's own token.

import assert from 'node:assert/strict'
import { findUuid, newUuid, toTypeId } from '../../../../src/primitives/ids.ts'
import type { Owner } from '../../../support/people.ts'
import { credentials } from '../../../support/people.ts'
import { newPassword } from '../../../support/secrets.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

const no_lock = 'It only inserts rows, which no other transaction can see, so it locks none.'

export const counts_only = 'It only inserts rows and counts the address, in one statement.'

/** Verifies that a login works, so what was created or changed is complete. */
function logsIn(world: World, who: { email: string; password: string }) {
  return async (): Promise<void> => {
    const { email, password } = who
    const found = await world.call('POST', '/v1/auth/login', { body: { email, password } })
    assert.equal(found.status, 200, found.text)
  }
}

function respondsWith(world: World, path: string, token: string, status: number) {
  return async (): Promise<void> => {
    assert.equal((await world.call('GET', path, { token })).status, status, path)
  }
}

/** The first request also stores the client's address; all others have the same effect. */
export async function countResetRequest(world: World): Promise<void> {
  const { email } = credentials('reset')
  const found = await world.call('POST', '/v1/auth/password_reset', { body: { email } })
  assert.equal(found.status, 202, found.text)
}

async function newAccountBody(world: World) {
  return { ...credentials('crash'), name: world.unique(), type: 'business' }
}

export const identityRecipes: Recipe[] = [
  {
    operation: 'logIn',
    on_repeat: { status: 200, changes: 'the same once more' },
    async prepare(world) {
      const { email, password } = await world.people.lone()
      // The first login also stores the client's address; all others have the same effect.
      await logsIn(world, { email, password })()
      const verifyEffect = (response: { access_token: string }) =>
        respondsWith(world, '/v1/auth/sessions', response.access_token, 200)()
      return { body: { email, password }, verifyEffect }
    },
  },
  {
    operation: 'requestPasswordReset',
    unreachable: { 'after the lock': counts_only },
    // The request is stored once; only the limit of the address counts both.
    on_repeat: { status: 202, changes: 'something else' },
    async prepare(world) {
      const { email } = await world.people.lone()
      await countResetRequest(world)
      return { body: { email } }
    },
  },
  {
    operation: 'createInvitation',
    async prepare(world) {
      const { token } = await world.people.owner()
      return { token, body: { email: credentials('invited').email, role: 'member' } }
    },
  },
  {
    operation: 'revokeInvitation',
    async prepare(world) {
      const { token } = await world.people.owner()
      const body = { email: credentials('invited').email, role: 'member' }
      const { id } = await world.create('/v1/account/invitations', { token, body })
      return { token, params: { invitation_id: id } }
    },
  },
  {
    operation: 'refresh',
    // The response is lost and the token is used: its reuse ends the session, as any reuse would.
    on_repeat: { status: 401, changes: 'something else' },
    async prepare(world) {
      const person = await world.people.lone()
      return {
        token: person.refresh_token,
        verifyEffect: (response: { access_token: string }) =>
          respondsWith(world, '/v1/auth/sessions', response.access_token, 200)(),
        verifyEnd: logsIn(world, person),
      }
    },
  },
  {
    operation: 'endSession',
    async prepare(world) {
      const person = await world.people.lone()
      const other = await world.people.session(person)
      return {
        token: person.token,
        body: { session_id: other.session_id },
        verifyEffect: respondsWith(world, '/v1/auth/sessions', other.token, 401),
      }
    },
  },
  {
    operation: 'endSession',
    variant: 'the own session',
    on_repeat: { status: 401, changes: 'nothing' },
    async prepare(world) {
      const person = await world.people.lone()
      return {
        token: person.token,
        verifyEnd: respondsWith(world, '/v1/auth/sessions', person.token, 401),
      }
    },
  },
  {
    operation: 'createUser',
    async prepare(world) {
      const { token } = await world.owner()
      const who = credentials('crash')
      return { token, body: who, verifyEffect: world.readsSame('/v1/users/{id}', token) }
    },
  },
  {
    operation: 'createUser',
    variant: 'without a token',
    unreachable: { 'after the lock': no_lock },
    on_repeat: { status: 409, changes: 'nothing' },
    async prepare(world) {
      const who = credentials('crash')
      return { body: who, verifyEnd: logsIn(world, who) }
    },
  },
  {
    operation: 'updateUser',
    async prepare(world) {
      const owner = await world.people.owner()
      const member = await world.people.member(owner)
      return {
        params: { user_id: member.id },
        token: owner.token,
        body: { name: world.unique(), status: 'suspended' },
        verifyEffect: world.readsSame('/v1/users/{id}', owner.token),
        verifyEnd: respondsWith(world, '/v1/auth/sessions', member.token, 401),
      }
    },
  },
  {
    operation: 'updateUser',
    variant: 'with a new password',
    async prepare(world) {
      const person = await world.people.lone()
      const password = newPassword()
      return {
        params: { user_id: person.id },
        token: person.token,
        body: { password },
        verifyEffect: world.readsSame('/v1/users/{id}', person.token),
        verifyEnd: logsIn(world, { email: person.email, password }),
      }
    },
  },
  {
    operation: 'changeUserRole',
    async prepare(world) {
      const owner = await world.people.owner()
      const member = await world.people.member(owner)
      const verifyEffect = async () => {
        const found = await world.call('GET', '/v1/account/users', { token: owner.token })
        const changed = found.body.data.find(({ id }: { id: string }) => id === member.id)
        assert.equal(changed.role, 'viewer')
      }
      const params = { user_id: member.id }
      return { params, token: owner.token, body: { role: 'viewer' }, verifyEffect }
    },
  },
  {
    operation: 'unlinkIdentity',
    async prepare(world) {
      const { id: user_id, email, token } = await world.people.lone()
      const id = newUuid(Date.now())
      // A real link needs a login provider.
      await world.db.pool.query(
        `insert into user_identities (issuer, subject, id, user_id, email)
         values ('https://login.example', $1::uuid::text, $1::uuid, $2, $3)`,
        [id, findUuid('user', user_id), email],
      )
      const verifyEffect = async () => {
        const found = await world.call('GET', '/v1/user/identities', { token })
        assert.deepEqual(found.body.data, [])
      }
      return { params: { identity_id: toTypeId('identity', id) }, token, verifyEffect }
    },
  },
  {
    operation: 'deleteUser',
    async prepare(world) {
      const owner = await world.owner()
      const member = await world.people.member(owner)
      return {
        params: { user_id: member.id },
        token: owner.token,
        verifyEffect: respondsWith(world, `/v1/users/${member.id}`, owner.token, 404),
        verifyEnd: respondsWith(world, '/v1/auth/sessions', member.token, 401),
      }
    },
  },
  {
    operation: 'createAccount',
    async prepare(world) {
      const { token } = await world.admin()
      const body = await newAccountBody(world)
      return { token, body, verifyEffect: world.readsSame('/v1/accounts/{id}', token) }
    },
  },
  {
    operation: 'createAccount',
    variant: 'without a token',
    on_repeat: { status: 409, changes: 'nothing' },
    async prepare(world) {
      const body = await newAccountBody(world)
      return { body, verifyEnd: logsIn(world, body) }
    },
  },
  {
    operation: 'createAccount',
    variant: 'by a user without an account',
    async prepare(world) {
      const { email, password, token } = await world.people.lone()
      const body = { email, password, name: world.unique(), type: 'individual' }
      return { token, body, verifyEffect: world.readsSame('/v1/account', token) }
    },
  },
  {
    operation: 'updateAccountStatus',
    async prepare(world) {
      const { token } = await world.admin()
      const { account_id } = await world.people.owner()
      const verifyEffect = world.readsSame('/v1/accounts/{id}', token)
      return { params: { account_id }, token, body: { status: 'suspended' }, verifyEffect }
    },
  },
  {
    operation: 'updateNotifications',
    async prepare(world) {
      const { token } = await world.people.owner()
      const verifyEffect = async (response: Record<string, unknown>) => {
        const found = await world.call('GET', '/v1/user/notifications', { token })
        assert.deepEqual(found.body, response)
      }
      return { token, body: { dispute: false }, verifyEffect }
    },
  },
  {
    operation: 'updateAccount',
    async prepare(world) {
      const { token, password } = await world.people.owner()
      const email = `${world.unique()}@example.com`
      const verifyEffect = world.readsSame('/v1/account', token)
      return {
        token,
        body: { email, name: world.unique() },
        verifyEffect,
        verifyEnd: logsIn(world, { email, password }),
      }
    },
  },
  {
    operation: 'closeAccount',
    variant: 'by an admin',
    async prepare(world) {
      const owner = await busyOwner(world)
      const { token } = await world.admin()
      return { ...closing(world, owner), token, account_id: owner.account_id }
    },
  },
  {
    operation: 'closeAccount',
    variant: 'by its owner',
    on_repeat: { status: 401, changes: 'nothing' },
    async prepare(world) {
      const owner = await busyOwner(world)
      return { ...closing(world, owner), token: owner.token }
    },
  },
  {
    operation: 'createApiKey',
    async prepare(world) {
      const { token } = await world.owner()
      const body = { name: 'Shop', scopes: ['transactions:read'] }
      const verifyEffect = (response: { key: string }) =>
        respondsWith(world, '/v1/transactions', response.key, 200)()
      return { token, body, verifyEffect }
    },
  },
  {
    operation: 'revokeApiKey',
    async prepare(world) {
      const { token } = await world.owner()
      const body = { name: 'Shop', scopes: ['transactions:read'] }
      const { id, key } = await world.create('/v1/api_keys', { token, body })
      return {
        params: { key_id: id },
        token,
        verifyEffect: respondsWith(world, '/v1/transactions', key, 401),
      }
    },
  },
]

/** An owner whose account has one of each object that ends with it. */
async function busyOwner(world: World): Promise<Owner> {
  const owner = await world.people.owner()
  await world.people.member(owner)
  const { token, account_id } = owner
  const money = { amount: 500, currency: 'USD' }
  const customer_email = `${world.unique()}@example.com`
  const objects: [string, object][] = [
    ['/v1/transactions', { ...money, account_id, type: 'payment' }],
    ['/v1/payments', { ...money, account_id, customer_email }],
    ['/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/hook', events: ['*'] }],
    ['/v1/api_keys', { name: 'Shop', scopes: ['transactions:read'] }],
  ]
  for (const [path, body] of objects) await world.create(path, { token, body })
  return owner
}

function closing(world: World, { token, account_id }: Owner): Pick<PreparedRequest, 'verifyEnd'> {
  return {
    async verifyEnd() {
      const admin = await world.admin()
      await world.readsSame('/v1/accounts/{id}', admin.token)({ id: account_id, status: 'closed' })
      await respondsWith(world, '/v1/account', token, 401)()
    },
  }
}

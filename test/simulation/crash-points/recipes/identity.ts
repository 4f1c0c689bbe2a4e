// Sessions, users, accounts and API keys: ordinary changes, some of which end the asker.

import assert from 'node:assert/strict'
import type { Owner } from '../../../support/people.ts'
import { credentials } from '../../../support/people.ts'
import { newPassword } from '../../../support/secrets.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

const no_lock = 'Nobody else knows of a row that is only being made, so none is locked.'

/** A new log-in works: what was made, or changed, is whole. */
function logsIn(world: World, who: { email: string; password: string }) {
  return async (): Promise<void> => {
    const { email, password } = who
    const found = await world.call('POST', '/v1/auth/login', { body: { email, password } })
    assert.equal(found.status, 200, found.text)
  }
}

function answers(world: World, path: string, token: string, status: number) {
  return async (): Promise<void> => {
    assert.equal((await world.call('GET', path, { token })).status, status, path)
  }
}

async function newAccountBody(world: World) {
  return { ...credentials('crash'), name: world.unique(), type: 'business' }
}

export const identityRecipes: Recipe[] = [
  {
    operation: 'logIn',
    again: { status: 200, changes: 'the same once more' },
    async prepare(world) {
      const { email, password } = await world.people.lone()
      // The first one notes the address it came from; all others have the same effect.
      await logsIn(world, { email, password })()
      const look = (response: { access_token: string }) =>
        answers(world, '/v1/auth/sessions', response.access_token, 200)()
      return { body: { email, password }, look }
    },
  },
  {
    operation: 'refresh',
    // The answer is lost and the token is spent: its second use ends the session, as any would.
    again: { status: 401, changes: 'something else' },
    async prepare(world) {
      const person = await world.people.lone()
      return {
        token: person.refresh_token,
        look: (response: { access_token: string }) =>
          answers(world, '/v1/auth/sessions', response.access_token, 200)(),
        atLast: logsIn(world, person),
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
        look: answers(world, '/v1/auth/sessions', other.token, 401),
      }
    },
  },
  {
    operation: 'endSession',
    way: 'of the asker',
    again: { status: 401, changes: 'nothing' },
    async prepare(world) {
      const person = await world.people.lone()
      return { token: person.token, atLast: answers(world, '/v1/auth/sessions', person.token, 401) }
    },
  },
  {
    operation: 'createUser',
    async prepare(world) {
      const { token } = await world.owner()
      const who = credentials('crash')
      return { token, body: who, look: world.shows('/v1/users/{id}', token) }
    },
  },
  {
    operation: 'createUser',
    way: 'without a token',
    never: { 'after the lock': no_lock },
    again: { status: 409, changes: 'nothing' },
    async prepare(world) {
      const who = credentials('crash')
      return { body: who, atLast: logsIn(world, who) }
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
        look: world.shows('/v1/users/{id}', owner.token),
        atLast: answers(world, '/v1/auth/sessions', member.token, 401),
      }
    },
  },
  {
    operation: 'updateUser',
    way: 'with a new password of the own',
    async prepare(world) {
      const person = await world.people.lone()
      const password = newPassword()
      return {
        params: { user_id: person.id },
        token: person.token,
        body: { password },
        look: world.shows('/v1/users/{id}', person.token),
        atLast: logsIn(world, { email: person.email, password }),
      }
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
        look: answers(world, `/v1/users/${member.id}`, owner.token, 404),
        atLast: answers(world, '/v1/auth/sessions', member.token, 401),
      }
    },
  },
  {
    operation: 'createAccount',
    async prepare(world) {
      const { token } = await world.admin()
      const body = await newAccountBody(world)
      return { token, body, look: world.shows('/v1/accounts/{id}', token) }
    },
  },
  {
    operation: 'createAccount',
    way: 'without a token',
    again: { status: 409, changes: 'nothing' },
    async prepare(world) {
      const body = await newAccountBody(world)
      return { body, atLast: logsIn(world, body) }
    },
  },
  {
    operation: 'createAccount',
    way: 'by a user who has none',
    async prepare(world) {
      const { email, password, token } = await world.people.lone()
      const body = { email, password, name: world.unique(), type: 'individual' }
      return { token, body, look: world.shows('/v1/account', token) }
    },
  },
  {
    operation: 'updateAccountStatus',
    async prepare(world) {
      const { token } = await world.admin()
      const { account_id } = await world.people.owner()
      const look = world.shows('/v1/accounts/{id}', token)
      return { params: { account_id }, token, body: { status: 'suspended' }, look }
    },
  },
  {
    operation: 'updateAccount',
    async prepare(world) {
      const { token, password } = await world.people.owner()
      const email = `${world.unique()}@example.com`
      const look = world.shows('/v1/account', token)
      return {
        token,
        body: { email, name: world.unique() },
        look,
        atLast: logsIn(world, { email, password }),
      }
    },
  },
  {
    operation: 'closeAccount',
    way: 'by an admin',
    async prepare(world) {
      const owner = await busyOwner(world)
      const { token } = await world.admin()
      return { ...closing(world, owner), token, account_id: owner.account_id }
    },
  },
  {
    operation: 'closeAccount',
    way: 'by its owner',
    again: { status: 401, changes: 'nothing' },
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
      const look = (response: { key: string }) =>
        answers(world, '/v1/transactions', response.key, 200)()
      return { token, body, look }
    },
  },
  {
    operation: 'revokeApiKey',
    async prepare(world) {
      const { token } = await world.owner()
      const body = { name: 'Shop', scopes: ['transactions:read'] }
      const { id, key } = await world.make('/v1/api_keys', { token, body })
      return { params: { key_id: id }, token, look: answers(world, '/v1/transactions', key, 401) }
    },
  },
]

/** An owner whose account has something of each kind that ends with it. */
async function busyOwner(world: World): Promise<Owner> {
  const owner = await world.people.owner()
  await world.people.member(owner)
  const { token, account_id } = owner
  const money = { amount: 500, currency: 'USD' }
  const customer_email = `${world.unique()}@example.com`
  const asked: [string, object][] = [
    ['/v1/transactions', { ...money, account_id, type: 'payment' }],
    ['/v1/payments', { ...money, account_id, customer_email }],
    ['/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/hook', events: ['*'] }],
    ['/v1/api_keys', { name: 'Shop', scopes: ['transactions:read'] }],
  ]
  for (const [path, body] of asked) await world.make(path, { token, body })
  return owner
}

function closing(world: World, { token, account_id }: Owner): Pick<PreparedRequest, 'atLast'> {
  return {
    async atLast() {
      const admin = await world.admin()
      await world.shows('/v1/accounts/{id}', admin.token)({ id: account_id, status: 'closed' })
      await answers(world, '/v1/account', token, 401)()
    },
  }
}

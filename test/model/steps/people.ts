// Sessions and users.

import fc from 'fast-check'
import { endSession, listSessions, logIn, refresh } from '../sessions.ts'
import {
  changeRole,
  createUser,
  deleteUser,
  getUser,
  listAccountUsers,
  searchUsers,
  updateUser,
} from '../users.ts'
import type { ModelRequest, World } from '../world.ts'
import {
  caller,
  callerAndAccountFor,
  callerFor,
  cursor,
  header,
  idOf,
  key,
  list_limit,
  listQuery,
  number,
  pick,
  step,
} from './choices.ts'

const who = { caller, header }
export const user_agent = 'model'

/** Returns a password that is unique to this step. */
export const secretOf = (world: World, n: number) => `pw-${world.tag}-${world.turn}-${n}`

const login = step(
  'log in',
  fc.record({ number, use_correct: fc.constantFrom(true, true, true, false) }),
  (world, data) => {
    const person = pick(world.people, data.number)
    const email = person?.email ?? `unknown-${world.tag}@example.com`
    const password = data.use_correct && person ? person.password : secretOf(world, data.number)
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/auth/login',
      caller: 'anonymous',
      body: { email, password },
    }
    // The email of a deleted user may belong to a new user by now.
    const user = world.people.findLast((one) => one.email === email && !one.deleted) ?? person
    const is_correct = user !== undefined && !user.deleted && password === user.password
    return { request, outcome: logIn(world, user, is_correct, user_agent) }
  },
)

const renew = step(
  'refresh',
  fc.record({ number, token: fc.constantFrom('current', 'current', 'current', 'used' as const) }),
  (world, data) => {
    const renewed = world.sessions.filter(({ used }) => used.length > 0)
    const session = pick(data.token === 'used' ? renewed : world.sessions, data.number)
    const used = data.token === 'used' ? session?.used.at(-1) : undefined
    const token = used ?? session?.refresh
    const refresh_token = token?.known ?? `frt_${'x'.repeat(43)}`
    const body = { refresh_token }
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/auth/refresh',
      caller: 'anonymous',
      body,
    }
    return { request, outcome: refresh(session, used === undefined ? 'current' : 'used') }
  },
)

const logout = step(
  'end session',
  fc.record({ caller, which: fc.oneof(fc.constant('current' as const), number), key }),
  (world, data) => {
    const requester = callerFor(world, data.caller, world.accounts.at(-1))
    const { which } = data
    const session = which === 'current' ? which : (pick(world.sessions, which) ?? 'unknown')
    const session_id = typeof session === 'string' ? idOf(undefined, 'ses') : session.id.known
    const body = session === 'current' ? {} : { session_id }
    const request: ModelRequest = {
      method: 'DELETE',
      path: '/v1/auth/session',
      caller: requester,
      body,
      key: data.key,
    }
    return { request, outcome: endSession(request, session) }
  },
)

const sessions = step(
  'list sessions',
  fc.record({ caller: fc.nat({ max: 30 }), limit: list_limit, cursor }),
  (world, data) => {
    const { query, input } = listQuery(world.sessions, data)
    const requester = callerFor(world, data.caller, undefined)
    const request: ModelRequest = {
      method: 'GET',
      path: `/v1/auth/sessions?${query}`,
      caller: requester,
    }
    return { request, outcome: listSessions(world, request, input) }
  },
)

/** A new email, one that is free again, or one that a user has or had, in any case. */
export const email = fc.oneof(
  { weight: 4, arbitrary: fc.constant('new' as const) },
  { weight: 2, arbitrary: fc.constant('former' as const) },
  { weight: 1, arbitrary: number },
)

export function emailFor(world: World, choice: 'new' | 'former' | number): string {
  const fresh = `user-${world.turn}-${world.tag}@example.com`
  if (choice === 'new') return fresh
  // Emails of owners stay reserved; they are chosen by number.
  const former = world.people.findLast(({ deleted, role }) => deleted && role !== 'owner')
  if (choice === 'former') return former?.email ?? fresh
  const known = pick(world.people, choice)?.email ?? fresh
  return choice % 2 === 0 ? known : known.replace('example', 'EXAMPLE')
}

const name = fc.constantFrom(null, 'Ann', 'Bob')

const create = step(
  'create user',
  fc.record({
    ...who,
    account: number,
    email,
    name,
    short: fc.constantFrom(false, false, false, false, true),
    key,
  }),
  (world, data) => {
    const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
    const password = data.short ? 'short' : secretOf(world, 0)
    const body = { email: emailFor(world, data.email), password, name: data.name }
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/users',
      ...requester,
      body,
      key: data.key,
    }
    return { request, outcome: createUser(world, request, body) }
  },
)

function about(world: World, data: { number: number; caller: Parameters<typeof callerFor>[1] }) {
  const one = pick(world.people, data.number)
  const requester = callerFor(world, data.caller, one?.account ?? world.accounts[0])
  return { one, path: `/v1/users/${idOf(one, 'usr')}`, caller: requester }
}

const retrieve = step('get user', fc.record({ caller, number }), (world, data) => {
  const { one, path, caller } = about(world, data)
  const request: ModelRequest = { method: 'GET', path, caller }
  return { request, outcome: getUser(request, one) }
})

const update = step(
  'update user',
  fc.record({
    caller,
    number,
    name: fc.constantFrom(undefined, null, 'Ann', 'Bob'),
    status: fc.constantFrom(undefined, undefined, 'active', 'suspended', 'pending' as const),
    password: fc.constantFrom(undefined, undefined, undefined, 'new', 'short'),
    key,
  }),
  (world, data) => {
    const { one, path, caller } = about(world, data)
    const { name, status } = data
    const password = data.password === 'new' ? secretOf(world, 1) : data.password
    const body = { name, status, password }
    const request: ModelRequest = { method: 'PATCH', path, caller, body, key: data.key }
    return { request, outcome: updateUser(world, request, one, body) }
  },
)

const remove = step('delete user', fc.record({ caller, number, key }), (world, data) => {
  const { one, path, caller } = about(world, data)
  const request: ModelRequest = { method: 'DELETE', path, caller, key: data.key }
  return { request, outcome: deleteUser(world, request, one) }
})

const setRole = step(
  'change role',
  fc.record({ ...who, number, role: fc.constantFrom('member', 'viewer' as const), key }),
  (world, data) => {
    const members = world.people.filter(({ account }) => account !== undefined)
    const one = pick(members, data.number)
    const requester = callerAndAccountFor(world, data, one?.account ?? world.accounts[0])
    const request: ModelRequest = {
      method: 'PATCH',
      path: `/v1/account/users/${idOf(one, 'usr')}`,
      ...requester,
      body: { role: data.role },
      key: data.key,
    }
    return { request, outcome: changeRole(world, request, one, data.role) }
  },
)

const search = step(
  'list users',
  fc.record({
    caller: fc.oneof({ weight: 2, arbitrary: fc.constant('admin' as const) }, caller),
    page: fc.integer({ min: 1, max: 3 }),
    limit: list_limit,
    status: fc.constantFrom(undefined, 'active', 'suspended', 'pending'),
  }),
  (world, data) => {
    const { page, limit, status } = data
    const query = new URLSearchParams({ page: `${page}`, limit: `${limit}`, search: world.tag })
    if (status) query.set('status', status)
    const requester = callerFor(world, data.caller, world.accounts[0])
    const request: ModelRequest = { method: 'GET', path: `/v1/users?${query}`, caller: requester }
    return { request, outcome: searchUsers(world, request, data) }
  },
)

const accountUsers = step(
  'list account users',
  fc.record({ ...who, account: number, limit: list_limit, cursor }),
  (world, data) => {
    const account = pick(world.accounts, data.account)
    const requester = callerAndAccountFor(world, data, account)
    const { query, input } = listQuery(world.people, data, {}, account)
    const request: ModelRequest = {
      method: 'GET',
      path: `/v1/account/users?${query}`,
      ...requester,
    }
    return { request, outcome: listAccountUsers(world, request, input) }
  },
)

export const peopleParts = { login, renew, update, create }
export const sessionSteps = [login, renew, logout, sessions]
export const userSteps = [create, update, update, remove, retrieve, setRole, search, accountUsers]

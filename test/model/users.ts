// Users: which are visible to whom, who may change what, and what is deleted with them.

import { revokeKeysOf } from './api-keys.ts'
import { type ListInput, page } from './lists.ts'
import {
  type Actor,
  actingAccount,
  authorize,
  authorizeForAccount,
  endSessions,
} from './permissions.ts'
import { anyText, Placeholder } from './unify.ts'
import type { Account, ActiveStatus, ModelRequest, Outcome, Person, World } from './world.ts'
import {
  badRequest,
  expectEvent,
  forbidden,
  notFound,
  refuse,
  time,
  unauthorized,
} from './world.ts'

interface UserInput {
  email: string
  password: string
  name: string | null
}

export function showUser({ id, email, name, status, created_at, updated_at }: Person) {
  return { id, email, name, status, created_at, updated_at }
}

const showAccountUser = (person: Person) => ({ ...showUser(person), role: person.role })

export const password_min = 8

export function isTaken(world: World, email: string, except?: Person): boolean {
  const wanted = email.toLowerCase()
  const taken = world.people.filter((person) => !person.deleted && person !== except)
  return [...taken.map((person) => person.email), ...world.reserved].some(
    (one) => one.toLowerCase() === wanted,
  )
}

export function createUser(world: World, request: ModelRequest, input: UserInput): Outcome {
  if (request.caller === 'anonymous') return addUser(world, undefined, input)
  const actor = authorize(request, 'create user')
  if ('status' in actor) return actor
  if (input.password.length < password_min) return badRequest()
  const acting = actingAccount(request, actor)
  if ('status' in acting) return acting
  const { account } = acting
  if (account?.status === 'closed') return notFound()
  if (account !== undefined && account.status !== 'active') return badRequest()
  return addUser(world, account, input)
}

function addUser(world: World, account: Account | undefined, input: UserInput): Outcome {
  if (input.password.length < password_min) return badRequest()
  if (isTaken(world, input.email)) return refuse(409, 'email_exists')
  const person = newPerson(world, account === undefined ? 'lone' : 'member', account, input)
  if (account !== undefined) expectEvent(world, account, 'user.created', showUser(person))
  return { status: 201, body: showUser(person) }
}

export function newPerson(
  world: World,
  role: Person['role'],
  account: Account | undefined,
  { email, password, name }: UserInput,
): Person {
  const at = time()
  const base = { turn: world.turn, id: new Placeholder('usr'), created_at: at, updated_at: at }
  const state = { status: 'active', deleted: false, failures: 0 } as const
  const person: Person = { ...base, ...state, role, account, email, password, name }
  world.people.push(person)
  return person
}

/** Whether the actor may see this user. */
function mayRetrieve(actor: Actor, person: Person): boolean {
  if (person.deleted) return false
  if (actor.is_staff || actor.person === person) return true
  return actor.role === 'owner' && person.account === actor.account
}

export function getUser(request: ModelRequest, person: Person | undefined): Outcome {
  const actor = authorize(request, 'retrieve user')
  if ('status' in actor) return actor
  if (person === undefined || !mayRetrieve(actor, person)) return notFound()
  return { status: 200, body: showUser(person) }
}

interface UserChanges {
  name?: string | null | undefined
  status?: ActiveStatus | undefined
  password?: string | undefined
}

export function updateUser(
  world: World,
  request: ModelRequest,
  person: Person | undefined,
  changes: UserChanges,
): Outcome {
  const actor = authorize(request, 'update user')
  if ('status' in actor) return actor
  const { name, status, password } = changes
  if (password !== undefined && password.length < password_min) return badRequest()
  if (person === undefined || !mayRetrieve(actor, person)) return notFound()
  if (status !== undefined && !mayChangeStatus(actor, person)) return unauthorized()
  const name_changes = name !== undefined && name !== person.name
  const status_changes = status !== undefined && status !== person.status
  if (!name_changes && !status_changes && password === undefined) {
    return { status: 200, body: showUser(person) }
  }
  if (name_changes) person.name = name
  if (status_changes) person.status = status
  if (password !== undefined) person.password = password
  person.updated_at = time()
  if (person.account !== undefined)
    expectEvent(world, person.account, 'user.updated', showUser(person))
  if (person.status !== 'active') {
    endSessions(world, person)
    revokeKeysOf(world, (key) => key.creator === person)
  } else if (password !== undefined) {
    endSessions(world, person, actor.person === person ? actor.session : undefined)
  }
  return { status: 200, body: showUser(person) }
}

function mayChangeStatus(actor: Actor, person: Person): boolean {
  if (actor.role === 'admin') return actor.person !== person
  return actor.role === 'owner' && isMember(person)
}

function isMember({ role }: Person): boolean {
  return role === 'member' || role === 'viewer'
}

export function changeRole(
  world: World,
  request: ModelRequest,
  person: Person | undefined,
  role: 'member' | 'viewer',
): Outcome {
  const authorized = authorizeForAccount(request, 'change role')
  if ('status' in authorized) return authorized
  const { account } = authorized
  if (person === undefined || person.deleted || person.account !== account) return notFound()
  if (!isMember(person)) return forbidden()
  if (person.role !== role) {
    person.role = role
    person.updated_at = time()
    expectEvent(world, account, 'user.updated', showUser(person))
    endSessions(world, person)
  }
  return { status: 200, body: showAccountUser(person) }
}

export function deleteUser(
  world: World,
  request: ModelRequest,
  person: Person | undefined,
): Outcome {
  const actor = authorize(request, 'delete user')
  if ('status' in actor) return actor
  if (actor.role === 'admin') {
    if (person === undefined || person.deleted) return notFound()
    return person.role === 'owner' ? forbidden() : removeUser(world, person)
  }
  if (person === undefined || person.deleted || person.role === 'owner') return forbidden()
  const own_member = actor.role === 'owner' && person.account === actor.account
  return own_member || actor.person === person ? removeUser(world, person) : forbidden()
}

function removeUser(world: World, person: Person): Outcome {
  deletePerson(world, person)
  return { status: 200, body: { message: anyText, id: person.id } }
}

/** Deletes a user with all sessions and keys. */
export function deletePerson(world: World, person: Person): void {
  person.deleted = true
  endSessions(world, person)
  revokeKeysOf(world, (key) => key.creator === person)
  if (person.account !== undefined)
    expectEvent(world, person.account, 'user.deleted', showUser(person))
}

export interface NumberedPageInput {
  page: number
  limit: number
  status: string | undefined
}

/** Users of this sequence: the search finds the tag that all of them have. Oldest first. */
export function searchUsers(
  world: World,
  request: ModelRequest,
  input: NumberedPageInput,
): Outcome {
  const actor = authorize(request, 'list users')
  if ('status' in actor) return actor
  const found = world.people
    .filter(({ deleted, status }) => !deleted && (input.status ?? status) === status)
    .filter(({ email }) => email.includes(world.tag))
  const { limit } = input
  const data = found.slice((input.page - 1) * limit, input.page * limit).map(showUser)
  const total_pages = Math.ceil(found.length / limit)
  const pagination = { page: input.page, limit, total_pages, total_records: found.length }
  return { status: 200, body: { data, pagination } }
}

export function listAccountUsers(
  world: World,
  request: ModelRequest,
  input: ListInput<Person>,
): Outcome {
  const authorized = authorizeForAccount(request, 'list account users')
  if ('status' in authorized) return authorized
  const own = world.people.filter(
    ({ account, deleted }) => account === authorized.account && !deleted,
  )
  return page(own, input, showAccountUser)
}

// Accounts: opened together with their owner, updated, and closed together with all they contain.

import { revokeKeysOf } from './api-keys.ts'
import { endPayment } from './payments.ts'
import { type Actor, authorize, authorizeForAccount } from './permissions.ts'
import { cancelSubscription } from './subscriptions.ts'
import { endTransaction } from './transactions.ts'
import { anyText, Placeholder } from './unify.ts'
import {
  deletePerson,
  isTaken,
  type NumberedPageInput,
  newPerson,
  password_min,
  showUser,
} from './users.ts'
import type {
  Account,
  ActiveStatus,
  ModelRequest,
  Outcome,
  Person,
  Settings,
  World,
} from './world.ts'
import { badRequest, conflict, expectEvent, notFound, refuse, time, unauthorized } from './world.ts'

interface AccountInput {
  email: string
  password: string
  name: string
  type: 'individual' | 'business'
  settings: Partial<Settings>
}

function showListed({ id, email, name, type, status, created_at, updated_at }: Account) {
  return { id, email, name, type, status, created_at, updated_at }
}

export function showAccount(account: Account) {
  return { ...showListed(account), settings: { ...account.settings } }
}

const default_settings: Settings = { currency: 'USD', timezone: 'UTC', language: 'en' }

export function createAccount(world: World, request: ModelRequest, input: AccountInput): Outcome {
  if (request.caller === 'anonymous') return openAccount(world, input)
  const actor = authorize(request, 'create account')
  if ('status' in actor) return actor
  return actor.role === 'lone' ? openOwn(world, actor, input) : openAccount(world, input)
}

function openAccount(world: World, input: AccountInput): Outcome {
  if (input.password.length < password_min) return badRequest()
  if (isTaken(world, input.email)) return refuse(409, 'email_exists')
  const person = { email: input.email, password: input.password, name: null }
  const owner = newPerson(world, 'owner', undefined, person)
  const account = addAccount(world, owner, input)
  expectEvent(world, account, 'user.created', showUser(owner))
  return { status: 201, body: showAccount(account) }
}

/** A user without an account becomes the owner and keeps the open sessions. */
function openOwn(world: World, actor: Actor, input: AccountInput): Outcome {
  const owner = actor.person!
  if (owner.email.toLowerCase() !== input.email.toLowerCase()) return badRequest()
  if (owner.failures >= 10) return refuse(429, 'rate_limited')
  if (input.password !== owner.password) {
    owner.failures += 1
    return unauthorized()
  }
  owner.role = 'owner'
  owner.email = input.email
  owner.updated_at = time()
  const account = addAccount(world, owner, input)
  expectEvent(world, account, 'user.updated', showUser(owner))
  return { status: 201, body: showAccount(account) }
}

export function addAccount(world: World, owner: Person, input: AccountInput): Account {
  const at = time()
  const account: Account = {
    id: new Placeholder('acct'),
    turn: world.turn,
    owner,
    email: input.email,
    name: input.name,
    type: input.type,
    status: 'active',
    settings: { ...default_settings, ...input.settings },
    created_at: at,
    updated_at: at,
    had_money: false,
    money_moved_at: at,
    events: [],
    postings: [],
  }
  owner.account = account
  world.accounts.push(account)
  expectEvent(world, account, 'account.created', showAccount(account))
  return account
}

export function getAccount(request: ModelRequest): Outcome {
  const authorized = authorizeForAccount(request, 'retrieve account')
  if ('status' in authorized) return authorized
  return { status: 200, body: showAccount(authorized.account) }
}

export function getAccountById(request: ModelRequest, account: Account | undefined): Outcome {
  const actor = authorize(request, 'retrieve account by id')
  if ('status' in actor) return actor
  return account === undefined ? notFound() : { status: 200, body: showAccount(account) }
}

interface AccountChanges {
  name?: string | undefined
  email?: string | undefined
  settings?: Partial<Settings> | undefined
}

export function updateAccount(
  world: World,
  request: ModelRequest,
  changes: AccountChanges,
): Outcome {
  const authorized = authorizeForAccount(request, 'update account')
  if ('status' in authorized) return authorized
  const { account } = authorized
  if (account.status === 'closed') return notFound()
  const { name = account.name, email = account.email } = changes
  const settings = { ...account.settings, ...changes.settings }
  const fixed = account.had_money && settings.currency !== account.settings.currency
  const taken = isTaken(world, email, account.owner)
  // If both are wrong, the order of errors is unspecified, so no step causes both.
  if (fixed) return badRequest()
  if (taken) return refuse(409, 'email_exists')
  const before = JSON.stringify([account.name, account.email, account.settings])
  if (before === JSON.stringify([name, email, settings])) {
    return { status: 200, body: showAccount(account) }
  }
  if (email !== account.email) changeOwnerEmail(world, account, email)
  Object.assign(account, { name, email, settings, updated_at: time() })
  expectEvent(world, account, 'account.updated', showAccount(account))
  return { status: 200, body: showAccount(account) }
}

/** The account's email is the owner's login. */
function changeOwnerEmail(world: World, account: Account, email: string): void {
  const { owner } = account
  if (owner.email.toLowerCase() !== email.toLowerCase()) owner.failures = 0
  Object.assign(owner, { email, updated_at: time() })
  expectEvent(world, account, 'user.updated', showUser(owner))
}

export function changeStatus(
  world: World,
  request: ModelRequest,
  account: Account | undefined,
  status: ActiveStatus,
): Outcome {
  const actor = authorize(request, 'update account by id')
  if ('status' in actor) return actor
  if (account === undefined) return notFound()
  if (account.status === 'closed') return conflict()
  if (account.status !== status) {
    Object.assign(account, { status, updated_at: time() })
    expectEvent(world, account, 'account.updated', showAccount(account))
  }
  return { status: 200, body: showAccount(account) }
}

export function closeAccount(world: World, request: ModelRequest): Outcome {
  const authorized = authorizeForAccount(request, 'close account')
  if ('status' in authorized) return authorized
  const { account } = authorized
  if (account.status === 'closed') return notFound()
  const own = <Row extends { account: Account | undefined }>(rows: Row[]) =>
    rows.filter((row) => row.account === account)
  const subscriptions = own(world.subscriptions)
  if (subscriptions.some(({ status }) => status === 'active')) {
    return refuse(409, 'active_subscriptions')
  }
  for (const one of subscriptions) if (one.status === 'paused') cancelSubscription(world, one)
  for (const one of own(world.payments)) {
    if (one.status === 'pending') endPayment(world, one, 'canceled')
  }
  for (const one of own(world.transactions)) {
    if (one.status === 'pending') endTransaction(world, one, 'canceled')
  }
  revokeKeysOf(world, (key) => key.account === account)
  for (const person of own(world.people)) if (!person.deleted) deletePerson(world, person)
  world.reserved.push(account.email)
  const closed_at = time()
  Object.assign(account, { status: 'closed', updated_at: closed_at })
  expectEvent(world, account, 'account.closed', showAccount(account))
  return { status: 200, body: { id: account.id, status: 'closed', closed_at, message: anyText } }
}

/** Accounts of this sequence, found by the tag in their emails. Oldest first. */
export function searchAccounts(
  world: World,
  request: ModelRequest,
  input: NumberedPageInput & { type: string | undefined },
): Outcome {
  const actor = authorize(request, 'list accounts')
  if ('status' in actor) return actor
  const found = world.accounts.filter(
    ({ status, type }) => (input.status ?? status) === status && (input.type ?? type) === type,
  )
  const { page, limit } = input
  const data = found.slice((page - 1) * limit, page * limit).map(showListed)
  const pagination = { page, limit, total: found.length, has_next: page * limit < found.length }
  return { status: 200, body: { data, pagination } }
}

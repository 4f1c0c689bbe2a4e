// Accounts: opening, changing, suspending and closing them.

import fc from 'fast-check'
import {
  changeStatus,
  closeAccount,
  createAccount,
  getAccount,
  getAccountById,
  searchAccounts,
  updateAccount,
} from '../accounts.ts'
import { findActor } from '../permissions.ts'
import { zones } from '../subscriptions.ts'
import type { ModelRequest } from '../world.ts'
import {
  caller,
  callerAndAccountFor,
  callerFor,
  header,
  idOf,
  key,
  list_limit,
  number,
  pick,
  step,
} from './choices.ts'
import { email, emailFor, secretOf } from './people.ts'

const who = { caller, header }

const settings = fc.record(
  {
    currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
    timezone: fc.constantFrom(...zones),
    language: fc.constantFrom('en', 'de'),
  },
  { requiredKeys: [] },
)

const name = fc.constantFrom('Acme', 'Acme Ltd', 'Umbrella')

const open = step(
  'create account',
  fc.record({
    caller: fc.oneof({ weight: 2, arbitrary: fc.constant('lone' as const) }, caller),
    email,
    name,
    type: fc.constantFrom('individual', 'business' as const),
    is_password_correct: fc.constantFrom(true, true, true, false),
    settings,
    key,
  }),
  (world, data) => {
    const lone = world.sessions.find(({ person, ended }) => person.role === 'lone' && !ended)
    const requester =
      data.caller === 'lone'
        ? lone
          ? { session: lone }
          : 'anonymous'
        : callerFor(world, data.caller, world.accounts[0])
    // A user without an account opens one with their own email and password.
    const actor = findActor(requester)
    const is_own = actor?.role === 'lone' && data.email === 'new'
    const address = is_own ? actor.person!.email : emailFor(world, data.email)
    const own = actor?.role === 'lone' ? actor.person!.password : secretOf(world, 2)
    const password = data.is_password_correct ? own : secretOf(world, 3)
    const { name, type, settings } = data
    const body = { email: address, password, name, type, settings: { ...settings } }
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/accounts',
      caller: requester,
      body,
      key: data.key,
    }
    return { request, outcome: createAccount(world, request, body) }
  },
)

const retrieve = step('get account', fc.record({ ...who, account: number }), (world, data) => {
  const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
  const request: ModelRequest = { method: 'GET', path: '/v1/account', ...requester }
  return { request, outcome: getAccount(request) }
})

const retrieveById = step('get account by id', fc.record({ caller, number }), (world, data) => {
  const account = pick(world.accounts, data.number)
  const by_staff = data.caller === 'owner' ? 'platform' : data.caller
  const requester = callerFor(world, by_staff, account)
  const request: ModelRequest = {
    method: 'GET',
    path: `/v1/accounts/${idOf(account, 'acct')}`,
    caller: requester,
  }
  return { request, outcome: getAccountById(request, account) }
})

const update = step(
  'update account',
  fc.record({
    ...who,
    account: number,
    name: fc.option(name, { nil: undefined }),
    email: fc.option(email, { nil: undefined, freq: 3 }),
    settings: fc.option(settings, { nil: undefined }),
    key,
  }),
  (world, data) => {
    const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
    const address = data.email === undefined ? undefined : emailFor(world, data.email)
    // If both currency and email are wrong, the order of errors is unspecified.
    const { currency, ...others } = data.settings ?? {}
    const chosen = address === undefined && currency ? { ...others, currency } : others
    const body = { name: data.name, email: address, settings: data.settings && chosen }
    const request: ModelRequest = {
      method: 'PATCH',
      path: '/v1/account',
      ...requester,
      body,
      key: data.key,
    }
    return { request, outcome: updateAccount(world, request, body) }
  },
)

const setStatus = step(
  'change account status',
  fc.record({
    caller,
    number,
    status: fc.constantFrom('active', 'active', 'suspended', 'pending' as const),
    key,
  }),
  (world, data) => {
    const account = pick(world.accounts, data.number)
    const { status, key } = data
    const by_staff = data.caller === 'owner' ? 'admin' : data.caller
    const requester = callerFor(world, by_staff, account)
    const path = `/v1/accounts/${idOf(account, 'acct')}`
    const request: ModelRequest = {
      method: 'PATCH',
      path,
      caller: requester,
      body: { status },
      key,
    }
    return { request, outcome: changeStatus(world, request, account, status) }
  },
)

const close = step('close account', fc.record({ ...who, account: number, key }), (world, data) => {
  const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
  const request: ModelRequest = {
    method: 'DELETE',
    path: '/v1/account',
    ...requester,
    key: data.key,
  }
  return { request, outcome: closeAccount(world, request) }
})

const search = step(
  'list accounts',
  fc.record({
    caller: fc.oneof({ weight: 2, arbitrary: fc.constant('platform' as const) }, caller),
    page: fc.integer({ min: 1, max: 2 }),
    limit: list_limit,
    status: fc.constantFrom(undefined, undefined, 'active', 'suspended', 'pending', 'closed'),
    type: fc.constantFrom(undefined, undefined, 'individual', 'business'),
  }),
  (world, data) => {
    const { page, limit, status, type } = data
    const query = new URLSearchParams({ page: `${page}`, limit: `${limit}`, search: world.tag })
    if (status) query.set('status', status)
    if (type) query.set('type', type)
    const requester = callerFor(world, data.caller, world.accounts[0])
    const request: ModelRequest = {
      method: 'GET',
      path: `/v1/accounts?${query}`,
      caller: requester,
    }
    return { request, outcome: searchAccounts(world, request, data) }
  },
)

export const accountSteps = [
  open,
  update,
  update,
  setStatus,
  setStatus,
  retrieve,
  retrieveById,
  search,
]
export const accountParts = { update, setStatus, close }
/** Rare, because all further requests about a closed account are rejected. */
export const closingSteps = [close]

// Transactions and the balance.

import fc from 'fast-check'
import { getBalance } from '../ledger.ts'
import {
  cancelTransaction,
  createTransaction,
  createTransactions,
  getTransaction,
  listTransactions,
  settleTransaction,
  updateTransaction,
} from '../transactions.ts'
import type { Metadata, ModelRequest, Payment, Transaction, World } from '../world.ts'
import {
  amount,
  caller,
  callerAndAccountFor,
  currency,
  cursor,
  header,
  idOf,
  key,
  list_limit,
  listQuery,
  metadata,
  number,
  pick,
  step,
} from './choices.ts'

const who = { caller, header }

const item = {
  type: fc.constantFrom('payment', 'payment', 'credit', 'refund', 'refund' as const),
  amount,
  currency,
  reference: fc.oneof(number, fc.constant('just text'), fc.constant(null)),
  metadata,
}

interface Item {
  type: Transaction['type']
  amount: number
  currency: string
  reference: number | string | null
  metadata: Metadata
}

function fieldsOf(world: World, { type, amount, currency, metadata, ...data }: Item) {
  const reference =
    typeof data.reference === 'number'
      ? (pick(linkable(world, type), data.reference)?.id.known ?? null)
      : data.reference
  return { amount, currency, type, reference, metadata }
}

const create = step(
  'create transaction',
  fc.record({ ...who, account: number, ...item, key }),
  (world, data) => {
    const account = pick(world.accounts, data.account)
    const fields = fieldsOf(world, data)
    const body = { ...fields, account_id: idOf(account, 'acct') }
    const requester = callerAndAccountFor(world, bodyNames(data), account)
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/transactions',
      ...requester,
      body,
      key: data.key,
    }
    return { request, outcome: createTransaction(world, request, { ...fields, account }) }
  },
)

const createMany = step(
  'create transactions',
  fc.record({
    ...who,
    account: number,
    // Decides about the header.
    amount,
    items: fc.array(fc.record(item), { minLength: 1, maxLength: 4 }),
    atomic: fc.constantFrom(undefined, true, false),
    key,
  }),
  (world, data) => {
    const { atomic, key } = data
    const account = pick(world.accounts, data.account)
    const items = data.items.map((one) => fieldsOf(world, one))
    const body = { account_id: idOf(account, 'acct'), transactions: items, atomic }
    const requester = callerAndAccountFor(world, bodyNames(data), account)
    const path = '/v1/transactions/bulk'
    const request: ModelRequest = { method: 'POST', path, ...requester, body, key }
    const input = { account, items, atomic: atomic ?? true }
    return { request, outcome: createTransactions(world, request, input) }
  },
)

/** Refunds usually refer to payments and payment requests. In other types an id is plain text. */
function linkable({ transactions, payments }: World, type: string): (Transaction | Payment)[] {
  if (type !== 'refund') return transactions
  return [...payments, ...transactions.filter((one) => one.type === 'payment')]
}

/** The body already has the account, so the header is omitted half of the time. */
export function bodyNames<Data extends { header: unknown; amount: number }>(data: Data): Data {
  return data.header === 'unknown' || data.amount % 2 === 0 ? { ...data, header: 'none' } : data
}

/** A request about one transaction. */
function about(
  world: World,
  data: { number: number } & Parameters<typeof callerAndAccountFor>[1],
  method: string,
  path = '',
): { request: ModelRequest; one: Transaction | undefined } {
  const one = pick(world.transactions, data.number)
  const requester = callerAndAccountFor(world, data, one?.account ?? world.accounts[0])
  return {
    one,
    request: { method, path: `/v1/transactions/${idOf(one, 'txn')}${path}`, ...requester },
  }
}

const retrieve = step('get transaction', fc.record({ ...who, number }), (world, data) => {
  const { request, one } = about(world, data, 'GET')
  return { request, outcome: getTransaction(request, one) }
})

const cancel = step('cancel transaction', fc.record({ ...who, number, key }), (world, data) => {
  const { request, one } = about(world, data, 'DELETE')
  request.key = data.key
  return { request, outcome: cancelTransaction(world, request, one) }
})

const settle = step(
  'settle transaction',
  fc.record({
    ...who,
    number,
    outcome: fc.constantFrom('succeeded', 'succeeded', 'failed' as const),
    key,
  }),
  (world, data) => {
    const by_staff = data.caller === 'owner' ? { ...data, caller: 'admin' as const } : data
    const { request, one } = about(world, by_staff, 'POST', '/settle')
    Object.assign(request, { body: { outcome: data.outcome }, key: data.key })
    return { request, outcome: settleTransaction(world, request, one, data.outcome) }
  },
)

const update = step(
  'update transaction',
  fc.record({
    ...who,
    number,
    reference: fc.constantFrom(undefined, null, 'one', 'two'),
    metadata: fc.option(metadata, { freq: 4 }),
    amount: fc.constantFrom(undefined, undefined, undefined, 5),
    key,
  }),
  (world, data) => {
    const { request, one } = about(world, data, 'PATCH')
    const { reference, metadata, amount } = data
    const changes = { reference, metadata, amount }
    Object.assign(request, { body: changes, key: data.key })
    return { request, outcome: updateTransaction(world, request, one, changes) }
  },
)

export const money_status = fc.constantFrom(
  undefined,
  undefined,
  'pending',
  'succeeded',
  'failed',
  'canceled',
)

const list = step(
  'list transactions',
  fc.record({
    ...who,
    account: number,
    limit: list_limit,
    cursor,
    status: money_status,
    type: fc.constantFrom(undefined, undefined, 'payment', 'credit', 'refund'),
  }),
  (world, data) => {
    const account = pick(world.accounts, data.account)
    const { status, type } = data
    const { query, input } = listQuery(world.transactions, data, { status, type }, account)
    const requester = callerAndAccountFor(world, data, account)
    const request: ModelRequest = { method: 'GET', path: `/v1/transactions?${query}`, ...requester }
    if (listsAll(request)) return undefined
    return { request, outcome: listTransactions(world, request, { ...input, status, type }) }
  },
)

/** Without the header, admins and platforms would also see other sequences. */
export function listsAll({ caller, account }: ModelRequest): boolean {
  if (account !== undefined || typeof caller === 'string' || 'key' in caller) return false
  const { role } = caller.session.person
  return role === 'admin' || role === 'platform'
}

const balance = step('get balance', fc.record({ ...who, account: number }), (world, data) => {
  const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
  const request: ModelRequest = { method: 'GET', path: '/v1/account/balance', ...requester }
  return { request, outcome: getBalance(world, request) }
})

export const moneyParts = { create, settle }
export const moneyStarts = [create, createMany]
export const moneySteps = [
  ...[create, create, createMany, createMany],
  ...[settle, settle, cancel, update, retrieve],
]
export const moneyReads = [list, balance]

// Payment requests through the API. Paying on the page is a step of its own kind, in the run.

import fc from 'fast-check'
import {
  cancelPayment,
  createPayment,
  getPayment,
  getPaymentStatus,
  listPayments,
  sendPayment,
  settlePayment,
} from '../payments.ts'
import type { Ask, Payment, World } from '../world.ts'
import {
  amount,
  askerFor,
  caller,
  currency,
  cursor,
  customer_email,
  header,
  idOf,
  key,
  list_limit,
  listQuery,
  metadata,
  number,
  pick,
  reference,
  step,
} from './choices.ts'
import { bodyNames, listsAll, money_status } from './money.ts'

const who = { caller, header }

const create = step(
  'create payment',
  fc.record({
    ...who,
    account: number,
    amount,
    currency,
    customer_email,
    reference,
    metadata,
    key,
  }),
  (world, data) => {
    const { amount, currency, customer_email, reference, metadata, key } = data
    const account = pick(world.accounts, data.account)
    const fields = { amount, currency, customer_email, reference, metadata }
    const body = { ...fields, account_id: idOf(account, 'acct') }
    const asker = askerFor(world, bodyNames(data), account)
    const ask: Ask = { method: 'POST', path: '/v1/payments', ...asker, body, key }
    return { ask, outcome: createPayment(world, ask, { ...fields, account }) }
  },
)

function about(
  world: World,
  data: { number: number; key?: string | undefined } & Parameters<typeof askerFor>[1],
  method: string,
  path = '',
): { ask: Ask; one: Payment | undefined } {
  const one = pick(world.payments, data.number)
  const asker = askerFor(world, data, one?.account ?? world.accounts[0])
  const where = `/v1/payments/${idOf(one, 'pay')}${path}`
  return { one, ask: { method, path: where, ...asker, key: data.key } }
}

const retrieve = step('get payment', fc.record({ ...who, number }), (world, data) => {
  const { ask, one } = about(world, data, 'GET')
  return { ask, outcome: getPayment(world, ask, one) }
})

const status = step('get payment status', fc.record({ ...who, number }), (world, data) => {
  const { ask, one } = about(world, data, 'GET', '/status')
  return { ask, outcome: getPaymentStatus(ask, one) }
})

const cancel = step('cancel payment', fc.record({ ...who, number, key }), (world, data) => {
  const { ask, one } = about(world, data, 'POST', '/cancel')
  return { ask, outcome: cancelPayment(world, ask, one) }
})

const send = step('send payment', fc.record({ ...who, number, key }), (world, data) => {
  const { ask, one } = about(world, data, 'POST', '/send')
  return { ask, outcome: sendPayment(ask, one) }
})

const settle = step(
  'settle payment',
  fc.record({ ...who, number, outcome: fc.constantFrom('succeeded', 'failed' as const), key }),
  (world, data) => {
    const by_staff = data.caller === 'owner' ? { ...data, caller: 'admin' as const } : data
    const { ask, one } = about(world, by_staff, 'POST', '/settle')
    ask.body = { outcome: data.outcome }
    return { ask, outcome: settlePayment(world, ask, one, data.outcome) }
  },
)

const list = step(
  'list payments',
  fc.record({ ...who, account: number, limit: list_limit, cursor, status: money_status }),
  (world, data) => {
    const { status } = data
    const account = pick(world.accounts, data.account)
    const { query, wish } = listQuery(world.payments, data, { status }, account)
    const asker = askerFor(world, data, account)
    const ask: Ask = { method: 'GET', path: `/v1/payments?${query}`, ...asker }
    if (listsAll(ask)) return undefined
    return { ask, outcome: listPayments(world, ask, { ...wish, status }) }
  },
)

export const paymentParts = { create, retrieve }
export const paymentStarts = [create]
export const paymentSteps = [create, create, cancel, send, settle, retrieve, status, list]

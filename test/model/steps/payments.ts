// Payment requests through the API. Paying on the page is a separate command, in run/take-step.ts.

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
import type { ModelRequest, Payment, World } from '../world.ts'
import {
  amount,
  caller,
  callerAndAccountFor,
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
    const requester = callerAndAccountFor(world, bodyNames(data), account)
    const request: ModelRequest = { method: 'POST', path: '/v1/payments', ...requester, body, key }
    return { request, outcome: createPayment(world, request, { ...fields, account }) }
  },
)

function about(
  world: World,
  data: { number: number; key?: string | undefined } & Parameters<typeof callerAndAccountFor>[1],
  method: string,
  path = '',
): { request: ModelRequest; one: Payment | undefined } {
  const one = pick(world.payments, data.number)
  const requester = callerAndAccountFor(world, data, one?.account ?? world.accounts[0])
  const where = `/v1/payments/${idOf(one, 'pay')}${path}`
  return { one, request: { method, path: where, ...requester, key: data.key } }
}

const retrieve = step('get payment', fc.record({ ...who, number }), (world, data) => {
  const { request, one } = about(world, data, 'GET')
  return { request, outcome: getPayment(world, request, one) }
})

const status = step('get payment status', fc.record({ ...who, number }), (world, data) => {
  const { request, one } = about(world, data, 'GET', '/status')
  return { request, outcome: getPaymentStatus(request, one) }
})

const cancel = step('cancel payment', fc.record({ ...who, number, key }), (world, data) => {
  const { request, one } = about(world, data, 'POST', '/cancel')
  return { request, outcome: cancelPayment(world, request, one) }
})

const send = step('send payment', fc.record({ ...who, number, key }), (world, data) => {
  const { request, one } = about(world, data, 'POST', '/send')
  return { request, outcome: sendPayment(request, one) }
})

const settle = step(
  'settle payment',
  fc.record({ ...who, number, outcome: fc.constantFrom('succeeded', 'failed' as const), key }),
  (world, data) => {
    const by_staff = data.caller === 'owner' ? { ...data, caller: 'admin' as const } : data
    const { request, one } = about(world, by_staff, 'POST', '/settle')
    request.body = { outcome: data.outcome }
    return { request, outcome: settlePayment(world, request, one, data.outcome) }
  },
)

const list = step(
  'list payments',
  fc.record({ ...who, account: number, limit: list_limit, cursor, status: money_status }),
  (world, data) => {
    const { status } = data
    const account = pick(world.accounts, data.account)
    const { query, input } = listQuery(world.payments, data, { status }, account)
    const requester = callerAndAccountFor(world, data, account)
    const request: ModelRequest = { method: 'GET', path: `/v1/payments?${query}`, ...requester }
    if (listsAll(request)) return undefined
    return { request, outcome: listPayments(world, request, { ...input, status }) }
  },
)

export const paymentParts = { create, retrieve }
export const paymentStarts = [create]
export const paymentSteps = [create, create, cancel, send, settle, retrieve, status, list]

// Subscriptions, and the clock that makes their periods due.

import fc from 'fast-check'
import { advanceClock, advanceTo } from '../clock.ts'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from '../subscriptions.ts'
import type { ModelRequest, Subscription, World } from '../world.ts'
import {
  amount,
  caller,
  callerAndAccountFor,
  callerFor,
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

const who = { caller, header }

const create = step(
  'create subscription',
  fc.record({
    ...who,
    account: number,
    amount,
    currency,
    customer_email,
    interval: fc.constantFrom('day', 'week', 'month', 'month', 'year' as const),
    interval_count: fc.constantFrom(1, 1, 2, 3),
    reference,
    metadata,
    key,
  }),
  (world, data) => {
    const { caller, header, account, key, ...fields } = data
    const requester = callerAndAccountFor(world, { caller, header }, pick(world.accounts, account))
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/subscriptions',
      ...requester,
      body: fields,
      key,
    }
    return { request, outcome: createSubscription(world, request, fields) }
  },
)

function about(
  world: World,
  data: { number: number; key?: string | undefined } & Parameters<typeof callerAndAccountFor>[1],
  method: string,
): { request: ModelRequest; one: Subscription | undefined } {
  const one = pick(world.subscriptions, data.number)
  const requester = callerAndAccountFor(world, data, one?.account ?? world.accounts[0])
  const path = `/v1/subscriptions/${idOf(one, 'sub')}`
  return { one, request: { method, path, ...requester, key: data.key } }
}

const retrieve = step('get subscription', fc.record({ ...who, number }), (world, data) => {
  const { request, one } = about(world, data, 'GET')
  return { request, outcome: getSubscription(request, one) }
})

const update = step(
  'update subscription',
  fc.record({
    ...who,
    number,
    status: fc.constantFrom(undefined, 'active', 'paused', 'paused' as const),
    reference: fc.constantFrom(undefined, undefined, null, 'one'),
    metadata: fc.option(metadata, { freq: 4 }),
    key,
  }),
  (world, data) => {
    const { request, one } = about(world, data, 'PATCH')
    const { status, reference, metadata } = data
    const changes = { status, reference, metadata }
    request.body = changes
    return { request, outcome: updateSubscription(world, request, one, changes) }
  },
)

const cancel = step('cancel subscription', fc.record({ ...who, number, key }), (world, data) => {
  const { request, one } = about(world, data, 'DELETE')
  return { request, outcome: deleteSubscription(world, request, one) }
})

const list = step(
  'list subscriptions',
  fc.record({
    ...who,
    account: number,
    limit: list_limit,
    cursor,
    status: fc.constantFrom(undefined, 'active', 'paused', 'canceled'),
  }),
  (world, data) => {
    const { status } = data
    const account = pick(world.accounts, data.account)
    const { query, input } = listQuery(world.subscriptions, data, { status }, account)
    const requester = callerAndAccountFor(world, data, account)
    const request: ModelRequest = {
      method: 'GET',
      path: `/v1/subscriptions?${query}`,
      ...requester,
    }
    return { request, outcome: listSubscriptions(world, request, { ...input, status }) }
  },
)

// The clock advances by at most a hundred years, so long steps are rare.
const seconds = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(20, 30, 3_600) },
  { weight: 4, arbitrary: fc.constantFrom(86_400, 3 * 86_400) },
  { weight: 2, arbitrary: fc.constantFrom(30 * 86_400, 31 * 86_400) },
)

const advance = step(
  'advance clock',
  fc.record({
    caller: fc.oneof({ weight: 3, arbitrary: fc.constant('admin' as const) }, caller),
    seconds,
  }),
  (world, data) => {
    const requester = callerFor(world, data.caller, world.accounts[0])
    const body = { seconds: data.seconds }
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/sandbox/clock/advance',
      caller: requester,
      body,
    }
    const { outcome, now } = advanceClock(request)
    const after = () => now && advanceTo(world, now.known)
    return { request, outcome, after }
  },
)

export const subscriptionParts = { create, update, advance }
export const subscriptionStarts = [create]
export const subscriptionSteps = [create, create, update, update, cancel, retrieve, list]
export const clockSteps = [advance, advance]

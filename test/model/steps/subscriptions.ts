// Subscriptions, and the clock that makes their periods come round.

import fc from 'fast-check'
import { advanceClock, passTime } from '../clock.ts'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from '../subscriptions.ts'
import type { Ask, Subscription, World } from '../world.ts'
import {
  amount,
  askerFor,
  caller,
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
    const asker = askerFor(world, { caller, header }, pick(world.accounts, account))
    const ask: Ask = { method: 'POST', path: '/v1/subscriptions', ...asker, body: fields, key }
    return { ask, outcome: createSubscription(world, ask, fields) }
  },
)

function about(
  world: World,
  data: { number: number; key?: string | undefined } & Parameters<typeof askerFor>[1],
  method: string,
): { ask: Ask; one: Subscription | undefined } {
  const one = pick(world.subscriptions, data.number)
  const asker = askerFor(world, data, one?.account ?? world.accounts[0])
  const path = `/v1/subscriptions/${idOf(one, 'sub')}`
  return { one, ask: { method, path, ...asker, key: data.key } }
}

const retrieve = step('get subscription', fc.record({ ...who, number }), (world, data) => {
  const { ask, one } = about(world, data, 'GET')
  return { ask, outcome: getSubscription(ask, one) }
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
    const { ask, one } = about(world, data, 'PATCH')
    const { status, reference, metadata } = data
    const changes = { status, reference, metadata }
    ask.body = changes
    return { ask, outcome: updateSubscription(world, ask, one, changes) }
  },
)

const cancel = step('cancel subscription', fc.record({ ...who, number, key }), (world, data) => {
  const { ask, one } = about(world, data, 'DELETE')
  return { ask, outcome: deleteSubscription(world, ask, one) }
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
    const { query, wish } = listQuery(world.subscriptions, data, { status }, account)
    const asker = askerFor(world, data, account)
    const ask: Ask = { method: 'GET', path: `/v1/subscriptions?${query}`, ...asker }
    return { ask, outcome: listSubscriptions(world, ask, { ...wish, status }) }
  },
)

// The clock goes a hundred years at the most: long steps are seldom.
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
    const asker = callerFor(world, data.caller, world.accounts[0])
    const body = { seconds: data.seconds }
    const ask: Ask = { method: 'POST', path: '/v1/sandbox/clock/advance', caller: asker, body }
    const { outcome, now } = advanceClock(ask)
    const after = () => now && passTime(world, now.known)
    return { ask, outcome, after }
  },
)

export const subscriptionParts = { create, update, advance }
export const subscriptionStarts = [create]
export const subscriptionSteps = [create, create, update, update, cancel, retrieve, list]
export const clockSteps = [advance, advance]

// The generator: what a client does next, by its seed and what there is to act on.

import type { Random } from '../../../src/seeding/random.ts'
import type { Input, Operation } from '../history.ts'
import type { Request } from './send.ts'
import type { Shop, World } from './world.ts'

export interface PlannedRequest {
  operation: Operation
  shop: Shop
  credential: string
  target: string | null
  input: Input
  request: Request
}

/** Undefined when there is nothing yet for the kind that was drawn. */
export function chooseOperation(
  random: Random,
  world: World,
  tag: string,
): PlannedRequest | undefined {
  const drawn = draw(random)
  return makers[drawn](random, world, tag)
}

type Maker = (random: Random, world: World, tag: string) => PlannedRequest | undefined

const weights = {
  pay_in: 26,
  pay_out: 14,
  refund: 12,
  cancel: 9,
  settle: 9,
  patch: 6,
  ask: 4,
  pay: 4,
  settle_request: 2,
  cancel_request: 1,
  get: 12,
  get_request: 2,
} as const

type Kind = keyof typeof weights

const kinds = Object.entries(weights).flatMap(([kind, weight]) =>
  Array.from({ length: weight }, () => kind as Kind),
)

function draw(random: Random): Kind {
  return random.pick(kinds)
}

const makers: Record<Kind, Maker> = {
  pay_in: (random, world, tag) => {
    const type = random.chance(0.8) ? 'payment' : 'credit'
    const fails = random.chance(0.1) ? { sandbox_outcome: 'failed' } : {}
    const body = { amount: 100 + random.below(9_900), reference: tag, metadata: { tag, ...fails } }
    return create(random.pick(world.shops), type, body)
  },
  // Often more than there is, so that many are refused.
  pay_out: (random, world, tag) => {
    const amount = 1 + random.below(random.chance(0.3) ? 60_000 : 12_000)
    return create(random.pick(world.shops), 'refund', { amount, reference: tag, metadata: { tag } })
  },
  refund: (random, world, tag) => {
    const payment = world.pickPayment(random)
    if (payment === undefined) return undefined
    const amount = 1 + random.below(payment.amount)
    const body = { amount, reference: payment.id, metadata: { tag } }
    return create(payment.shop, 'refund', body, payment.id)
  },
  cancel: (random, world) => {
    const known = world.pickPending(random)
    return known && change('cancel', 'DELETE', known, `/v1/transactions/${known.id}`)
  },
  settle: (random, world) => {
    const known = world.pickPending(random)
    const outcome = random.chance(0.85) ? 'succeeded' : 'failed'
    return known && settle('settle', known, `/v1/transactions/${known.id}/settle`, outcome, world)
  },
  patch: (random, world, tag) => {
    const known = world.pickMade(random)
    const patch_key = `patch_${tag}`
    const body = { metadata: { [patch_key]: tag } }
    const path = `/v1/transactions/${known?.id}`
    return known && { ...change('patch', 'PATCH', known, path, body), input: { patch_key } }
  },
  ask: (random, world, tag) => {
    const shop = random.pick(world.shops)
    const amount = 100 + random.below(9_900)
    const body = {
      account_id: shop.account,
      amount,
      currency: 'USD',
      customer_email: 'customer@example.com',
      reference: tag,
      metadata: { tag },
    }
    const request: Request = { method: 'POST', path: '/v1/payments', token: shop.token, body }
    return { operation: 'request', ...owner(shop), target: null, input: { amount }, request }
  },
  pay: (random, world) => {
    const known = world.pickRequest(random)
    if (known === undefined) return undefined
    const form = { number: '4242 4242 4242 4242', expires: '12 / 80', csc: '123' }
    const request: Request = { method: 'POST', path: known.pay_path, token: undefined, form }
    return { ...owner(known.shop), operation: 'pay', target: known.id, input: {}, request }
  },
  settle_request: (random, world) => {
    const known = world.pickRequest(random)
    const outcome = random.chance(0.7) ? 'succeeded' : 'failed'
    return (
      known && settle('settle_request', known, `/v1/payments/${known.id}/settle`, outcome, world)
    )
  },
  cancel_request: (random, world) => {
    const known = world.pickRequest(random)
    return known && change('cancel_request', 'POST', known, `/v1/payments/${known.id}/cancel`)
  },
  get: (random, world) => {
    const known = world.pickMade(random)
    return known && change('get', 'GET', known, `/v1/transactions/${known.id}`)
  },
  get_request: (random, world) => {
    const known = world.pickRequest(random)
    return known && change('get_request', 'GET', known, `/v1/payments/${known.id}/status`)
  },
}

function owner(shop: Shop): { shop: Shop; credential: string } {
  return { shop, credential: `owner of ${shop.account}` }
}

function create(
  shop: Shop,
  type: 'payment' | 'credit' | 'refund',
  fields: { amount: number; reference: string; metadata: object },
  refund_of?: string,
): PlannedRequest {
  const body = { account_id: shop.account, currency: 'USD', type, ...fields }
  const input = { type, amount: fields.amount, ...(refund_of && { refund_of }) }
  const request: Request = { method: 'POST', path: '/v1/transactions', token: shop.token, body }
  return { operation: 'create', ...owner(shop), target: null, input, request }
}

function change(
  operation: Operation,
  method: Request['method'],
  { shop, id }: { shop: Shop; id: string },
  path: string,
  body?: unknown,
): PlannedRequest {
  const request: Request = { method, path, token: shop.token, ...(body !== undefined && { body }) }
  return { operation, ...owner(shop), target: id, input: {}, request }
}

function settle(
  operation: 'settle' | 'settle_request',
  known: { shop: Shop; id: string },
  path: string,
  outcome: 'succeeded' | 'failed',
  world: World,
): PlannedRequest {
  const planned_request = change(operation, 'POST', known, path, { outcome })
  const request = { ...planned_request.request, token: world.admin_token }
  return { ...planned_request, credential: 'admin', input: { outcome }, request }
}

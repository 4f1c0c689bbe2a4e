// The generator: chooses a client's next operation from its seed and the existing objects.

import type { Random } from '../../../src/operations/seeding/random.ts'
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

/** Returns undefined if no object exists yet for the chosen kind of operation. */
export function chooseOperation(
  random: Random,
  world: World,
  tag: string,
): PlannedRequest | undefined {
  const chosen = world.has_transfers ? kinds : kinds_without_transfers
  const kind = random.pick(world.has_provider ? provider_kinds : chosen)
  return planners[kind](random, world, tag)
}

export function planSmallRefund(shop: Shop, payment_id: string, tag: string): PlannedRequest {
  const body = { amount: 1, reference: payment_id, metadata: { tag } }
  return create(shop, 'refund', body, payment_id)
}

type Planner = (random: Random, world: World, tag: string) => PlannedRequest | undefined

const weights = {
  pay_in: 26,
  pay_out: 14,
  refund: 12,
  cancel: 9,
  settle: 9,
  patch: 6,
  create_request: 4,
  pay: 4,
  settle_request: 2,
  cancel_request: 1,
  get: 12,
  get_request: 2,
  transfer: 5,
} as const

type Kind = keyof typeof weights

// Payers pay at the provider. The API's own transactions wait for an admin.
const provider_weights: Record<Kind, number> = {
  pay_in: 5,
  pay_out: 3,
  refund: 24,
  cancel: 3,
  settle: 5,
  patch: 2,
  create_request: 24,
  pay: 0,
  settle_request: 2,
  cancel_request: 10,
  get: 4,
  get_request: 34,
  transfer: 0,
}

const kinds = spread(weights)
const kinds_without_transfers = spread({ ...weights, transfer: 0 })
const provider_kinds = spread(provider_weights)

function spread(of: Record<Kind, number>): Kind[] {
  return Object.entries(of).flatMap(([kind, weight]) =>
    Array.from({ length: weight }, () => kind as Kind),
  )
}

const planners: Record<Kind, Planner> = {
  pay_in: (random, world, tag) => {
    const type = random.chance(0.8) ? 'payment' : 'credit'
    const fails = random.chance(0.1) ? { sandbox_outcome: 'failed' } : {}
    const body = { amount: 100 + random.below(9_900), reference: tag, metadata: { tag, ...fails } }
    return create(random.pick(world.shops), type, body)
  },
  // Often more than is available, so many are rejected.
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
    const found = world.pickPending(random)
    return found && change('cancel', 'DELETE', found, `/v1/transactions/${found.id}`)
  },
  settle: (random, world) => {
    const found = world.pickPending(random)
    const outcome = random.chance(0.85) ? 'succeeded' : 'failed'
    return found && settle('settle', found, `/v1/transactions/${found.id}/settle`, outcome, world)
  },
  patch: (random, world, tag) => {
    const found = world.pickTransaction(random)
    const patch_key = `patch_${tag}`
    const body = { metadata: { [patch_key]: tag } }
    const path = `/v1/transactions/${found?.id}`
    return found && { ...change('patch', 'PATCH', found, path, body), input: { patch_key } }
  },
  create_request: (random, world, tag) => {
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
    const found = world.pickRequest(random)
    if (found === undefined) return undefined
    const form = { number: '4242 4242 4242 4242', expires: '12 / 80', csc: '123' }
    const request: Request = { method: 'POST', path: found.pay_path, token: undefined, form }
    return { ...owner(found.shop), operation: 'pay', target: found.id, input: {}, request }
  },
  settle_request: (random, world) => {
    const found = world.pickRequest(random)
    const outcome = random.chance(0.7) ? 'succeeded' : 'failed'
    return (
      found && settle('settle_request', found, `/v1/payments/${found.id}/settle`, outcome, world)
    )
  },
  cancel_request: (random, world) => {
    const found = world.pickRequest(random)
    return found && change('cancel_request', 'POST', found, `/v1/payments/${found.id}/cancel`)
  },
  get: (random, world) => {
    const found = world.pickTransaction(random)
    return found && change('get', 'GET', found, `/v1/transactions/${found.id}`)
  },
  get_request: (random, world) => {
    const found = world.pickRequest(random)
    // The whole request has the id of the transaction, so that clients can refund it.
    const path = `/v1/payments/${found?.id}${world.has_provider ? '' : '/status'}`
    return found && change('get_request', 'GET', found, path)
  },
  // By an admin, who needs no recent login. Three accounts, and opposite directions at once.
  transfer: (random, world, tag) => {
    const [shop, to, fee_to] = threeOf(random, world.shops)
    const amount = 2 + random.below(random.chance(0.2) ? 60_000 : 4_000)
    const fee = { fee_amount: 1, fee_account_id: fee_to.account }
    const body = {
      to_account_id: to.account,
      amount,
      currency: 'USD',
      reference: tag,
      ...(random.chance(0.5) && fee),
    }
    const sent = { method: 'POST', path: '/v1/transfers', account: shop.account, body } as const
    const request: Request = { ...sent, token: world.admin_token }
    return {
      operation: 'transfer',
      credential: 'admin',
      shop,
      target: null,
      input: { amount },
      request,
    }
  },
}

function threeOf(random: Random, shops: Shop[]): [Shop, Shop, Shop] {
  const first = random.below(shops.length)
  const second = (first + 1 + random.below(shops.length - 1)) % shops.length
  const rest = shops.filter((_, at) => at !== first && at !== second)
  return [shops[first]!, shops[second]!, random.pick(rest)]
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
  found: { shop: Shop; id: string },
  path: string,
  outcome: 'succeeded' | 'failed',
  world: World,
): PlannedRequest {
  const planned_request = change(operation, 'POST', found, path, { outcome })
  const request = { ...planned_request.request, token: world.admin_token }
  return { ...planned_request, credential: 'admin', input: { outcome }, request }
}

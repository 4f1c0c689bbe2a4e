// Runs steps as fast-check commands: plan, send, compare, and store values that only the server
// knows.

import fc from 'fast-check'
import { Customer, cards } from '../../payments/customer.ts'
import { type Card, pageOf, payOnPage } from '../payments.ts'
import { findActor } from '../permissions.ts'
import { type ModelStep, number, pick } from '../steps/choices.ts'
import type { Caller, Person, Role, World } from '../world.ts'
import { resolveFromEvents } from './follow-events.ts'
import { expect, type Server, send } from './server.ts'

type Command = fc.AsyncCommand<World, Server>

export function command(step: ModelStep): Command {
  return {
    check: () => true,
    toString: () => `${step.name} ${JSON.stringify(step.data)}`,
    run: (world, server) => takeStep(step, world, server),
  }
}

/** Runs several steps in a row. */
export function journey(steps: ModelStep[]): Command {
  return {
    check: () => true,
    toString: () => steps.map((step) => command(step).toString()).join(' → '),
    run: async (world, server) => {
      for (const step of steps) await takeStep(step, world, server)
    },
  }
}

async function takeStep(step: ModelStep, world: World, server: Server): Promise<void> {
  world.turn += 1
  const roles = new Map(world.people.map((person) => [person, person.role]))
  const plan = step.plan(world)
  if (plan === undefined) return
  const { request, outcome, after } = plan
  const role = roleOf(request.caller, roles)
  const response = await expect(server, world, step.name, request, outcome)
  after?.()
  if (request.key !== undefined && response.status < 300 && role !== undefined) {
    world.stored_responses.push({ request, role, status: response.status, text: response.text })
  }
  await resolveFromEvents(server, world)
}

/** The caller's role before the step, which may change it. */
function roleOf(caller: Caller, roles: Map<Person, Role>): Role | 'key' | undefined {
  if (typeof caller === 'string') return undefined
  return 'key' in caller ? 'key' : roles.get(caller.session.person)
}

/** Long runs span decades, so the card must not expire before. */
const card_expiry = '12 / 99'

/** Pays on the payment page. */
export const pay = fc
  .record({
    number,
    card: fc.constantFrom('good', 'good', 'declined', 'poor' as const),
    times: fc.constantFrom(1, 1, 1, 11),
  })
  .map((data): Command => {
    return {
      check: () => true,
      toString: () => `pay on the page ${JSON.stringify(data)}`,
      run: (world, server) => payWith(server, world, data),
    }
  })

async function payWith(
  server: Server,
  world: World,
  data: { number: number; card: Card; times: number },
): Promise<void> {
  for (let left = data.times; left > 0; left--) {
    world.turn += 1
    const one = pick(world.payments, data.number)
    if (one === undefined) return
    const customer = new Customer(server.florin.url, one.link.known)
    const before = pageOf(one)
    const seen = await customer.open()
    requireEqual(`the page of ${one.id.known}`, seen.state, before)
    const expected = payOnPage(world, one, data.card)
    const card = cards[data.card]
    const sent =
      before === 'form'
        ? await customer.pay(card, { expires: card_expiry })
        : await customer.send({ number: card })
    requireEqual(`the response to a ${data.card} card`, sent.status, expected.status)
    if (expected.status === 200) requireEqual('the page after the card', sent.state, expected.to)
    await resolveFromEvents(server, world)
    count(server, `pay with a ${data.card} card: ${expected.status} ${expected.to}`)
    if (data.card === 'good' || expected.to !== 'form') return
  }
}

function requireEqual(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return
  throw new Error(`${what}: the model expects ${String(expected)}, got ${String(actual)}`)
}

function count({ outcome_counts }: Server, about: string): void {
  outcome_counts.set(about, (outcome_counts.get(about) ?? 0) + 1)
}

/** Sends a stored request again with the same key, or a different request with that key. */
export const replay = fc.record({ number, other: fc.boolean() }).map((data): Command => {
  return {
    check: () => true,
    toString: () => `replay ${JSON.stringify(data)}`,
    run: (world, server) => sendAgain(server, world, data),
  }
})

async function sendAgain(
  server: Server,
  world: World,
  data: { number: number; other: boolean },
): Promise<void> {
  world.turn += 1
  const stored = pick(world.stored_responses, data.number)
  if (stored === undefined) return
  const { request } = stored
  const actor = findActor(request.caller)
  // A user who opened an account has become its owner, and gets the stored response for that
  // request. Other requests from before belong to no account, so they would be new ones.
  const has_changed_role = actor !== undefined && actor.role !== stored.role
  if (has_changed_role && request.path !== '/v1/accounts') return
  const path = data.other ? `${request.path}?&` : request.path
  const response = await send(server, world, { ...request, path })
  const about = `${request.method} ${path} again`
  if (actor === undefined) requireEqual(about, response.status, 401)
  else if (data.other) requireEqual(about, response.status, 422)
  else {
    requireEqual(about, response.text, stored.text)
    requireEqual(`${about}, replayed`, response.headers.get('idempotent-replayed'), 'true')
  }
  count(server, `replay: ${response.status}`)
}

// Steps as commands of fast-check: plan, send, compare, and learn what only the server knew.

import fc from 'fast-check'
import { Customer, cards } from '../../payments/customer.ts'
import { type Card, pageOf, payOnPage } from '../payments.ts'
import { findActor } from '../permissions.ts'
import { number, pick, type Step } from '../steps/choices.ts'
import type { Caller, Person, Role, World } from '../world.ts'
import { resolveFromEvents } from './follow-events.ts'
import { expect, type Server, send } from './server.ts'

export type Command = fc.AsyncCommand<World, Server>

export function command(step: Step): Command {
  return {
    check: () => true,
    toString: () => `${step.name} ${JSON.stringify(step.data)}`,
    run: (world, server) => takeStep(step, world, server),
  }
}

/** Several in a row. */
export function journey(steps: Step[]): Command {
  return {
    check: () => true,
    toString: () => steps.map((step) => command(step).toString()).join(' → '),
    run: async (world, server) => {
      for (const step of steps) await takeStep(step, world, server)
    },
  }
}

async function takeStep(step: Step, world: World, server: Server): Promise<void> {
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

/** What the caller was before the step, whatever it has made of them. */
function roleOf(caller: Caller, roles: Map<Person, Role>): Role | 'key' | undefined {
  if (typeof caller === 'string') return undefined
  return 'key' in caller ? 'key' : roles.get(caller.session.person)
}

/** Decades pass in a long run, and a card that has expired by then is no good. */
const lasting = '12 / 99'

/** A customer with the link in hand. */
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
    same(`the page of ${one.id.known}`, seen.state, before)
    const said = payOnPage(world, one, data.card)
    const card = cards[data.card]
    const sent =
      before === 'form'
        ? await customer.pay(card, { expires: lasting })
        : await customer.send({ number: card })
    same(`the response to a ${data.card} card`, sent.status, said.status)
    if (said.status === 200) same('the page after the card', sent.state, said.to)
    await resolveFromEvents(server, world)
    count(server, `pay with a ${data.card} card: ${said.status} ${said.to}`)
    if (data.card === 'good' || said.to !== 'form') return
  }
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return
  throw new Error(`${what}: the model says ${String(expected)}, the server ${String(actual)}`)
}

function count({ tellings }: Server, about: string): void {
  tellings.set(about, (tellings.get(about) ?? 0) + 1)
}

/** The same request with the same key once more, or another with it. */
export const again = fc.record({ number, other: fc.boolean() }).map((data): Command => {
  return {
    check: () => true,
    toString: () => `send again ${JSON.stringify(data)}`,
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
  // Whoever opened an account by it has become an owner, and is answered as the user of before.
  // Everything else that a lone user did is under an account a new request.
  const has_moved = actor !== undefined && actor.role !== stored.role
  if (has_moved && request.path !== '/v1/accounts') return
  const path = data.other ? `${request.path}?&` : request.path
  const response = await send(server, world, { ...request, path })
  const about = `${request.method} ${path} again`
  if (actor === undefined) same(about, response.status, 401)
  else if (data.other) same(about, response.status, 422)
  else {
    same(about, response.text, stored.text)
    same(`${about}, that it is a replay`, response.headers.get('idempotent-replayed'), 'true')
  }
  count(server, `send again: ${response.status}`)
}

// A payer: opens the payment page, is sent to the provider, and pays there, late or not at all.
// Some return to Florin's page without having paid, because returning proves nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import type { ProviderParts } from './open-provider.ts'
import type { Visit } from './provider-history.ts'

const weights = {
  pay: 36,
  pay_and_leave: 12,
  pay_late: 30,
  pay_by_debit: 12,
  return_unpaid: 12,
  abandon: 8,
} as const

type Plan = keyof typeof weights

const plans = Object.entries(weights).flatMap(([plan, weight]) =>
  Array.from({ length: weight }, () => plan as Plan),
)

const max_think_ms = 150
// Long enough for the request to be canceled, expired or paid by another way.
const max_late_ms = 2_500

export async function runPayer(parts: ProviderParts, number: number): Promise<void> {
  const random = parts.randomOf('payer', number)
  while (parts.recorder.now() < parts.until_ms) {
    await payOnce(parts, random)
    await sleep(random.below(max_think_ms))
  }
}

async function payOnce(parts: ProviderParts, random: Random): Promise<void> {
  const request = parts.world.pickRequest(random)
  if (request === undefined) return
  const visit = (operation: Visit['operation']) => visitPage(parts, random, operation, request)
  const session = await visit('begin')
  if (session === null) return
  const plan = random.pick(plans)
  if (plan === 'abandon') return
  if (plan === 'pay_late') await sleep(random.below(max_late_ms))
  else await sleep(random.below(max_think_ms))
  const { fake } = parts.provider
  if (plan === 'pay_by_debit') fake.payByDebit(session)
  else if (plan !== 'return_unpaid') fake.pay(session)
  if (plan === 'pay_and_leave') return
  await sleep(random.below(max_think_ms))
  await visit('return')
}

async function visitPage(
  parts: ProviderParts,
  random: Random,
  operation: Visit['operation'],
  { id, pay_path }: { id: string; pay_path: string },
): Promise<string | null> {
  const { sender, recorder, provider } = parts
  const server = parts.chooseServer(random)
  if (server === undefined) return null
  const sent_ms = recorder.now()
  const page =
    operation === 'begin'
      ? ({ method: 'POST', path: pay_path, form: { provider: 'stripe' } } as const)
      : ({ method: 'GET', path: `${pay_path}?returned=1` } as const)
  const { status, location } = await sender.visit(server, { token: undefined, ...page })
  const found = /\/c\/pay\/(\w+)$/.exec(location ?? '')?.[1]
  const session = found !== undefined && provider.fake.sessions.has(found) ? found : null
  const done_ms = recorder.now()
  recorder.add({ kind: 'visit', operation, request: id, sent_ms, done_ms, status, session })
  return session
}

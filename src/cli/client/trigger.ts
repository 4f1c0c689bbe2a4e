// florin trigger: triggers an event in a sandbox with the real requests that cause it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FlorinEvent } from '../../../client/src/florin.ts'
import { type EventType, eventTypes } from '../../events/event-types.ts'
import { nearestName } from '../../primitives/text.ts'
import { ApiFailure, UsageError } from '../failures.ts'
import { accent, faint, print, printJson, symbols } from '../terminal.ts'
import { type ApiOptions, withLogin } from './api.ts'
import { requireSandbox } from './sandbox-customer.ts'
import { newestSequence } from './tail.ts'
import { recipes, TriggerContext, type TriggerStep } from './trigger-recipes.ts'

export async function trigger(name: string, options: ApiOptions): Promise<void> {
  const type = requireName(name)
  await withLogin(options, async (florin, api) => {
    await requireSandbox(api)
    const before = isOfNewAccount(type) ? 0 : await newestSequence(florin)
    const context = new TriggerContext(api, florin, (step) => {
      if (!options.json) print(toLine(step))
    })
    await recipes[type](context)
    report(await findEvent(context, type, before), context, options)
  })
}

function report(event: TriggeredEvent, context: TriggerContext, options: ApiOptions): void {
  const { account_id, type } = event
  if (options.json) {
    printJson({ ...event, steps: context.steps })
    return
  }
  print(`${accent(symbols.ok)} ${type} ${'id' in event ? event.id : account_id}\n`)
  if (context.watched) {
    print(
      `  The event belongs to a new account, ${account_id}; florin listen does not receive it.\n`,
    )
  }
}

function requireName(name: string): EventType {
  // A noun alone means that it is created: `florin trigger dispute`.
  const found = eventTypes.find((type) => type === name || type === `${name}.created`)
  if (found !== undefined) return found
  const nearest = nearestName(name, eventTypes)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  const known = eventTypes.map((one) => `  ${one}`).join('\n')
  throw new UsageError(`Unknown event type "${name}".${hint} Event types:\n${known}`)
}

function isOfNewAccount(type: EventType): boolean {
  return (['account.created', 'account.closed', 'transfer.received'] as string[]).includes(type)
}

// The sandbox settles transactions after 30 s by default. All other events are immediate.
const timeout_ms = 75_000

type TriggeredEvent = FlorinEvent | { type: EventType; account_id: string }

async function findEvent(
  context: TriggerContext,
  type: EventType,
  before: number,
): Promise<TriggeredEvent> {
  const until = Date.now() + timeout_ms
  // Closing an account revokes its tokens, so its events cannot be read.
  if (type === 'account.closed') return { type, account_id: context.steps.at(-1)?.id ?? '' }
  const { florin, watched = florin } = context
  while (Date.now() < until) {
    const query = { after: before, type, limit: 1 }
    const { data } = await watched.events.list(query)
    if (data[0] !== undefined) return data[0]
    await sleep(250)
  }
  throw new ApiFailure({
    error: 'event_timeout',
    message: `No ${type} event within ${timeout_ms / 1_000} s. Check that a worker is running.`,
    next: 'florin status',
  })
}

function toLine({ method, path, id }: TriggerStep): string {
  return `  ${faint(method.padEnd(6))} ${path}${id === null ? '' : ` ${faint(id)}`}\n`
}

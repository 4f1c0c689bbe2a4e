// florin trigger: makes an event happen in a sandbox, by doing what causes it.

import { setTimeout as sleep } from 'node:timers/promises'
import { type EventType, eventTypes } from '../events/event-types.ts'
import { nearestName } from '../primitives/nearest-name.ts'
import { type ApiOptions, openLoggedIn } from './api.ts'
import { ApiFailure, UsageError } from './failures.ts'
import { newestSequence, type ShownEvent } from './follow-events.ts'
import { requireSandbox } from './sandbox-customer.ts'
import { accent, faint, print, printJson, symbols } from './terminal.ts'
import { recipes, TriggerContext, type TriggerStep } from './trigger-recipes.ts'

export async function trigger(name: string, options: ApiOptions): Promise<void> {
  const type = requireName(name)
  const { api } = await openLoggedIn(options)
  await requireSandbox(api)
  const before = isOfNewAccount(type) ? 0 : await newestSequence(api)
  const context = new TriggerContext(api, (step) => {
    if (!options.json) print(toLine(step))
  })
  await recipes[type](context)
  const event = await findEvent(context, type, before)
  const { account_id } = event
  if (options.json) return printJson({ ...event, steps: context.steps })
  print(`${accent(symbols.ok)} ${type} ${'id' in event ? event.id : account_id}\n`)
  if (context.watched) {
    print(`  It is of a new account, ${account_id}: florin listen does not see it.\n`)
  }
}

function requireName(name: string): EventType {
  const found = eventTypes.find((type) => type === name)
  if (found !== undefined) return found
  const nearest = nearestName(name, eventTypes)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  const known = eventTypes.map((one) => `  ${one}`).join('\n')
  throw new UsageError(`There is no event "${name}".${hint} Known are:\n${known}`)
}

function isOfNewAccount(type: EventType): boolean {
  return type === 'account.created' || type === 'account.closed'
}

// The sandbox settles after 30 s unless told otherwise; everything else has happened already.
const patience_ms = 75_000

type Happened = ShownEvent | { type: EventType; account_id: string }

async function findEvent(
  context: TriggerContext,
  type: EventType,
  before: number,
): Promise<Happened> {
  const until = Date.now() + patience_ms
  // Closing has ended the account's tokens: nobody here can read its events any more.
  if (type === 'account.closed') return { type, account_id: context.steps.at(-1)?.id ?? '' }
  const path = `/v1/events?after=${before}&type=${type}&limit=1`
  while (Date.now() < until) {
    const { data } = await context.api.request('GET', path, context.watched)
    if (data.length > 0) return data[0]
    await sleep(250)
  }
  throw new ApiFailure({
    error: 'event_did_not_come',
    message: `${type} did not come within ${patience_ms / 1_000} s. Does a worker run?`,
    next: 'florin status',
  })
}

function toLine({ method, path, id }: TriggerStep): string {
  return `  ${faint(method.padEnd(6))} ${path}${id === null ? '' : ` ${faint(id)}`}\n`
}

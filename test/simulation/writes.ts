// Attempts gathered into writes: all requests with one tag are tries of one change.

import type { Attempt, History, Input, Operation } from './history.ts'

export interface Write {
  tag: string
  operation: Operation
  account: string
  target: string | null
  input: Input
  keyed: boolean
  attempts: Attempt[]
  /** The first answer that said yes. */
  acknowledged: Attempt | undefined
  /** Whether a try ended without a word: then it may have happened. */
  in_doubt: boolean
  sent_ms: number
}

export function writesOf({ attempts }: History): Write[] {
  const by_tag = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    if (attempt.tag === null) continue
    const tries = by_tag.get(attempt.tag)
    if (tries) tries.push(attempt)
    else by_tag.set(attempt.tag, [attempt])
  }
  return [...by_tag].map(([tag, tries]) => writeOf(tag, tries))
}

function writeOf(tag: string, attempts: Attempt[]): Write {
  const { operation, account, target, input, keyed } = attempts[0]!
  const said_yes = attempts.filter(({ result }) => result === 'ok')
  return {
    tag,
    operation,
    account,
    target,
    input,
    keyed,
    attempts,
    acknowledged: said_yes.toSorted((one, other) => one.done_ms - other.done_ms)[0],
    in_doubt: attempts.some(({ result }) => result === 'info'),
    sent_ms: Math.min(...attempts.map(({ sent_ms }) => sent_ms)),
  }
}

/** The status that an end asks for. */
export function endOf({
  operation,
  input,
}: Pick<Write, 'operation' | 'input'>): string | undefined {
  switch (operation) {
    case 'cancel':
    case 'cancel_request':
      return 'canceled'
    case 'settle':
    case 'settle_request':
      return input.outcome
    case 'pay':
      return 'succeeded'
    default:
      return undefined
  }
}

/** The answer's JSON; undefined when there is none. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export function bodyOf({ text }: Attempt): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function groupBy<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

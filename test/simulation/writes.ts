// Groups attempts into writes: all requests with one tag are attempts at one change.

import type { Attempt, History, Input, Operation } from './history.ts'

export interface Write {
  tag: string
  operation: Operation
  account: string
  target: string | null
  input: Input
  keyed: boolean
  attempts: Attempt[]
  /** The first successful response. */
  acknowledged: Attempt | undefined
  /** Whether an attempt has an unknown outcome: then the write may have been applied. */
  in_doubt: boolean
  sent_ms: number
}

export function writesOf({ attempts }: History): Write[] {
  const by_tag = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    if (attempt.tag === null) continue
    const group = by_tag.get(attempt.tag)
    if (group) group.push(attempt)
    else by_tag.set(attempt.tag, [attempt])
  }
  return [...by_tag].map(([tag, group]) => writeOf(tag, group))
}

function writeOf(tag: string, attempts: Attempt[]): Write {
  const { operation, account, target, input, keyed } = attempts[0]!
  const successful = attempts.filter(({ result }) => result === 'ok')
  return {
    tag,
    operation,
    account,
    target,
    input,
    keyed,
    attempts,
    acknowledged: successful.toSorted((one, other) => one.done_ms - other.done_ms)[0],
    in_doubt: attempts.some(({ result }) => result === 'info'),
    sent_ms: Math.min(...attempts.map(({ sent_ms }) => sent_ms)),
  }
}

/** The final status that a write requests. */
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

/** The JSON of the response; undefined if there is none. */
// biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
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

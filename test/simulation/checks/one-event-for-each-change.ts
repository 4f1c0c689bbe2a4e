// Events are numbered without gaps, and each change has exactly one event: creation, end, and every
// patch.

import type { Final, FinalEvent, History } from '../history.ts'
import { groupBy } from '../writes.ts'

export function oneEventForEachChange({ final }: History): string[] {
  return [...checkNumbers(final), ...checkObjects(final)]
}

function checkNumbers({ balances, events }: Final): string[] {
  const by_account = groupBy(events, ({ account }) => account)
  return balances.flatMap(({ account, event_sequence }) => {
    const numbers = (by_account.get(account) ?? [])
      .map(({ sequence }) => sequence)
      .sort((one, other) => one - other)
    const gap = numbers.findIndex((number, at) => number !== at + 1)
    if (gap !== -1) return [`event ${gap + 1} of ${account} is missing or duplicated`]
    return numbers.length === event_sequence
      ? []
      : [`${account} counts ${event_sequence} of ${numbers.length} events`]
  })
}

function checkObjects({ transactions, payments, events }: Final): string[] {
  const recorded = groupBy(
    events.filter(({ type }) => /^(transaction|payment)\./.test(type)),
    ({ object }) => object,
  )
  const rows = [
    ...transactions.map((row) => ({ ...row, noun: 'transaction' })),
    ...payments.map((row) => ({ ...row, noun: 'payment' })),
  ]
  const known = new Set(rows.map(({ id }) => id))
  return [
    ...rows.flatMap((row) => {
      const types = typesOf(recorded.get(row.id) ?? [])
      const expected = expectedOf(row)
      return types === expected ? [] : [`${row.id} has events ${types}, expected ${expected}`]
    }),
    ...[...recorded.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `${id} has events but does not exist`),
  ]
}

// Patches may precede or follow the end, so only their number is compared.
function typesOf(events: FinalEvent[]): string {
  const ordered = events.toSorted((one, other) => one.sequence - other.sequence)
  const types = ordered.map(({ type }) => type).filter((type) => !type.endsWith('.updated'))
  return `${types.join(', ')} and ${events.length - types.length} patches`
}

function expectedOf(row: {
  noun: string
  status: string
  metadata: Record<string, unknown>
}): string {
  const created = `${row.noun}.created`
  const lifecycle = row.status === 'pending' ? created : `${created}, ${row.noun}.${row.status}`
  const patches = Object.keys(row.metadata).filter((key) => key.startsWith('patch_')).length
  return `${lifecycle} and ${patches} patches`
}

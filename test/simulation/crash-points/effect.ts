// The effect of requests on the database: which tables changed, and by how many rows. Two requests
// of one kind must have the same effect, whatever happens to the server in between.

import type { DatabaseHash } from '../../support/hash-database.ts'

/** Changed tables, with the number of rows added or removed. */
export type Effect = Record<string, number>

/** Counters have a row per sixteenth of the ids, so whether a row is added is random. */
const random_tables = new Set(['list_counts'])

export function effectOf(before: DatabaseHash, after: DatabaseHash): Effect {
  const changed = Object.keys(after).filter((table) => after[table] !== before[table])
  const tables = changed.filter((table) => !random_tables.has(table))
  const rows = (hash: DatabaseHash, table: string) => Number.parseInt(hash[table] ?? '0', 10)
  return Object.fromEntries(
    tables.map((table) => [table, rows(after, table) - rows(before, table)]),
  )
}

export function sumOf(effects: Effect[]): Effect {
  const sum: Effect = {}
  for (const effect of effects) {
    for (const [table, rows] of Object.entries(effect)) sum[table] = (sum[table] ?? 0) + rows
  }
  return sum
}

// What requests did to the database: how many rows came and went, and which tables changed. Two
// requests of one kind must have the same effect, whatever happened to the server meanwhile.

import type { DatabaseHash } from '../../support/hash-database.ts'

/** Tables that changed, with how many rows more or fewer they have. */
export type Effect = Record<string, number>

/** Counters have a row for each sixteenth of the ids: which one is there already is chance. */
const by_chance = new Set(['list_counts'])

export function effectOf(before: DatabaseHash, after: DatabaseHash): Effect {
  const changed = Object.keys(after).filter((table) => after[table] !== before[table])
  const tables = changed.filter((table) => !by_chance.has(table))
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

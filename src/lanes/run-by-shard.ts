// A batch is one database transaction on one shard. A lane has entries of one shard, unless an
// operator has split the shard since they were queued.

import type { Db } from '../postgres/database.ts'
import { isUnsupported } from '../postgres/failure.ts'
import type { Outcome, RunBatch } from './lane-entry.ts'

/** `run` runs entries of one shard. */
export async function runByShard<Entry extends { account_id: string }, Value>(
  db: Pick<Db, 'shards' | 'rows' | 'row' | 'count'>,
  entries: Entry[],
  run: RunBatch<Entry, Value>,
): Promise<Outcome<Value>[]> {
  const parts = db.shards.split(entries)
  if (parts.length > 1) return runParts(entries, parts, run)
  try {
    return await run(entries)
  } catch (error) {
    if (!isUnsupported(error)) throw error
    // Citus has rejected the lock of accounts on two shards, so nothing was written.
    await db.shards.load(db)
    const new_parts = db.shards.split(entries)
    if (new_parts.length === 1) throw error
    return runParts(entries, new_parts, run)
  }
}

/** An outage fails only the parts it affects: earlier parts are already committed. */
async function runParts<Entry, Value>(
  entries: Entry[],
  parts: Entry[][],
  run: RunBatch<Entry, Value>,
): Promise<Outcome<Value>[]> {
  const outcomes = new Map<Entry, Outcome<Value>>()
  for (const part of parts) {
    const ended = await run(part).catch((error) => part.map((): Outcome<Value> => ({ error })))
    part.forEach((entry, at) => {
      outcomes.set(entry, ended[at]!)
    })
  }
  return entries.map((entry) => outcomes.get(entry)!)
}

// The postings on a statement: those that change the available balance. Postings are append-only
// and numbered without gaps, so a range of sequences always contains the same lines.

import type { Queryable } from '../postgres/database.ts'
import type { CursorSource } from '../primitives/cursor.ts'
import { requireAllPosted } from './find-postings.ts'
import {
  type StatementPosting,
  selectLastSequenceBefore,
  selectLedgerState,
  selectStatementPostings,
} from './queries.ts'

export type { StatementPosting } from './queries.ts'

/** Sequences, inclusive; empty when first is greater than last. */
export interface StatementRange {
  account_id: string
  first: number
  last: number
}

/** Converts an inclusive time range to sequences; undefined when the account has no balance row. */
export async function findStatementRange(
  db: Queryable,
  account_id: string,
  dates: { from?: Date | undefined; to?: Date | undefined },
): Promise<StatementRange | undefined> {
  const end = await selectLedgerState(db, account_id)
  if (end === undefined) return undefined
  requireAllPosted(end)
  const newest = end.posting_sequence
  const first = dates.from ? (await lastBefore(db, account_id, dates.from)) + 1 : 1
  // Times are whole milliseconds, so the last posting at `to` is before the next millisecond.
  const last = dates.to ? await lastBefore(db, account_id, nextMillisecond(dates.to)) : newest
  return { account_id, first, last }
}

async function lastBefore(db: Queryable, account_id: string, at: Date): Promise<number> {
  const sequence = await selectLastSequenceBefore(db, account_id, at)
  if (sequence === undefined) throw new Error(`the postings of ${account_id} have a gap`)
  return sequence
}

function nextMillisecond(at: Date): Date {
  return new Date(at.getTime() + 1)
}

export function statementSource(
  db: Queryable,
  range: StatementRange,
): CursorSource<StatementPosting> {
  return {
    exists: async (sequence) => {
      const only = { before: null, after: null, limit: 1 }
      const at = { account_id: range.account_id, first: Number(sequence), last: Number(sequence) }
      return (await selectStatementPostings(db, { ...at, ...only })).length > 0
    },
    select: (page) => selectStatementPostings(db, { ...range, ...page }),
  }
}

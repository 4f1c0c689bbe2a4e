// GET /v1/account/journal: every posting of a period, oldest first, as a file for accounting tools.
// Like a CSV statement it is read in parts, so a slow reader blocks nothing and a long journal uses
// little memory.

import { findAccounts } from '../accounts/find-accounts.ts'
import type { Caller } from '../identity/caller.ts'
import {
  type BucketBalances,
  findBalancesAfter,
  findPostings,
  sumBefore,
} from '../ledger/journal-postings.ts'
import type { StatementRange } from '../ledger/statement-postings.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { runQueuedExportPart } from '../postgres/search.ts'
import { timeOfUuid } from '../primitives/ids.ts'
import { parseTimestamp, toIso, toLocalIso } from '../primitives/time.ts'
import {
  type JournalEntry,
  type JournalFormat,
  type JournalStart,
  journalWriters,
} from './journal-formats.ts'
import {
  findMoves,
  getRange,
  type Move,
  records_at_once,
  requireActingAccount,
  type StatementFinders,
} from './list-statement.ts'
import { openExport } from './open-exports.ts'

interface JournalQuery {
  from?: string | undefined
  to?: string | undefined
}

/** The first chunk is read before it is yielded, so a refusal is thrown before any text. */
export async function* journal(
  db: Db,
  caller: Caller,
  query: JournalQuery & { format: JournalFormat },
  find: StatementFinders,
): AsyncGenerator<string, void> {
  const account_id = requireActingAccount(caller)
  const end = openExport(account_id)
  try {
    const opened = await runQueuedExportPart(db, account_id, (snapshot) =>
      openJournal(snapshot, caller, query),
    )
    const opening = await sumBefore(opened.range, (read) =>
      runQueuedExportPart(db, account_id, read),
    )
    yield* parts(db, caller, query.format, { ...opened, opening }, find)
  } finally {
    end()
  }
}

interface OpenedJournal extends Omit<JournalStart, 'opening'> {
  range: StatementRange
  timezone: string
  closing: BucketBalances | undefined
}

/** Fixes the range and everything that the account could change while the journal is sent. */
async function openJournal(
  db: Queryable,
  caller: Caller,
  query: JournalQuery,
): Promise<OpenedJournal> {
  const range = await getRange(db, caller, query)
  const closing = await findBalancesAfter(db, range)
  const [account] = await findAccounts(db, [range.account_id])
  const { name: account_name, currency, timezone } = account!
  const from = query.from === undefined ? undefined : parseTimestamp(query.from, 'first')
  const opened_at = timeOfUuid(range.account_id)
  const date = localDate(from !== undefined && from > opened_at ? from : opened_at, timezone)
  return { range, account_name, currency, timezone, date, closing }
}

async function* parts(
  db: Db,
  caller: Caller,
  format: JournalFormat,
  opened: OpenedJournal & JournalStart,
  find: StatementFinders,
): AsyncGenerator<string, void> {
  const { range, closing, timezone } = opened
  const writer = journalWriters[format]
  let { date } = opened
  let { available } = opened.opening
  let text = writer.start(opened)
  for (let first = range.first; first <= range.last; ) {
    const read = await runQueuedExportPart(db, range.account_id, (snapshot) =>
      readEntries(snapshot, caller, { ...range, first }, find),
    )
    if (read.length === 0) throw new Error(`the postings of ${range.account_id} have a gap`)
    for (const { at, ...rest } of read) {
      // Where clocks are set back at midnight, the local date can be earlier than the one before.
      const local = localDate(at, timezone)
      if (local > date) text += writer.dayEnd(date, available, opened)
      if (local > date) date = local
      text += writer.entry({ ...rest, date }, opened)
      available = rest.available_after
    }
    first = read.at(-1)!.sequence + 1
    yield text
    text = ''
  }
  yield text + writer.end({ date, available, balances: closing }, opened)
}

type UndatedEntry = Omit<JournalEntry, 'date'> & { at: Date }

async function readEntries(
  db: Queryable,
  caller: Caller,
  range: StatementRange,
  find: StatementFinders,
): Promise<UndatedEntry[]> {
  const { account_id } = range
  const postings = await findPostings(db, { ...range, limit: records_at_once })
  const moves = await findMoves(db, account_id, postings, find.findOthers)
  const rows = moves.flatMap(({ row }) => row ?? [])
  const customerOf = await find.findCustomers(db, caller, rows)
  return moves.map((move) => entryOf(move, move.row ? customerOf(move.row) : null))
}

function entryOf({ posting, cause }: Move, customer_email: string | null): UndatedEntry {
  const { transaction_id: _, ...rest } = posting
  const { id, type, reference } = cause
  const created_at = toIso(posting.at)
  return { ...rest, created_at, transaction_id: id, type, reference, customer_email }
}

function localDate(at: Date, timezone: string): string {
  return toLocalIso(at, timezone).slice(0, 10)
}

// GET /v1/account/statement: the changes to the available balance, newest first, as pages of JSON
// or as one CSV file of the whole range.

import { findAccounts } from '../accounts/find-accounts.ts'
import { findActingAccount, unknownActingAccount } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import {
  findStatementRange,
  type StatementPosting,
  type StatementRange,
  statementSource,
} from '../ledger/statement-postings.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { runQueuedExportPart, runQueuedSnapshot } from '../postgres/search.ts'
import {
  type CursorPage,
  type CursorQuery,
  pageByCursor,
  resolveCursors,
} from '../primitives/cursor.ts'
import { toTypeId } from '../primitives/ids.ts'
import { parseTimestamp } from '../primitives/time.ts'
import { openExport } from './open-exports.ts'
import { selectTransactions } from './queries.ts'
import {
  type Cause,
  type StatementLine,
  statementHeader,
  statementLine,
  statementRecord,
} from './statement-line.ts'
import type { TransactionRow } from './transaction.ts'

export interface StatementQuery extends CursorQuery {
  from?: string | undefined
  to?: string | undefined
}

/** Reads one snapshot, so no status reflects a posting that is missing from the page. */
export async function listStatement(
  db: Db,
  caller: Caller,
  query: StatementQuery,
  findOthers: FindOtherCauses,
): Promise<CursorPage<StatementLine>> {
  const account_id = requireActingAccount(caller)
  return runQueuedSnapshot(db, account_id, async (snapshot) => {
    const range = await getRange(snapshot, caller, query)
    const page = await pageByCursor(query, 'sequence', statementSource(snapshot, range))
    const moves = await findMoves(snapshot, range.account_id, page.data, findOthers)
    return { ...page, data: moves.map(({ posting, cause }) => statementLine(posting, cause)) }
  })
}

// A few hundred kilobytes: large enough that round trips do not dominate, small enough that many
// slow readers use little memory.
export const records_at_once = 1_000

/**
 * The CSV of the whole range, in chunks. No database transaction is open between two chunks, so a
 * slow reader blocks nothing. The chunks are still consistent: the range is fixed before the first
 * one, and postings never change.
 */
export async function* statementCsv(
  db: Db,
  caller: Caller,
  query: StatementQuery,
  find: StatementFinders,
): AsyncGenerator<string, void> {
  const account_id = requireActingAccount(caller)
  const end = openExport(account_id)
  try {
    const range = await runQueuedExportPart(db, account_id, async (snapshot) => {
      const requested = await getRange(snapshot, caller, query)
      return withinCursors(snapshot, requested, query)
    })
    yield* csvChunks(db, caller, range, find)
  } finally {
    end()
  }
}

async function* csvChunks(
  db: Db,
  caller: Caller,
  range: StatementRange,
  find: StatementFinders,
): AsyncGenerator<string, void> {
  let text = statementHeader
  for (;;) {
    const moves = await runQueuedExportPart(db, range.account_id, async (snapshot) => {
      const found = await readMoves(snapshot, range, records_at_once, find.findOthers)
      text += await recordsOf(snapshot, caller, range.account_id, found, find.findCustomers)
      return found
    })
    yield text
    if (moves.length < records_at_once) return
    range.last = moves.at(-1)!.posting.sequence - 1
    text = ''
  }
}

/** Passed in, because this folder must not import payment requests and payouts. */
export interface StatementFinders {
  findCustomers: FindCustomers
  findOthers: FindOtherCauses
}

/** Finds the causes of postings that no transaction has made, by id. */
export type FindOtherCauses = (
  db: Queryable,
  account_id: string,
  ids: string[],
) => Promise<ReadonlyMap<string, Cause>>

/** Finds the customers of these transactions that the caller may see. */
type FindCustomers = (
  db: Queryable,
  caller: Caller,
  rows: TransactionRow[],
) => Promise<(row: TransactionRow) => string | null>

async function recordsOf(
  db: Queryable,
  caller: Caller,
  account_id: string,
  moves: Move[],
  findCustomers: FindCustomers,
): Promise<string> {
  if (moves.length === 0) return ''
  const rows = moves.flatMap(({ row }) => row ?? [])
  const [[account], customerOf] = await Promise.all([
    findAccounts(db, [account_id]),
    findCustomers(db, caller, rows),
  ])
  const { currency, timezone } = account!
  return moves
    .map(({ posting, cause, row }) => {
      const context = { currency, timezone, customer_email: row ? customerOf(row) : null }
      return statementRecord(statementLine(posting, cause), context)
    })
    .join('')
}

/** The range of postings between two times. */
export async function getRange(
  db: Queryable,
  caller: Caller,
  { from, to }: Pick<StatementQuery, 'from' | 'to'>,
): Promise<StatementRange> {
  const account_id = requireActingAccount(caller)
  const dates = {
    from: from === undefined ? undefined : parseTimestamp(from, 'first'),
    to: to === undefined ? undefined : parseTimestamp(to, 'last'),
  }
  const range = await findStatementRange(db, account_id, dates)
  if (range === undefined) throw unknownActingAccount(caller)
  return range
}

export function requireActingAccount(caller: Caller): string {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return account_id
}

/** A CSV file has no pages: it contains every line beyond the cursor. */
async function withinCursors(
  db: Queryable,
  range: StatementRange,
  query: StatementQuery,
): Promise<StatementRange> {
  const { before, after } = await resolveCursors(query, 'sequence', statementSource(db, range))
  return {
    ...range,
    first: after === null ? range.first : Math.max(range.first, Number(after) + 1),
    last: before === null ? range.last : Math.min(range.last, Number(before) - 1),
  }
}

async function readMoves(
  db: Queryable,
  range: StatementRange,
  limit: number,
  findOthers: FindOtherCauses,
): Promise<Move[]> {
  const postings = await statementSource(db, range).select({ before: null, after: null, limit })
  return findMoves(db, range.account_id, postings, findOthers)
}

export interface Move {
  posting: StatementPosting
  cause: Cause
  /** Undefined if another object than a transaction is the cause. */
  row: TransactionRow | undefined
}

export async function findMoves(
  db: Queryable,
  account_id: string,
  postings: StatementPosting[],
  findOthers: FindOtherCauses,
): Promise<Move[]> {
  const ids = [...new Set(postings.map((posting) => posting.transaction_id))]
  const names = ids.map((id) => ({ account_id, id }))
  const rows = names.length === 0 ? [] : await selectTransactions(db, names)
  const by_id = new Map(rows.map((row) => [row.id, row]))
  const unknown = ids.filter((id) => !by_id.has(id))
  const others = unknown.length === 0 ? no_others : await findOthers(db, account_id, unknown)
  return postings.map((posting) => {
    const row = by_id.get(posting.transaction_id)
    const cause = row ? causeOf(row) : others.get(posting.transaction_id)
    if (cause === undefined) throw new Error(`${posting.transaction_id} has postings but no row`)
    return { posting, cause, row }
  })
}

const no_others: ReadonlyMap<string, Cause> = new Map()

function causeOf({ id, type, status, reference }: TransactionRow): Cause {
  return { id: toTypeId('transaction', id), type, status, reference }
}

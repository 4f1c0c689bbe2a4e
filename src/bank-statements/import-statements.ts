// Imports a bank statement. The file is read completely before anything is stored, so a hostile or
// truncated file changes nothing. Then all statements and entries are stored in one database
// transaction; the worker matches them afterwards. Ids and times are real: the bank does not know
// the sandbox clock.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import {
  type BankStatement,
  balanceError,
  collectStatements,
} from '../bank/statements/check-balances.ts'
import type { Bytes } from '../bank/statements/file-text.ts'
import { readStatementFile } from '../bank/statements/read-statement-file.ts'
import { joinTexts } from '../bank/statements/read-values.ts'
import {
  type BankEntry,
  type BankTransaction,
  bareTransaction,
} from '../bank/statements/statement.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import type { Db, Tx } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { newRealTimeUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import type { EntryRow } from './bank-entry.ts'
import { presentStatement, type StatementRow } from './bank-statement.ts'
import { findColumnMap } from './column-maps.ts'
import {
  ignoreUndecided,
  insertEntries,
  insertStatements,
  lockBankAccounts,
  type StoredPart,
  selectStatementsByDigest,
  selectStoredParts,
  updateNewCounts,
} from './queries.ts'

interface ImportInput {
  file: Bytes
  /** The name of a saved column map, for CSV. */
  column_map: string | undefined
}

/** Importing a file again changes nothing, and returns the statements that are stored. */
export async function importStatements(
  db: Db,
  caller: Caller,
  { file, column_map }: ImportInput,
): Promise<CursorPage<ReturnType<typeof presentStatement>>> {
  const map = column_map === undefined ? undefined : await findColumnMap(db, column_map)
  const statements = distinct(await collectStatements(readStatementFile(file, map)))
  requireBalances(statements)
  return changeOnce(db, caller.idempotency, async (tx) => {
    await requireLiveToken(tx, caller)
    const rows = await store(tx, caller, statements)
    const by_digest = new Map(
      (await selectStatementsByDigest(tx, rows)).map((row) => [keyOf(row), row]),
    )
    const data = [...new Set(rows.map(keyOf))].map((key) => presentStatement(by_digest.get(key)!))
    return { object: 'list', data, has_more: false }
  })
}

/** Files that were joined can contain a statement twice. Its entries are not counted twice. */
function distinct(statements: BankStatement[]): BankStatement[] {
  const known = new Map<string | BankStatement, BankStatement>()
  for (const statement of statements) {
    const { entries, ...head } = statement
    const fingerprints = entries.map(({ fingerprint }) => fingerprint)
    // Without an id or a balance, two statements of a day can look the same.
    const is_unique = head.id === null && head.closing === null
    const key = is_unique ? statement : JSON.stringify([head, fingerprints])
    if (!known.has(key)) known.set(key, statement)
  }
  return [...known.values()]
}

// A year of daily statements of five accounts.
const statements_max = 2_000

function requireBalances(statements: BankStatement[]): void {
  if (statements.length > statements_max) {
    throw new Refusal(
      'invalid_request',
      `The file must have at most ${statements_max} statements; got ${statements.length}. Export ` +
        'a shorter period, and upload several files.',
    )
  }
  const error = statements.map(balanceError).find((one) => one !== undefined)
  if (error !== undefined) throw new Refusal('invalid_request', error)
}

function keyOf({ bank_account, digest }: StatementRow): string {
  return `${bank_account} ${digest.toString('hex')}`
}

// Rows per statement. Fifty thousand rows in one would be 50 MB of parameters.
const chunk_length = 1_000

async function store(tx: Tx, caller: Caller, statements: BankStatement[]): Promise<StatementRow[]> {
  const read = statements.map((statement) => ({ statement, row: statementRow(statement) }))
  const rows = read.map(({ row }) => row)
  await lockBankAccounts(
    tx,
    rows.map(({ bank_account }) => bank_account),
  )
  const inserted = new Set(await insertStatements(tx, rows))
  const fresh = read.filter(({ row }) => inserted.has(row.id))
  if (fresh.length === 0) return rows
  const counts = new Map(fresh.map(({ row }) => [row.id, 0]))
  const entries = fresh.flatMap(({ statement, row }) => entryRows(row, statement))
  for (const chunk of chunksOf(await withoutStored(tx, entries))) {
    for (const { statement_id } of await insertEntries(tx, chunk)) {
      counts.set(statement_id, counts.get(statement_id)! + 1)
    }
  }
  await updateNewCounts(
    tx,
    [...counts].map(([id, new_count]) => ({ id, new_count })),
  )
  for (const { row } of fresh) {
    const { id: object_id, bank_account, format, entry_count } = row
    const details = { bank_account, format, entry_count, new_count: counts.get(object_id)! }
    const entry = { action: 'bank_statement.imported', object_id, details } as const
    await recordAuditEntry(tx, actorOf(caller), entry)
  }
  return rows
}

type NewEntry = EntryRow & { next_at: Date | null }

/**
 * The entries that no earlier statement had, with all of their parts. If a bank first reports a
 * collective entry as a whole and then its transfers, these replace it unless it was decided. The
 * bank account is locked, so no other import stores parts of the same entries.
 */
async function withoutStored(tx: Tx, entries: NewEntry[]): Promise<NewEntry[]> {
  const parts_of = Map.groupBy(entries, entryKey)
  const stored: StoredPart[] = []
  for (const chunk of chunksOf([...parts_of.values()].map(([first]) => first!))) {
    // Not push(...): an entry can have more parts than a call has room for as arguments.
    for (const part of await selectStoredParts(tx, chunk)) stored.push(part)
  }
  for (const [key, [only, another]] of Map.groupBy(stored, entryKey)) {
    const { length } = parts_of.get(key)!
    const is_replaced =
      another === undefined &&
      only!.part === 0 &&
      length > 1 &&
      (await ignoreUndecided(tx, only!.id, `Replaced by its ${length} transfers.`))
    if (!is_replaced) parts_of.delete(key)
  }
  return [...parts_of.values()].flat()
}

function entryKey({ bank_account, fingerprint, occurrence }: StoredPart): string {
  return `${bank_account} ${fingerprint} ${occurrence}`
}

function chunksOf<Row>(rows: Row[]): Row[][] {
  const count = Math.ceil(rows.length / chunk_length)
  return Array.from({ length: count }, (_, at) =>
    rows.slice(at * chunk_length, (at + 1) * chunk_length),
  )
}

function statementRow(statement: BankStatement): StatementRow {
  const { account, format, opening, closing, entries } = statement
  const booked = entries.filter(({ is_booked }) => is_booked)
  return {
    id: newRealTimeUuid(Date.now()),
    bank_account: clean(account.iban ?? account.number, number_max)!,
    digest: digestOf(statement),
    format,
    bank_id: clean(statement.id, text_max),
    sequence: clean(statement.sequence, text_max),
    currency: statement.currency,
    opening_amount: opening?.amount ?? null,
    opening_on: opening?.on ?? null,
    closing_amount: closing?.amount ?? null,
    closing_on: closing?.on ?? null,
    entry_count: booked.reduce((sum, entry) => sum + partsOf(entry).length, 0),
    new_count: 0,
    pending_count: entries.length - booked.length,
  }
}

function digestOf({ entries, ...head }: BankStatement): Buffer {
  const keys = entries.map((entry) => {
    const { fingerprint, occurrence } = entry
    // The bank may export the statement again with the transfers of collective entries.
    return [fingerprint, occurrence, partsOf(entry).length]
  })
  return sha256(JSON.stringify([head, keys]))
}

/** Entries that the bank has not booked are left out: the money has not moved. */
function entryRows(
  { id: statement_id, bank_account }: StatementRow,
  { entries }: BankStatement,
): NewEntry[] {
  return entries
    .filter(({ is_booked }) => is_booked)
    .flatMap((entry) =>
      partsOf(entry).map((transaction, at, { length }) => ({
        id: newRealTimeUuid(Date.now()),
        statement_id,
        bank_account,
        part: length === 1 ? 0 : at + 1,
        ...factsOf(entry, transaction),
        // Banks report notices as entries without an amount.
        status: transaction.amount === 0 ? ('ignored' as const) : ('new' as const),
        next_at: transaction.amount === 0 ? null : new Date(),
        ...undecided,
        updated_at: new Date(),
      })),
    )
}

/** The transactions of an entry. If they do not add up, the entry as a whole. */
function partsOf(entry: BankEntry): BankTransaction[] {
  const { transactions, is_complete, amount, currency, direction } = entry
  if (is_complete) return transactions
  const [first, second] = transactions
  // One transfer minus a fee. Its payer must never get back more than it has sent.
  const is_only = second === undefined && first !== undefined && first.amount >= amount
  if (is_only && first.direction === direction) return [{ ...first, amount, currency, direction }]
  return [withoutPayer(entry)]
}

/** A refund to the payer of one transfer could be the money of another one. */
function withoutPayer(entry: BankEntry): BankTransaction {
  const { transactions } = entry
  const texts = transactions.flatMap(({ counterparty_name, creditor_reference, remittance }) => [
    ...[counterparty_name, creditor_reference, remittance],
  ])
  const orders = new Set(transactions.map(({ payment_information_id }) => payment_information_id))
  const [order = null, another] = orders
  return {
    ...bareTransaction(entry),
    payment_information_id: another === undefined ? order : null,
    remittance: joinTexts(texts),
  }
}

function factsOf(entry: BankEntry, transaction: BankTransaction) {
  const { fingerprint, occurrence, is_reversal, is_complete, booked_on, value_on } = entry
  const { amount, currency, direction } = transaction
  const account = transaction.counterparty_iban ?? transaction.counterparty_number
  const text = (value: string | null) => clean(value, text_max)
  return {
    fingerprint,
    occurrence,
    is_reversal,
    is_complete,
    booked_on,
    value_on,
    amount,
    currency,
    direction,
    bank_reference: text(entry.bank_reference),
    description: text(entry.description),
    end_to_end_id: text(transaction.end_to_end_id),
    payment_information_id: text(transaction.payment_information_id),
    creditor_reference: text(transaction.creditor_reference),
    counterparty_name: text(transaction.counterparty_name),
    counterparty_account: text(account),
    remittance: clean(transaction.remittance, remittance_max),
    return_reason: text(transaction.return_reason),
  }
}

const undecided = {
  reason: null,
  proposals: '[]',
  account_id: null,
  payment_id: null,
  accepts: null,
  late: null,
  note: null,
  target: null,
  settles: null,
}

const number_max = 100
const text_max = 255
// Four lines of 35 characters in most formats, and 140 per transaction in SEPA.
const remittance_max = 2_000

/** Without control characters, which no column stores, and within a length. */
function clean(text: string | null, length_max: number): string | null {
  if (text === null) return null
  const plain = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return plain.slice(0, length_max).toWellFormed()
}

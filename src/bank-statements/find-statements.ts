// Lists of imported statements and of their entries.

import { findIban } from '../bank/iban.ts'
import { entryIdOf } from '../payments/transfer-command.ts'
import type { Queryable } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, nil_uuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import {
  type EntryRow,
  type EntryStatus,
  presentEntry,
  readEntryId,
  unknownEntry,
} from './bank-entry.ts'
import { presentStatement } from './bank-statement.ts'
import { selectEntries, selectEntryPage, selectStatementPage, selectStatements } from './queries.ts'

type Statement = ReturnType<typeof presentStatement>
type Entry = ReturnType<typeof presentEntry>

export async function listStatements(
  db: Queryable,
  query: CursorQuery,
): Promise<CursorPage<Statement>> {
  const page = await pageByCursor(query, 'bank_statement', {
    exists: async (id) => (await selectStatements(db, [id])).length > 0,
    select: (range) => selectStatementPage(db, range),
  })
  return { ...page, data: page.data.map(presentStatement) }
}

export async function getStatement(db: Queryable, statement_id: string): Promise<Statement> {
  const id = findUuid('bank_statement', statement_id)
  const [row] = id === undefined ? [] : await selectStatements(db, [id])
  if (row !== undefined) return presentStatement(row)
  throw new Refusal('not_found', 'No bank statement with this id exists.')
}

interface EntryListQuery extends CursorQuery {
  status?: EntryStatus | undefined
  statement_id?: string | undefined
  payment_id?: string | undefined
}

export async function listEntries(
  db: Queryable,
  query: EntryListQuery,
): Promise<CursorPage<Entry>> {
  const filter = {
    status: query.status,
    // An unknown or malformed id matches no entry.
    statement_id: readId('bank_statement', query.statement_id),
    payment_id: readId('payment', query.payment_id),
  }
  const page = await pageByCursor<EntryRow>(query, 'bank_entry', {
    exists: async (id) => (await selectEntries(db, [id])).length > 0,
    select: (range) => selectEntryPage(db, filter, range),
  })
  return { ...page, data: page.data.map(presentEntry) }
}

function readId(kind: 'bank_statement' | 'payment', text: string | undefined): string | undefined {
  return text === undefined ? undefined : (findUuid(kind, text) ?? nil_uuid)
}

/** The bank accounts of the payers, by the id of the charge; unknown ones are left out. */
export async function findPayers(
  db: Queryable,
  charge_ids: string[],
): Promise<ReadonlyMap<string, { name: string; iban: string }>> {
  const id_of = new Map(charge_ids.map((id) => [id, findUuid('bank_entry', entryIdOf(id))]))
  const rows = await selectEntries(
    db,
    [...new Set(id_of.values())].filter((id) => id != null),
  )
  const payer_of = new Map(
    rows.flatMap(({ id, counterparty_name: name, counterparty_account }) => {
      const iban = findIban(counterparty_account ?? '')
      return name === null || iban === undefined ? [] : [[id, { name, iban }] as const]
    }),
  )
  return new Map(
    charge_ids.flatMap((charge_id) => {
      const payer = payer_of.get(id_of.get(charge_id) ?? nil_uuid)
      return payer === undefined ? [] : [[charge_id, payer] as const]
    }),
  )
}

export async function getEntry(db: Queryable, entry_id: string): Promise<Entry> {
  const row = await findEntryById(db, readEntryId(entry_id))
  if (row === undefined) throw unknownEntry()
  return presentEntry(row)
}

export async function findEntryById(db: Queryable, id: string): Promise<EntryRow | undefined> {
  return (await selectEntries(db, [id]))[0]
}

import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { mentions, type ReplacedTable, replaced } from '../postgres/replace-text.ts'
import { nothing, sql } from '../postgres/sql.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { DocumentRow, DocumentType } from './document.ts'

const columns = sql`account_id, number, id, type, payment_id, transaction_id, receipt_number,
      amount, currency, customer_email, reference, issued_at, facts`

// The account lock makes this safe: no other transaction can insert a document of the account.
export async function selectNextNumber(tx: Tx, account_id: string): Promise<number> {
  const row = await tx.row<{ number: number }>(sql`
    select coalesce(max(number), 0) + 1 as number
    from documents
    where account_id = ${account_id}`)
  return row!.number
}

export async function insertDocument(tx: Tx, row: DocumentRow): Promise<void> {
  await tx.count(sql`
    insert into documents (${columns})
    values (${row.account_id}, ${row.number}, ${row.id}, ${row.type}, ${row.payment_id},
      ${row.transaction_id}, ${row.receipt_number}, ${row.amount}, ${row.currency},
      ${row.customer_email}, ${row.reference}, ${row.issued_at}, ${row.facts})`)
}

export async function selectDocumentOf(
  db: Queryable,
  account_id: string,
  transaction_id: string,
): Promise<DocumentRow | undefined> {
  return db.row(sql`
    select ${columns}
    from documents
    where account_id = ${account_id} and transaction_id = ${transaction_id}`)
}

export async function selectDocument(
  db: Queryable,
  { account_id, id }: RowKey,
): Promise<DocumentRow | undefined> {
  return db.row(sql`
    select ${columns}
    from documents
    where account_id = ${account_id} and id = ${id}`)
}

/** In the order of the numbers. The cursors are ids of documents that exist. */
export async function selectDocumentPage(
  db: Queryable,
  account_id: string,
  type: DocumentType | undefined,
  { before, after, limit }: CursorRange,
): Promise<DocumentRow[]> {
  const numberOf = (id: string) => sql`(
        select number
        from documents
        where account_id = ${account_id} and id = ${id})`
  return db.rows(sql`
    select ${columns}
    from documents
    where account_id = ${account_id}
      ${type === undefined ? nothing : sql`and type = ${type}`}
      ${before === null ? nothing : sql`and number < ${numberOf(before)}`}
      ${after === null ? nothing : sql`and number > ${numberOf(after)}`}
    order by number ${after === null ? sql`desc` : nothing}
    limit ${limit}`)
}

/** Erasing a customer replaces the address, and nothing else of a document. */
export const erased_documents: ReplacedTable = {
  table: sql`documents`,
  account: sql`account_id`,
  key: sql`number`,
  key_type: sql`bigint`,
  first: '0',
  change: (replacement) => sql`customer_email = ${replaced(sql`customer_email`, replacement)},
      reference = ${replaced(sql`reference`, replacement)}`,
  where: (replacement) => sql`${mentions(sql`customer_email`, replacement)}
      or ${mentions(sql`reference`, replacement)}`,
}

interface NumberFacts {
  account_id: string
  documents: number
  last_number: number
}

export function selectNumberFacts(db: Queryable, range: AccountRange): Promise<NumberFacts[]> {
  return db.rows(sql`
    select account_id, count(*) as documents, max(number) as last_number
    from documents
    where account_id > ${range.after} and account_id <= ${range.through}
    group by account_id`)
}

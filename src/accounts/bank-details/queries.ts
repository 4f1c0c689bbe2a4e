import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { BankDetailsRow } from './bank-details.ts'

export async function selectBankDetails(
  db: Queryable,
  account_ids: string[],
): Promise<BankDetailsRow[]> {
  const rows = await db.rows<Omit<BankDetailsRow, 'fields'> & { fields: string }>(sql`
    select account_id, name, iban, bic, fields, updated_at
    from bank_details
    where account_id = any(${account_ids}::uuid[])`)
  return rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) }))
}

export async function upsertBankDetails(tx: Tx, row: BankDetailsRow): Promise<void> {
  await tx.count(sql`
    insert into bank_details (account_id, name, iban, bic, fields, updated_at)
    values (${row.account_id}, ${row.name}, ${row.iban}, ${row.bic},
      ${JSON.stringify(row.fields)}, ${row.updated_at})
    on conflict (account_id) do update
    set name = excluded.name, iban = excluded.iban, bic = excluded.bic, fields = excluded.fields,
      updated_at = excluded.updated_at`)
}

export async function deleteBankDetails(tx: Tx, account_id: string): Promise<void> {
  await tx.count(sql`
    delete from bank_details
    where account_id = ${account_id}`)
}

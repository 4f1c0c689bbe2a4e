// Text search over the newest rows of one account, read by primary key. No index serves it: an
// index on references or amounts would cost every new row (docs/decisions/0013).

import { nil_uuid, type UuidEnd } from '../primitives/ids.ts'
import type { Queryable } from './database.ts'
import { ofAccount } from './page-clause.ts'
import { type Sql, sql } from './sql.ts'

/** What a row is compared with; a row matches if any of these does. */
export interface TextQuery {
  /** In lower case; part of an email or a reference. */
  text: string | undefined
  /** In minor units. */
  amount: number | undefined
  /** The last characters of an id. */
  id_end: UuidEnd | undefined
}

/** A table whose primary key starts with account_id and id. */
interface SearchedTable {
  table: Sql
  columns: Sql
  /** The columns that `text` may be part of. */
  texts: Sql[]
  has_amount: boolean
}

export interface SearchedRows<Row> {
  rows: Row[]
  /** The oldest row that was compared; undefined if all were. */
  from_id: string | undefined
}

// Ten thousand rows take about 20 ms.
const searched_max = 10_000
const found_max = 10

export async function searchNewest<Row>(
  db: Queryable,
  searched: SearchedTable,
  account_id: string,
  query: TextQuery,
): Promise<SearchedRows<Row>> {
  const matches = matchClause(searched, query)
  if (matches === undefined) return { rows: [], from_id: undefined }
  const oldest = await db.row<{ id: string }>(sql`
    select id
    from ${searched.table}
    where ${ofAccount(account_id)}
    order by account_id desc, id desc
    offset ${searched_max - 1} limit 1`)
  const rows = await db.rows<Row>(sql`
    select ${searched.columns}
    from ${searched.table}
    where ${ofAccount(account_id)}
      and (account_id, id) >= (${account_id}, ${oldest?.id ?? nil_uuid})
      and (${matches})
    order by account_id desc, id desc
    limit ${found_max}`)
  return { rows, from_id: oldest?.id }
}

function matchClause({ texts, has_amount }: SearchedTable, query: TextQuery): Sql | undefined {
  const { text, amount, id_end } = query
  const conditions = [
    ...(text === undefined ? [] : texts.map((one) => sql`strpos(lower(${one}), ${text}) > 0`)),
    ...(amount === undefined || !has_amount ? [] : [sql`amount = ${amount}`]),
    ...(id_end === undefined ? [] : [idEnds(id_end)]),
  ]
  if (conditions.length === 0) return undefined
  return conditions.reduce((all, one) => sql`${all} or ${one}`, sql`false`)
}

/** Compares up to forty bits: ten hexadecimal digits, or eight characters of an id. */
function idEnds({ value, mask }: UuidEnd): Sql {
  const bits = sql`('x' || right(id::text, 10))::bit(40)::bigint`
  return sql`${bits} & ${mask}::bigint = ${value}::bigint`
}

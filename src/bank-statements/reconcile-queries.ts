import type { OutgoingEntry } from '../payouts/settle-outgoing.ts'
import type { Queryable } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'

/** An entry that settles something other than a payment request. A debit is negative. */
export interface SettledEntry {
  id: string
  /** The id of what it has settled, with its prefix; null while it is settling. */
  settles: string | null
  amount: number
  currency: string
  /** It has settled since a time: what it has settled may have been read before. */
  is_recent: boolean
}

const signed = sql`case direction when 'credit' then amount else -amount end`

/** The clock that `updated_at` has. */
export async function selectNow(db: Queryable): Promise<Date> {
  const found = await db.row<{ now: Date }>(sql`select now() as now`)
  return found!.now
}

/** After this id, in id order. `bank_entries_settling_others` has the same condition. */
export async function selectSettledEntries(
  db: Queryable,
  { after_id, since, limit }: { after_id: string; since: Date; limit: number },
): Promise<SettledEntry[]> {
  return db.rows(sql`
    select id, settles, ${signed} as amount, currency, updated_at >= ${since} as is_recent
    from bank_entries
    where payment_id is null and status in ('settling', 'settled')
      and id > ${after_id}
    order by id
    limit ${limit}`)
}

export async function existStatements(db: Queryable): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from bank_statements
    limit 1`)
  return found !== undefined
}

/** The days that imported statements cover. */
export interface StatementCoverage {
  currency: string
  /** YYYY-MM-DD. */
  from_day: string
  until_day: string
}

export async function selectCoverage(db: Queryable): Promise<StatementCoverage[]> {
  return db.rows(sql`
    select currency, min(from_day) as from_day, max(until_day) as until_day
    from (
      select currency, booked_on as from_day, booked_on as until_day
      from bank_entries
      union all
      select currency, coalesce(opening_on, closing_on), closing_on
      from bank_statements) as days
    where currency is not null and from_day is not null and until_day is not null
    group by currency`)
}

/** The sums of entries that wait for a decision. A debit is negative. */
export async function selectOpenSums(
  db: Queryable,
): Promise<{ currency: string; amount: number }[]> {
  return db.rows(sql`
    select currency, sum(${signed})::bigint as amount
    from bank_entries
    where status in ('new', 'open')
    group by currency
    order by currency`)
}

/** An entry that waits for a decision. */
export type OpenEntry = OutgoingEntry & { signed: number }

/** After this id, in id order. */
export async function selectOpenEntries(
  db: Queryable,
  { after_id, limit }: { after_id: string; limit: number },
): Promise<OpenEntry[]> {
  return db.rows(sql`
    select id, direction, amount, ${signed} as signed, currency, is_reversal, return_reason,
      end_to_end_id, payment_information_id, remittance, target
    from bank_entries
    where status = 'open' and id > ${after_id}
    order by id
    limit ${limit}`)
}

export interface WantedAmount {
  /** Negative for a debit. */
  amount: number
  currency: string
}

const wanted = sqlRows('amount bigint, currency text')

/** The ids of open entries with one of these amounts, oldest first. */
export async function selectOpenEntryIds(
  db: Queryable,
  amounts: WantedAmount[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id
    from bank_entries
    where status = 'open'
      and (${signed}, currency) in (select it.amount, it.currency from ${wanted.from(amounts)})
    order by id`)
  return rows.map(({ id }) => id)
}

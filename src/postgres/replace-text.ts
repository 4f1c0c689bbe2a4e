// Replaces an email address wherever it is part of a stored text, in slices.

import type { Db, Queryable } from './database.ts'
import { type Sql, sql } from './sql.ts'

export interface AddressReplacement {
  account_id: string
  /** The canonical address, for columns that contain an address and nothing else. */
  email: string
  /** A regular expression of PostgreSQL. */
  pattern: string
  to: string
}

/**
 * Matches the address in any case, plain or percent-encoded, and its beginning where a text was
 * truncated. Does not match inside a longer address such as joann@example.com.au.
 */
export function addressPattern(email: string): string {
  const forms = [...new Set([email, encodeURIComponent(email)])]
  const whole = forms.map(escaped).join('|')
  const beginnings = forms.map(beginningOf).join('|')
  return `(?<![a-z0-9._+-])(?:(?:${whole})(?![a-z0-9-]|\\.[a-z0-9])|(?:${beginnings})$)`
}

/**
 * From the @ on: a shorter beginning would match the end of unrelated texts. Nested, a(b(c)?)?, and
 * not a|ab|abc: PostgreSQL rejects the latter as too complex for a long address.
 */
function beginningOf(form: string): string {
  const least = form.search(/@|%40/) + 1
  const rest = [...form.slice(least, -1)]
  const optional = rest.reduceRight((after, sign) => `(?:${escaped(sign)}${after})?`, '')
  return escaped(form.slice(0, least)) + optional
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9@_%-]/g, '\\$&')
}

export function mentions(text: Sql, { pattern }: AddressReplacement): Sql {
  return sql`${text} ~* ${pattern}`
}

/** The text with every mention replaced. */
export function replaced(text: Sql, { pattern, to }: AddressReplacement): Sql {
  return sql`regexp_replace(${text}, ${pattern}, ${to}, 'gi')`
}

/** JSON without the messages of payment requests, which are written to the person. */
export function withoutMessages(json: Sql): Sql {
  return sql`regexp_replace(${json}, '"message":"(?:[^"\\\\]|\\\\.)*"', '"message":null', 'g')`
}

/**
 * For functions such as convert_from(), which Citus rejects in an UPDATE because they depend on
 * settings: the value is read first. Only for rows that are not changed otherwise.
 */
interface ComputedColumn {
  column: Sql
  /** Of the type bytea. */
  value: Sql
}

/** A table of an account's rows, with an order in which it is read. */
export interface ReplacedTable {
  table: Sql
  /** The column with the account. */
  account: Sql
  /** The column after it in the primary key, and its type. */
  key: Sql
  key_type: Sql
  /** Before every value of the key. */
  first: string
  /** The change of a row with a mention: a `set` clause, or a column and its new value. */
  change: (replacement: AddressReplacement) => Sql | ComputedColumn
  /** Which rows mention the address. */
  where: (replacement: AddressReplacement) => Sql
  /** Fewer rows per slice, for long texts. */
  slice_rows?: number
}

// A slice takes some ten milliseconds.
const default_slice_rows = 2_000

/** Each slice is a short statement. Returns the last key, for rows that were added since. */
export async function replaceInSlices(
  db: Db | Queryable,
  one: ReplacedTable,
  replacement: AddressReplacement,
  after = one.first,
): Promise<string> {
  const { table, account, key, key_type, slice_rows = default_slice_rows } = one
  for (let from = after; ; ) {
    const last = await db.row<{ key: string }>(sql`
      select max(key)::text as key
      from (
        select ${key}::text as key
        from ${table}
        where ${account} = ${replacement.account_id} and ${key} > ${from}::text::${key_type}
        order by ${key}
        offset ${slice_rows - 1} limit 1) as found`)
    const through = last?.key ?? null
    const bound = through === null ? sql`true` : sql`${key} <= ${through}::text::${key_type}`
    const slice = sql`${account} = ${replacement.account_id}
      and ${key} > ${from}::text::${key_type} and ${bound} and (${one.where(replacement)})`
    const change = one.change(replacement)
    if ('column' in change) await replaceComputed(db, one, change, slice, replacement)
    else
      await db.count(sql`
      update ${table}
      set ${change}
      where ${slice}`)
    if (through === null) return from
    from = through
  }
}

// The hash shows that the row is still the one that was read: a key can be deleted and used again.
async function replaceComputed(
  db: Queryable,
  { table, account, key, key_type }: ReplacedTable,
  { column, value }: ComputedColumn,
  slice: Sql,
  { account_id }: AddressReplacement,
): Promise<void> {
  const found = await db.rows<{ key: unknown; hash: Buffer; value: Buffer }>(sql`
    select ${key} as key, sha256(${column}) as hash, ${value} as value
    from ${table}
    where ${slice}`)
  if (found.length === 0) return
  const keys = found.map((row) => row.key)
  await db.count(sql`
    update ${table}
    set ${column} = it.value
    from unnest(${keys}::${key_type}[], ${found.map(({ hash }) => hash)}::bytea[],
      ${found.map((row) => row.value)}::bytea[]) as it (key, hash, value)
    where ${account} = ${account_id} and ${key} = it.key and sha256(${column}) = it.hash`)
}

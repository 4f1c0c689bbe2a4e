// A set of rows as part of a prepared statement. Each column is one text parameter, and times are
// milliseconds; a single row has one parameter per value. Measured in µs per event, for one event
// and in batches of 32 and 1,000: 44, 10 and 9.5; with a JavaScript array per column 60, 10.5 and
// 10.2; with json_to_recordset 58, 15 and 13.6. Plain `values` take 42 for one event.

import type { Shards } from './shards.ts'
import { FixedFragment, type Sql, sql } from './sql.ts'

interface ValueOf {
  uuid: string
  text: string
  bigint: number
  integer: number
  smallint: number
  boolean: boolean
  timestamptz: Date
  bytea: Buffer
}

type Trim<Text> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trim<Rest> : Text

type Field<Column> = Column extends `${infer Name} ${infer Type extends keyof ValueOf}`
  ? { [Key in Name]: ValueOf[Type] | null }
  : never

/** The fields that a row must have: `{ id: string | null }` for `id uuid`. */
type RowOf<Columns> = Columns extends `${infer First},${infer Rest}`
  ? Field<Trim<First>> & RowOf<Rest>
  : Field<Trim<Columns>>

/**
 * `columns` are names and types, such as `id uuid, at timestamptz`. In a batch, the rows usually
 * have the same values in the columns of `usually_equal`: if all rows do, each is sent once.
 */
export function sqlRows<Columns extends string>(
  columns: Columns,
  usually_equal: readonly (keyof RowOf<Columns> & string)[] = [],
) {
  type Row = RowOf<Columns>
  const different = columns.split(',').map((column) => column.trim().split(' ') as Column)
  const equal = different.map(
    ([name, type]): Column => [name, type, usually_equal.some((one) => one === name)],
  )
  const all = [fragments<Row>(different), fragments<Row>(equal)] as const
  const choose = (rows: readonly Row[]) => all[areEqual(rows, usually_equal) ? 1 : 0]
  return {
    /** `insert into users ${newUsers.insert(users)}`: the column list and the rows. */
    insert: (rows: readonly Row[]) => choose(rows).insert(rows),
    /**
     * Like `insert`, for rows of accounts, which must have a balance. On Citus, rows of one shard
     * are written as one task on its node (docs/decisions/0049-one-sql-text-for-citus.md).
     */
    insertByAccount: (rows: readonly (Row & AccountRow)[], tx: AccountWriter) => {
      requireBalances(tx, rows)
      return choose(rows).insertByAccount(rows, tx)
    },
    /**
     * Outside of a transaction. On Citus, rows of accounts without a balance are not inserted: the
     * caller must compare the count.
     */
    insertByAccountUnchecked: (rows: readonly (Row & AccountRow)[], db: { shards: Shards }) =>
      choose(rows).insertByAccount(rows, db),
    /** Rows of accounts, called `it`, for an INSERT that computes some of its columns. */
    fromAccounts: (rows: readonly (Row & AccountRow)[], tx: AccountWriter) => {
      requireBalances(tx, rows)
      return choose(rows).fromAccounts(rows, tx)
    },
    /** `from ${changes.from(rows)}`: the rows, called `it`. */
    from: (rows: readonly Row[]) => choose(rows).from(rows),
  }
}

function fragments<Row>(columns: Column[]) {
  const names = columns.map(([name]) => `"${name}"`).join(', ')
  const insert = (from: string) => `(${names}) select ${names} from ${from}`
  return {
    insert: fragment<Row>(columns, insert),
    insertByAccount: insertByAccount<Row & AccountRow>(columns, insert),
    fromAccounts: fromAccounts<Row & AccountRow>(columns),
    from: fragment<Row>(columns, (from) => from),
  }
}

interface AccountRow {
  account_id: string
}

/** A database transaction. */
interface AccountWriter {
  shards: Shards
  known_balances: Set<string>
  send(statement: Sql): void
}

// The join with balances would drop the rows of an account without one. Nearly all transactions
// have locked the balances, so this statement is rarely sent. Its error, before COMMIT, comes from
// the cast of a text that is not a number.
function requireBalances(tx: AccountWriter, rows: readonly AccountRow[]): void {
  if (!tx.shards.is_distributed) return
  const unknown = accountsOf(rows).filter((account_id) => !tx.known_balances.has(account_id))
  if (unknown.length === 0) return
  tx.send(sql`
    select case when count(*) = ${unknown.length}::bigint then 0
      else ('accounts with a balance: ' || count(*) || ' of ' || ${unknown.length}::bigint)::integer
    end as checked
    from balances
    where account_id = any(${unknown}::uuid[])`)
  for (const account_id of unknown) tx.known_balances.add(account_id)
}

/** The distinct accounts of rows, for `account_id = any(${accountsOf(rows)}::uuid[])`. */
export function accountsOf(rows: readonly AccountRow[]): string[] {
  return [...new Set(rows.map(({ account_id }) => account_id))]
}

function areEqual(rows: readonly unknown[], names: readonly string[]): boolean {
  const [first, ...others] = rows as readonly Record<string, unknown>[]
  return names.every((name) => {
    const value = comparable(first![name])
    return value !== undefined && others.every((row) => comparable(row[name]) === value)
  })
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value
}

// Control characters, which validation rejects in every stored text; JSON escapes them.
const separator = '\u001f'
const null_mark = '\u001e'

type Column = [name: string, type: string, is_equal?: boolean]

function fragment<Row>(columns: Column[], complete: (from: string) => string) {
  const one = complete(oneRow(columns))
  const many = complete(manyRows(columns))
  return (rows: readonly Row[]): Sql =>
    new FixedFragment(rows.length === 1 ? one : many, valuesOf(columns, rows))
}

function insertByAccount<Row extends AccountRow>(
  columns: Column[],
  insert: (from: string) => string,
) {
  const names = columns.map(([name]) => `"${name}"`)
  const values = columns.map(([, type], at) => `$${at + 1}::${type}`)
  const one = `(${names.join(', ')}) values (${values.join(', ')})`
  return accountFragment<Row>(columns, {
    one,
    many: insert(manyRows(columns)),
    one_sharded: one,
    many_sharded: insert(manyOfAccounts(columns)),
  })
}

function fromAccounts<Row extends AccountRow>(columns: Column[]) {
  return accountFragment<Row>(columns, {
    one: oneRow(columns),
    many: manyRows(columns),
    one_sharded: oneOfAccount(columns),
    many_sharded: manyOfAccounts(columns),
  })
}

/** `many_sharded` has one more parameter: the accounts. */
type Texts = Record<'one' | 'many' | 'one_sharded' | 'many_sharded', string>

function accountFragment<Row extends AccountRow>(columns: Column[], texts: Texts) {
  return (rows: readonly Row[], { shards }: { shards: Shards }): Sql => {
    const values = valuesOf(columns, rows)
    const { is_distributed } = shards
    if (rows.length === 1) {
      return new FixedFragment(is_distributed ? texts.one_sharded : texts.one, values)
    }
    if (!is_distributed) return new FixedFragment(texts.many, values)
    return new FixedFragment(texts.many_sharded, [...values, accountsOf(rows)])
  }
}

// The key comes from the joined table. A key from the parameters would make Citus copy the rows
// through the coordinator, with two-phase commit. On a plain PostgreSQL, the join would cost 2 to
// 4 µs per row of a batch.
function manyOfAccounts(columns: Column[]): string {
  const read = columns.map(([name]) => `${name === 'account_id' ? 'balances' : 'it'}."${name}"`)
  return `(select ${read.join(', ')} from ${manyRows(columns)}
    join balances on balances.account_id = it.account_id
    where balances.account_id = any($${columns.length + 1}::uuid[])) as it`
}

function oneOfAccount(columns: Column[]): string {
  const key = columns.findIndex(([name]) => name === 'account_id') + 1
  const read = columns.map(([name, type], at) =>
    name === 'account_id' ? 'balances.account_id' : `$${at + 1}::${type} as "${name}"`,
  )
  return `(select ${read.join(', ')} from balances
    where balances.account_id = $${key}::uuid) as it`
}

function valuesOf(columns: Column[], rows: readonly unknown[]): unknown[] {
  const records = rows as readonly Record<string, unknown>[]
  const is_one = records.length === 1
  return columns.map(([name, type, is_equal]) =>
    is_one || is_equal ? records[0]![name] : columnText(records, name, type),
  )
}
// A set of one would cost PostgreSQL twice as much.
function oneRow(columns: Column[]): string {
  const values = columns.map(([name, type], at) => `$${at + 1}::${type} as "${name}"`)
  return `(select ${values.join(', ')}) as it`
}

function manyRows(columns: Column[]): string {
  const arrays: string[] = []
  const names: string[] = []
  const read = columns.map(([name, type, is_equal], at) => {
    if (is_equal) return `$${at + 1}::${type} as "${name}"`
    const array_type = type === 'timestamptz' ? 'bigint' : type
    arrays.push(`string_to_array($${at + 1}, E'\\x1f', E'\\x1e')::${array_type}[]`)
    names.push(`"${name}"`)
    // The precision makes it exact: the fraction is rounded in distant years. Citus accepts only
    // immutable functions in an UPDATE, so no interval can be added.
    return type === 'timestamptz'
      ? `to_timestamp("${name}"::float8 / 1000)::timestamptz(3) as "${name}"`
      : `"${name}"`
  })
  const rows = `unnest(${arrays.join(', ')}) as it (${names.join(', ')})`
  return `(select ${read.join(', ')} from ${rows}) as it`
}

function columnText(rows: readonly Record<string, unknown>[], name: string, type: string): string {
  const textOf = type === 'text' ? freeText : valueText
  let text = ''
  for (let at = 0; at < rows.length; at++) {
    const value = rows[at]![name]
    if (at > 0) text += separator
    text += value === null ? null_mark : textOf(value)
  }
  return text
}

function valueText(value: unknown): string {
  if (value instanceof Date) return String(value.getTime())
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value === undefined) throw new Error('a row has no value for a column')
  return String(value)
}

function freeText(value: unknown): string {
  const text = valueText(value)
  // A separator inside a value would shift all later values into the wrong row.
  if (text.includes(separator) || text === null_mark) {
    throw new Error('a column value contains the separator character')
  }
  return text
}

/** The keys of rows to read, called `it`. */
export function rowKeys(keys: readonly { account_id: string; id: string }[]): Sql {
  const values = [keys.map(({ account_id }) => account_id), keys.map(({ id }) => id)]
  return new FixedFragment('unnest($1::uuid[], $2::uuid[]) as it (account_id, id)', values)
}

// A set of rows as part of a prepared statement. Each column is one text parameter, and times are
// milliseconds; a single row has one parameter per value. Measured in µs per event, for one event
// and in batches of 32 and 1,000: 44, 10 and 9.5; with a JavaScript array per column 60, 10.5 and
// 10.2; with json_to_recordset 58, 15 and 13.6. Plain `values` take 42 for one event.

import { FixedFragment, type Sql } from './sql.ts'

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

/** `columns` are names and types, such as `id uuid, at timestamptz`. */
export function sqlRows<Columns extends string>(columns: Columns) {
  const parsed = columns.split(',').map((column) => column.trim().split(' ') as Column)
  const names = parsed.map(([name]) => `"${name}"`).join(', ')
  const insertInto = (from: string) => `(${names}) select ${names} from ${from}`
  return {
    /** `insert into events ${newEvents.insert(events)}`: the column list and the rows. */
    insert: fragment<RowOf<Columns>>(parsed, insertInto),
    /** `from ${changes.from(rows)}`: the rows, called `it`. */
    from: fragment<RowOf<Columns>>(parsed, (from) => from),
  }
}

// Control characters, which validation rejects in every stored text; JSON escapes them.
const separator = '\u001f'
const null_mark = '\u001e'

type Column = [name: string, type: string]

function fragment<Row>(columns: Column[], complete: (from: string) => string) {
  const one = complete(oneRow(columns))
  const many = complete(manyRows(columns))
  return (rows: readonly Row[]): Sql => {
    const records = rows as readonly Record<string, unknown>[]
    const is_one = records.length === 1
    const values = columns.map(([name]) => (is_one ? records[0]![name] : columnText(records, name)))
    return new FixedFragment(is_one ? one : many, values)
  }
}

// A set of one would cost PostgreSQL twice as much.
function oneRow(columns: Column[]): string {
  const values = columns.map(([name, type], at) => `$${at + 1}::${type} as "${name}"`)
  return `(select ${values.join(', ')}) as it`
}

function manyRows(columns: Column[]): string {
  const arrays = columns.map(([, type], at) => {
    const array_type = type === 'timestamptz' ? 'bigint' : type
    return `string_to_array($${at + 1}, E'\\x1f', E'\\x1e')::${array_type}[]`
  })
  const names = columns.map(([name]) => `"${name}"`)
  // Exact, unlike to_timestamp of a fraction, which rounds times after the year 2242.
  const read = columns.map(([name, type]) =>
    type === 'timestamptz'
      ? `to_timestamp("${name}" / 1000) + "${name}" % 1000 * interval '1 millisecond' as "${name}"`
      : `"${name}"`,
  )
  const rows = `unnest(${arrays.join(', ')}) as it (${names.join(', ')})`
  return `(select ${read.join(', ')} from ${rows}) as it`
}

function columnText(rows: readonly Record<string, unknown>[], name: string): string {
  let text = ''
  for (let at = 0; at < rows.length; at++) {
    if (at > 0) text += separator
    text += valueText(rows[at]![name])
  }
  return text
}

function valueText(value: unknown): string {
  if (value === null) return null_mark
  if (value instanceof Date) return String(value.getTime())
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value === undefined) throw new Error('a row has no value for a column')
  const text = String(value)
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

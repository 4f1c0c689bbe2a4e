// How the columns of a bank's CSV export are read. An operator saves one map per bank.

import { isCurrency } from '../../primitives/currencies.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { quote } from '../../primitives/text.ts'
import type { Encoding } from './text-line.ts'

/** The name in the header, or the number of the column, from 1. */
export type Column = string | number

export interface ColumnMap {
  /** IBAN or number of the account, which most exports do not contain. */
  account: string
  currency: string
  delimiter: ',' | ';' | '\t' | '|'
  decimal_sign: ',' | '.'
  /** YYYY or YY, MM and DD in any order, with the signs between them: DD.MM.YYYY. */
  date_format: string
  /** `auto`: UTF-8 or Windows-1252. A byte-order mark takes precedence. */
  encoding: Encoding | 'auto'
  /** Lines before the header or, if all columns are numbers, before the first entry. */
  skipped_lines: number
  columns: {
    booked_on: Column
    value_on?: Column
    /** With a sign, or with `direction`. Alternatively `credit` and `debit`. */
    amount?: Column
    credit?: Column
    debit?: Column
    direction?: { column: Column; credit: string; debit: string }
    currency?: Column
    counterparty_name?: Column
    counterparty_account?: Column
    /** Joined in this order. */
    remittance?: Column[]
    bank_reference?: Column
    end_to_end_id?: Column
    description?: Column
  }
}

/** Throws if the map contradicts itself. The schema of the API has checked the types. */
export function requireColumnMap(map: ColumnMap): void {
  const { columns } = map
  if (!isCurrency(map.currency)) {
    fail('currency', 'must be a code of ISO 4217, such as EUR', map.currency)
  }
  if (map.account.trim() === '') fail('account', 'must not be empty', map.account)
  if (map.delimiter === map.decimal_sign) {
    fail('decimal_sign', 'must differ from "delimiter"', map.decimal_sign)
  }
  dateShape(map.date_format)
  const pair = columns.credit !== undefined && columns.debit !== undefined
  const half = (columns.credit === undefined) !== (columns.debit === undefined)
  if (half || pair === (columns.amount !== undefined)) {
    const given = Object.keys(columns).join(', ')
    fail('columns', 'must have either "amount", or both "credit" and "debit"', given)
  }
  for (const column of columnsOf(map)) {
    const is_valid = typeof column === 'string' ? column.trim() !== '' : column >= 1
    if (!is_valid) fail('columns', 'must be names, or numbers from 1', String(column))
  }
}

function fail(field: string, rule: string, received: string): never {
  const message = `"column_map.${field}" ${rule}; got ${quote(received)}. Correct the column map.`
  throw new Refusal('invalid_request', message)
}

/** Every column that the map names. */
export function columnsOf({ columns }: ColumnMap): Column[] {
  const { direction, remittance = [], ...others } = columns
  const named = Object.values(others) as (Column | undefined)[]
  return [...named, direction?.column, ...remittance].filter((column) => column !== undefined)
}

/** A pattern for dates, with the groups year, month and day. A time may follow. */
export function dateShape(date_format: string): RegExp {
  const parts = date_format.match(/YYYY|YY|MM|M|DD|D|[^YMD]+/g) ?? []
  const names = parts.map((part) => part[0]).filter((first) => /[YMD]/.test(first!))
  if (names.toSorted().join('') !== 'DMY' || parts.join('') !== date_format) {
    fail('date_format', 'must have YYYY or YY, MM and DD once, such as DD.MM.YYYY', date_format)
  }
  return new RegExp(`^${parts.map(datePart).join('')}(?:[T ].*)?$`)
}

function datePart(part: string): string {
  if (part === 'YYYY') return '(?<year>[0-9]{4})'
  if (part === 'YY') return '(?<year>[0-9]{2})'
  if (part.startsWith('M')) return '(?<month>[0-9]{1,2})'
  if (part.startsWith('D')) return '(?<day>[0-9]{1,2})'
  return part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

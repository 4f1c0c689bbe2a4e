// A column map as it is typed into the form: text, with all columns of all kinds of amounts.

import type { Column, ColumnMap } from '../../../../../src/bank/statements/column-map.ts'

/** Labels of the columns that any map can have. */
export const other_columns = {
  value_on: 'Value date',
  counterparty_name: 'Name of the payer or payee',
  counterparty_account: 'Account of the payer or payee',
  bank_reference: 'Reference of the bank',
  end_to_end_id: 'End-to-end ID',
  description: 'Kind of entry',
  currency: 'Currency of the entry',
} as const

/** How a file distinguishes credits from debits. */
export const amount_kinds = {
  signed: 'One column, with a sign',
  marked: 'One column, and one for credit or debit',
  pair: 'A column of credits and one of debits',
} as const

export const delimiters = {
  ';': 'Semicolon',
  ',': 'Comma',
  '\t': 'Tab',
  '|': 'Vertical bar',
} as const satisfies Record<ColumnMap['delimiter'], string>

export const decimal_signs = { ',': 'Comma: 1.234,56', '.': 'Point: 1,234.56' } as const

export const encodings = {
  auto: 'Automatic',
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'iso-8859-15': 'ISO 8859-15',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
} as const satisfies Record<ColumnMap['encoding'], string>

export type ColumnName =
  | keyof typeof other_columns
  | 'booked_on'
  | 'amount'
  | 'credit'
  | 'debit'
  | 'direction'

export interface TypedMap extends Pick<ColumnMap, 'delimiter' | 'decimal_sign' | 'encoding'> {
  name: string
  account: string
  currency: string
  date_format: string
  skipped_lines: string
  amount_kind: keyof typeof amount_kinds
  /** The texts in the column `direction`. */
  credit_text: string
  debit_text: string
  columns: Record<ColumnName, string>
  /** One column per line. */
  remittance: string
}

const no_columns: Record<ColumnName, string> = {
  booked_on: '',
  amount: '',
  credit: '',
  debit: '',
  direction: '',
  value_on: '',
  counterparty_name: '',
  counterparty_account: '',
  bank_reference: '',
  end_to_end_id: '',
  description: '',
  currency: '',
}

export const blank_map: TypedMap = {
  name: '',
  account: '',
  currency: 'EUR',
  delimiter: ';',
  decimal_sign: ',',
  date_format: 'DD.MM.YYYY',
  encoding: 'auto',
  skipped_lines: '0',
  amount_kind: 'signed',
  credit_text: '',
  debit_text: '',
  columns: no_columns,
  remittance: '',
}

/** The form of a saved map. */
export function typedOf(name: string, { columns, skipped_lines, ...map }: ColumnMap): TypedMap {
  const { direction, remittance = [], ...plain } = columns
  const typed = Object.entries(plain).map(([key, column]) => [key, String(column)])
  return {
    ...map,
    name,
    skipped_lines: String(skipped_lines),
    amount_kind: direction ? 'marked' : columns.amount === undefined ? 'pair' : 'signed',
    credit_text: direction?.credit ?? '',
    debit_text: direction?.debit ?? '',
    columns: {
      ...no_columns,
      ...Object.fromEntries(typed),
      direction: direction === undefined ? '' : String(direction.column),
    },
    remittance: remittance.join('\n'),
  }
}

/** Whether everything that a map needs is typed. */
export function isComplete({ amount_kind, columns, ...typed }: TypedMap): boolean {
  const { credit_text, debit_text } = typed
  const needed = {
    signed: [columns.amount],
    marked: [columns.amount, columns.direction, credit_text, debit_text],
    pair: [columns.credit, columns.debit],
  }[amount_kind]
  return [columns.booked_on, ...needed].every((text) => text.trim() !== '')
}

/** Without the columns of other kinds of amounts. */
export function mapOf(typed: TypedMap): ColumnMap {
  const { account, currency, delimiter, decimal_sign, date_format, encoding } = typed
  const { amount_kind, columns } = typed
  const { booked_on, amount, credit, debit, direction, ...others } = columns
  const texts = { credit: typed.credit_text.trim(), debit: typed.debit_text.trim() }
  const of_amount = {
    signed: { amount: columnOf(amount) },
    marked: {
      amount: columnOf(amount),
      direction: { column: columnOf(direction), ...texts },
    },
    pair: { credit: columnOf(credit), debit: columnOf(debit) },
  }[amount_kind]
  const remittance = typed.remittance.split('\n').filter((line) => line.trim() !== '')
  const named = Object.entries(others).filter(([, text]) => text.trim() !== '')
  return {
    account: account.trim(),
    currency: currency.trim().toUpperCase(),
    delimiter,
    decimal_sign,
    date_format: date_format.trim(),
    encoding,
    skipped_lines: Number(typed.skipped_lines),
    columns: {
      booked_on: columnOf(booked_on),
      ...of_amount,
      ...Object.fromEntries(named.map(([key, text]) => [key, columnOf(text)])),
      ...(remittance.length === 0 ? {} : { remittance: remittance.map(columnOf) }),
    },
  }
}

/** A number is the position of the column. */
function columnOf(text: string): Column {
  const name = text.trim()
  return /^[0-9]{1,4}$/.test(name) ? Number(name) : name
}

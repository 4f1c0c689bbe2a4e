// Reads the start of a CSV file in the browser, with the functions that the server imports it with.

import type { ColumnMap } from '../../../../../src/bank/statements/column-map.ts'
import { readRecords } from '../../../../../src/bank/statements/csv-records.ts'
import { readCsv } from '../../../../../src/bank/statements/read-csv.ts'
import type { Line } from '../../../../../src/bank/statements/text-line.ts'
import { reasonOf } from '../../parts/reason-of.ts'

const bytes_max = 64 * 1024

/** The first lines of a file. */
export async function readStart(file: File): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.slice(0, bytes_max).arrayBuffer())
  const end = bytes.lastIndexOf(10) + 1
  return file.size > bytes_max && end > 0 ? bytes.subarray(0, end) : bytes
}

/** A byte-order mark takes precedence, as on the server. */
export function decodeStart(bytes: Uint8Array, encoding: ColumnMap['encoding']): string {
  const mark = [...bytes.subarray(0, 2)].join()
  const marked = mark === '255,254' ? 'utf-16le' : mark === '254,255' ? 'utf-16be' : undefined
  if (marked !== undefined || encoding !== 'auto') {
    return new TextDecoder(marked ?? encoding).decode(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Commas are also in amounts and texts, so they are the last guess. */
export function guessDelimiter(text: string): ColumnMap['delimiter'] {
  const lines = text.split('\n').slice(0, 50)
  const guesses = [';', '\t', '|'] as const
  return guesses.find((sign) => lines.some((line) => line.split(sign).length > 2)) ?? ','
}

const records_max = 50
const shown_max = 3

export interface CsvStart {
  header: string[]
  rows: string[][]
}

/** The header is the first row with the most columns: what is above it has fewer. */
export async function readTable(text: string, map: ColumnMap): Promise<CsvStart> {
  const records: string[][] = []
  try {
    for await (const { fields } of readRecords(linesOf(text, map.skipped_lines), map.delimiter)) {
      if (fields.every((field) => field === '')) continue
      if (records.push(fields) === records_max) break
    }
  } catch {
    // What comes before the mistake is shown.
  }
  const widest = Math.max(0, ...records.map(({ length }) => length))
  const at = records.findIndex(({ length }) => length === widest)
  return { header: records[at] ?? [], rows: records.slice(at + 1, at + 1 + shown_max) }
}

export interface ReadEntry {
  line: number
  booked_on: string | null
  /** Negative for a debit. */
  amount: number
  currency: string
  name: string | null
  remittance: string | null
}

/** The first entries, or why the server would reject the file. */
export async function readEntries(text: string, map: ColumnMap): Promise<ReadEntry[] | string> {
  const entries: ReadEntry[] = []
  try {
    // The account is not in the file, and may still be missing in the form.
    for await (const part of readCsv(linesOf(text), { ...map, account: map.account || '-' })) {
      if (part.kind !== 'entry') continue
      const { line, booked_on, currency, direction, transactions } = part
      const amount = direction === 'credit' ? part.amount : -part.amount
      const { counterparty_name: name, remittance } = transactions[0]!
      entries.push({ line, booked_on, amount, currency, name, remittance })
      if (entries.length === shown_max) break
    }
    return entries
  } catch (error) {
    return reasonOf(error)
  }
}

async function* linesOf(text: string, skipped = 0): AsyncGenerator<Line> {
  const lines = text.split(/\r*\n/)
  for (const [at, line] of lines.entries()) if (at >= skipped) yield { text: line, line: at + 1 }
}

// Converts the records of a CSV file to transactions. The whole file is checked before anything is
// sent.

import { isCurrency } from '../../primitives/currencies.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { codePointLength, isPlainText, nearestName, quote } from '../../primitives/text.ts'
import { type Metadata, metadataText } from '../../transactions/metadata.ts'
import { UsageError } from '../failures.ts'
import { type CsvRecord, readCsv } from './csv.ts'

export interface ImportedLine {
  line: number
  transaction: Record<string, unknown>
}

const required = ['amount', 'currency', 'type']
const known = [...required, 'reference']
const metadata_prefix = 'metadata.'

export function readTransactions(text: string): ImportedLine[] {
  const [header, ...records] = readCsv(text)
  if (header === undefined) throw new UsageError(`The file is empty. ${expected}`)
  const columns = readColumns(header)
  const faults: string[] = []
  const lines = records.flatMap((record) => {
    try {
      return [readLine(record, columns)]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error.message)
      return []
    }
  })
  if (faults.length > 0) throw invalidLines(faults)
  return lines
}

const faults_shown = 10

function invalidLines(faults: string[]): UsageError {
  const left = faults.length - faults_shown
  const more = left > 0 ? [`${left} more lines are invalid.`] : []
  const sentences = [...faults.slice(0, faults_shown), ...more, 'Nothing was sent.']
  return new UsageError(sentences.join(faults.length === 1 ? ' ' : '\n'))
}

const expected =
  'The first line names the columns: amount (in minor units), currency, type, and optionally ' +
  'reference and metadata.<key>.'

function readColumns({ fields }: CsvRecord): string[] {
  const columns = fields.map((name) => name.trim())
  requireCommas(columns)
  const nameless = columns.indexOf('')
  if (nameless !== -1) throw new UsageError(`Column ${nameless + 1} has no name. ${expected}`)
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`The column ${quote(twice)} appears twice.`)
  const unknown = columns.find((name) => !known.includes(name) && !isMetadata(name))
  if (unknown !== undefined) throw unknownColumn(unknown)
  const missing = required.find((name) => !columns.includes(name))
  if (missing === undefined) return columns
  throw new UsageError(`The column ${quote(missing)} is missing. ${expected}`)
}

// Where the comma is the decimal separator, spreadsheets write semicolons.
function requireCommas([first = '', ...others]: string[]): void {
  const separator = others.length === 0 ? /[;\t|]/.exec(first)?.[0] : undefined
  if (separator === undefined) return
  throw new UsageError(`Columns must be separated by commas; got ${quote(separator)}. ${expected}`)
}

function unknownColumn(name: string): UsageError {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? expected : `Did you mean ${nearest}?`
  return new UsageError(`${quote(name)} is not a column of transactions. ${hint}`)
}

function isMetadata(name: string): boolean {
  return name.startsWith(metadata_prefix) && name.length > metadata_prefix.length
}

function readLine({ line, fields }: CsvRecord, columns: string[]): ImportedLine {
  if (fields.length !== columns.length) {
    throw new UsageError(
      `Line ${line} must have ${columns.length} fields, as the first line; got ${fields.length}.`,
    )
  }
  const cells = columns.map((name, at) => [name, fields[at]!] as const)
  const value = Object.fromEntries(cells.filter(([name]) => !isMetadata(name)))
  // An empty cell is a key that the transaction does not have.
  const metadata = cells.filter(([name, text]) => isMetadata(name) && text !== '')
  const transaction = {
    amount: readAmount(line, value.amount!),
    currency: readCurrency(line, value.currency!),
    type: readType(line, value.type!),
    ...(value.reference && { reference: readReference(line, value.reference) }),
    ...(metadata.length > 0 && { metadata: readMetadata(line, metadata) }),
  }
  return { line, transaction }
}

const reference_max = 255

function readReference(line: number, text: string): string {
  const length = codePointLength(text)
  if (length > reference_max) {
    const rule = `"reference" must have at most ${reference_max} characters`
    throw new UsageError(`Line ${line}: ${rule}; got ${length}.`)
  }
  if (isPlainText(text)) return text
  throw invalid(line, '"reference" must be one line without control characters', text)
}

function readMetadata(line: number, cells: (readonly [string, string])[]): Metadata {
  const entries = cells.map(([name, text]) => [name.slice(metadata_prefix.length), text])
  const metadata: Metadata = Object.fromEntries(entries)
  try {
    metadataText(metadata)
    return metadata
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new UsageError(`Line ${line}: ${error.message}`)
  }
}

function readCurrency(line: number, text: string): string {
  if (isCurrency(text)) return text
  throw invalid(line, '"currency" must be an ISO 4217 code such as USD', text)
}

function readType(line: number, text: string): string {
  if (['payment', 'credit', 'refund'].includes(text)) return text
  throw invalid(line, '"type" must be payment, credit or refund', text)
}

// Never converted from a decimal: "75.00" may be 7500 or, in another currency, 75000.
function readAmount(line: number, text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text)
  throw invalid(line, '"amount" must be a whole number of minor units, such as 7500', text)
}

function invalid(line: number, rule: string, text: string): UsageError {
  return new UsageError(`Line ${line}: ${rule}; got ${quote(text)}.`)
}

// Reads a bank statement of any format that Florin knows.

import { sha256 } from '../../primitives/secrets.ts'
import { quote } from '../../primitives/text.ts'
import { BankFileError, missing } from './bank-file-error.ts'
import type { ColumnMap } from './column-map.ts'
import { type Bytes, decodeFile, encodingOfMark, peek, readLines, sliceFile } from './file-text.ts'
import { readCamt } from './read-camt.ts'
import { readCsv } from './read-csv.ts'
import { readMt940 } from './read-mt940.ts'
import { readOfx } from './read-ofx.ts'
import type { StatementAccount, StatementPart } from './statement.ts'
import type { DraftEntry, DraftPart } from './statement-builder.ts'
import type { Encoding, Line } from './text-line.ts'

// The format is recognized by what the file starts with.
const head_bytes = 4_096

/**
 * The parts of all statements in the file. Throws BankFileError; then the parts before it must be
 * discarded, because the file may be truncated. A column map is needed for CSV only.
 */
export async function* readStatementFile(
  bytes: Bytes,
  column_map?: ColumnMap,
): AsyncGenerator<StatementPart> {
  const file = sliceFile(bytes)
  try {
    const { head, slices } = await peek(file, head_bytes)
    yield* identify(chooseReader(head, slices, column_map))
  } finally {
    // Also if the format is unknown and no reader has started: this ends the upload.
    await file.return(undefined)
  }
}

function chooseReader(
  head: Buffer,
  slices: AsyncGenerator<Buffer>,
  column_map: ColumnMap | undefined,
): AsyncGenerator<DraftPart> {
  const mark = encodingOfMark(head)
  const text = new TextDecoder(mark ?? 'windows-1252').decode(head)
  const lines = () => readLines(slices, mark ?? 'auto')
  if (/^\s*OFXHEADER\s*:/.test(text)) return readOfx(joinLines(lines()), 'sgml')
  if (/^\s*<OFX>/i.test(text)) return readOfx(joinLines(lines()), 'sgml')
  if (/^\s*</.test(text)) {
    const texts = decodeFile(slices, mark ?? encodingOfXml(text))
    return /<\?OFX\s/.test(text) || /<OFX>/.test(text) ? readOfx(texts, 'xml') : readCamt(texts)
  }
  if (/(^|[\r\n}]):20:/.test(text)) return readMt940(lines())
  if (column_map === undefined || isBinary(head, mark)) throw unknownFormat(text)
  return readCsv(readLines(slices, mark ?? column_map.encoding), column_map)
}

async function* joinLines(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  for await (const { text } of lines) yield `${text}\n`
}

const xmlEncodings: ReadonlyMap<string, Encoding> = new Map([
  ['utf-8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
])

function encodingOfXml(head: string): Encoding {
  const [, name = 'utf-8'] = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(head) ?? []
  const encoding = xmlEncodings.get(name.toLowerCase())
  if (encoding !== undefined) return encoding
  const known = [...xmlEncodings.keys()].join(', ')
  const problem = `the encoding must be one of ${known}; got ${quote(name)}`
  const advice = 'UTF-16 needs a byte-order mark. Export the statement as UTF-8.'
  throw new BankFileError('encoding', { line: 1 }, problem, advice)
}

function isBinary(head: Buffer, mark: Encoding | undefined): boolean {
  return mark === undefined && head.includes(0)
}

function unknownFormat(text: string): BankFileError {
  const is_archive = text.startsWith('PK')
  const problem = 'the file must be camt.053, camt.054, MT940, OFX or, with a column map, CSV'
  const advice = is_archive
    ? 'It is a ZIP archive or a spreadsheet: unpack it, or export CSV.'
    : 'Choose one of these formats in the online banking. For CSV, save a column map first.'
  const received = quote(text.slice(0, 40))
  return new BankFileError(
    'unsupported_format',
    { line: 1 },
    `${problem}; it starts with ${received}`,
    advice,
  )
}

// All entries are in memory until they are stored. Banks use at least a hundred bytes for one.
const entries_max = 100_000

/** Adds to each entry what identifies it, and requires a statement. */
async function* identify(parts: AsyncIterable<DraftPart>): AsyncGenerator<StatementPart> {
  const occurrences = new Map<string, number>()
  let account: StatementAccount | undefined
  let count = 0
  for await (const part of parts) {
    if (part.kind === 'start') account = part.account
    if (part.kind !== 'entry') {
      yield part
      continue
    }
    count += part.transactions.length
    if (count > entries_max) throw tooManyEntries(part.line)
    const fingerprint = fingerprintOf(account!, part)
    const occurrence = (occurrences.get(fingerprint) ?? 0) + 1
    occurrences.set(fingerprint, occurrence)
    yield { ...part, fingerprint, occurrence }
  }
  if (account === undefined) throw missing({ line: 1 }, 'a statement')
}

function tooManyEntries(line: number): BankFileError {
  const problem = `the file must have at most ${entries_max} entries`
  const advice = 'Export a shorter period, and upload several files.'
  return new BankFileError('too_large', { line }, problem, advice)
}

/**
 * With a bank reference, the details are left out: they differ between formats. Date and amount are
 * always included, because some banks use a reference for an entry and its fee, or use it again.
 */
function fingerprintOf(account: StatementAccount, entry: DraftEntry): string {
  const { amount, currency, direction, booked_on, is_booked, bank_reference } = entry
  const owner = account.iban ?? account.number ?? ''
  const money = [owner, booked_on, direction, amount, currency, is_booked]
  const details = bank_reference === null ? detailsOf(entry) : ['reference', bank_reference]
  return sha256(JSON.stringify([...money, ...details])).toString('base64url')
}

function detailsOf({ value_on, transactions }: DraftEntry) {
  const texts = transactions.flatMap((one) => [
    one.end_to_end_id,
    one.creditor_reference,
    one.counterparty_name,
    one.counterparty_iban ?? one.counterparty_number,
    one.remittance,
  ])
  return ['details', value_on, ...texts]
}

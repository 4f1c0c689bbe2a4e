// OFX, used by banks in North America and Australia: SGML in version 1, where values have no end
// tags, and XML in version 2.

import { type BankFilePosition, invalid, malformed, missing } from './bank-file-error.ts'
import {
  joinTexts,
  readAccount,
  readAmount,
  readCurrency,
  readDay,
  readReference,
} from './read-values.ts'
import { type XmlEvent, XmlReader } from './read-xml.ts'
import { MarkupScanner, type MarkupToken } from './scan-markup.ts'
import { type BankBalance, bareTransaction } from './statement.ts'
import {
  type DraftEntry,
  type DraftPart,
  StatementBuilder,
  splitSign,
} from './statement-builder.ts'

export async function* readOfx(
  texts: AsyncIterable<string>,
  syntax: 'sgml' | 'xml',
): AsyncGenerator<DraftPart> {
  const reader = syntax === 'xml' ? new XmlReader() : new SgmlReader()
  const file = new OfxFile()
  for await (const text of texts) yield* takeAll(file, reader.push(text))
  yield* takeAll(file, reader.end())
  file.end()
}

function* takeAll(file: OfxFile, events: Iterable<OfxEvent>): Generator<DraftPart> {
  for (const event of events) yield* file.take(event)
}

type OfxEvent = XmlEvent | { kind: 'open'; name: string; line: number }

/** Tags and texts of version 1. A header of `NAME:VALUE` lines stands before <OFX>. */
class SgmlReader {
  readonly #scanner = new MarkupScanner()
  #has_root = false;

  *push(text: string): Generator<OfxEvent> {
    for (const token of this.#scanner.push(text)) yield* this.#read(token)
  }

  *end(): Generator<OfxEvent> {
    for (const token of this.#scanner.end()) yield* this.#read(token)
  }

  *#read({ kind, text, line }: MarkupToken): Generator<OfxEvent> {
    if (kind === 'text' || kind === 'cdata') {
      if (this.#has_root) yield { kind: 'text', text: kind === 'text' ? decode(text) : text, line }
      return
    }
    const [, slash, name] = /^(\/?)([A-Za-z0-9._]+)\s*$/.exec(text) ?? []
    if (name === undefined) throw malformed({ line }, `<${text.slice(0, 40)}> is not a tag of OFX`)
    this.#has_root = true
    yield { kind: slash === '' ? 'open' : 'close', name: name.toUpperCase(), line } as OfxEvent
  }
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', nbsp: ' ' }

/** Many banks do not escape `&`, so what is not an entity stays as it is. */
function decode(text: string): string {
  return text.replace(/&(lt|gt|amp|nbsp);/g, (_, name: string) => entities[name]!)
}

// Elements with children. All others have a value, or are not needed.
const aggregates = new Set(
  `OFX STMTRS CCSTMTRS BANKACCTFROM CCACCTFROM BANKTRANLIST STMTTRN PAYEE BANKACCTTO CCACCTTO
   LEDGERBAL AVAILBAL CURRENCY ORIGCURRENCY BALLIST SONRS STMTTRNRS CCSTMTTRNRS STATUS`.split(
    /\s+/,
  ),
)

const depth_max = 64

interface Aggregate {
  name: string
  line: number
  values: Map<string, string>
}

class OfxFile {
  readonly #open: Aggregate[] = []
  #has_root = false
  /** The element whose value the next text is. */
  #leaf: string | undefined
  #text = ''
  #statement: OfxStatement | undefined;

  *take(event: OfxEvent): Generator<DraftPart> {
    if (event.kind === 'text') {
      this.#text += event.text
      return
    }
    this.#endLeaf()
    if (event.kind === 'open') this.#openElement(event.name, event.line)
    else if (aggregates.has(event.name)) yield* this.#close(event.name, event.line)
  }

  end(): void {
    const [outermost] = this.#open
    if (outermost !== undefined) {
      throw malformed({ line: outermost.line }, `the file ends without </${outermost.name}>`)
    }
    if (!this.#has_root) throw missing({ line: 1 }, '<OFX>')
  }

  #endLeaf(): void {
    const text = this.#text.trim()
    if (this.#leaf !== undefined && text !== '') this.#open.at(-1)?.values.set(this.#leaf, text)
    this.#leaf = undefined
    this.#text = ''
  }

  #openElement(name: string, line: number): void {
    if (!aggregates.has(name)) {
      this.#leaf = name
      return
    }
    this.#has_root ||= name === 'OFX'
    if (!this.#has_root) throw malformed({ line }, `<${name}> must be inside of <OFX>`)
    if (this.#open.length === depth_max) {
      throw malformed({ line }, `elements must be nested at most ${depth_max} deep`)
    }
    this.#open.push({ name, line, values: new Map() })
    if (name === 'STMTRS' || name === 'CCSTMTRS') this.#statement = new OfxStatement(line)
  }

  *#close(name: string, line: number): Generator<DraftPart> {
    const closed = this.#open.pop()
    if (closed?.name !== name) {
      const expected = closed === undefined ? 'no end tag' : `</${closed.name}>`
      throw malformed({ line }, `expected ${expected}; got </${name}>`)
    }
    if (this.#statement === undefined) return
    yield* this.#statement.take(closed, this.#open)
    if (name === 'STMTRS' || name === 'CCSTMTRS') {
      yield* this.#statement.end()
      this.#statement = undefined
    }
  }
}

/** The values of these elements are needed after they were closed. */
const kept = /^(PAYEE|BANKACCTTO|CCACCTTO|CURRENCY|ORIGCURRENCY)$/

class OfxStatement {
  readonly #builder: StatementBuilder
  #currency: string | undefined
  #closing: BankBalance | null = null
  #within = new Map<string, Map<string, string>>()

  constructor(line: number) {
    this.#builder = new StatementBuilder('ofx', line)
  }

  /** An aggregate that was closed, and those that are still open around it. */
  *take(closed: Aggregate, around: Aggregate[]): Generator<DraftPart> {
    const position = { line: closed.line, at: `<${closed.name}>` }
    if (/^(BANK|CC)ACCTFROM$/.test(closed.name)) {
      this.#builder.start.account = readAccount(closed.values.get('ACCTID'))
    } else if (closed.name === 'STMTTRN') {
      yield* this.#builder.add(readEntry(closed, this.#within, this.#currencyOf(around, position)))
      this.#within = new Map()
    } else if (closed.name === 'LEDGERBAL') {
      const currency = this.#currencyOf(around, position)
      this.#closing = readLedgerBalance(closed.values, currency, position)
    } else if (kept.test(closed.name)) {
      this.#within.set(closed.name, closed.values)
    }
  }

  *end(): Generator<DraftPart> {
    this.#builder.setBalances(null, this.#closing)
    yield* this.#builder.end()
  }

  #currencyOf(around: Aggregate[], position: BankFilePosition): string {
    const code = around.findLast((one) => one.values.has('CURDEF'))?.values.get('CURDEF')
    if (code === undefined) throw missing(position, '<CURDEF> before this element')
    this.#currency ??= readCurrency(code, position)
    this.#builder.start.currency = this.#currency
    return this.#currency
  }
}

function readLedgerBalance(
  values: Map<string, string>,
  currency: string,
  position: BankFilePosition,
): BankBalance {
  const amount = readAmount(getValue(values, 'BALAMT', position), currency, position)
  return { amount, currency, on: readDate(values.get('DTASOF'), position) }
}

function readEntry(
  { values, line }: Aggregate,
  within: Map<string, Map<string, string>>,
  account_currency: string,
): DraftEntry {
  const position = { line, at: '<STMTTRN>' }
  // <CURRENCY> states that the amount is in another currency; <ORIGCURRENCY> that it was converted.
  const other_currency = within.get('CURRENCY')?.get('CURSYM')
  const currency =
    other_currency === undefined ? account_currency : readCurrency(other_currency, position)
  const signed = readAmount(getValue(values, 'TRNAMT', position), currency, position)
  const money = { ...splitSign(signed), currency }
  const party = within.get('BANKACCTTO') ?? within.get('CCACCTTO')
  const account = readAccount(party?.get('ACCTID'))
  const booked_on = readDate(getValue(values, 'DTPOSTED', position), position)
  return {
    ...money,
    is_booked: true,
    // A correction of an earlier entry. It is shown to a person and never settled alone.
    is_reversal: values.has('CORRECTFITID'),
    booked_on,
    value_on: readDate(values.get('DTAVAIL'), position) ?? booked_on,
    bank_reference: readReference(getValue(values, 'FITID', position)),
    description: joinTexts([values.get('TRNTYPE')]),
    transactions: [
      {
        ...bareTransaction(money),
        counterparty_name: joinTexts([values.get('NAME') ?? within.get('PAYEE')?.get('NAME')]),
        counterparty_iban: account.iban,
        counterparty_number: account.number,
        end_to_end_id: readReference(values.get('REFNUM')),
        remittance: joinTexts([values.get('MEMO')]),
      },
    ],
    is_complete: true,
    line,
  }
}

function getValue(values: Map<string, string>, name: string, position: BankFilePosition): string {
  const value = values.get(name)
  if (value === undefined) throw missing(position, `<${name}>`)
  // Amounts may have a decimal comma.
  return /AMT$/.test(name) ? value.replace(',', '.') : value
}

/** 20261118, or 20261118120000.000[-5:EST]: the day in the time zone of the bank. */
function readDate(text: string | undefined, position: BankFilePosition): string | null {
  if (text === undefined) return null
  const [, year, month, day] = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:[0-9]|\[|\.|$)/.exec(text) ?? []
  if (year === undefined) throw invalid(position, 'a date must start with YYYYMMDD', text)
  return readDay(year, month!, day!, position, text)
}

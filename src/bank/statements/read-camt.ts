// camt.053 (statements) and camt.054 (notifications) of ISO 20022, versions 02 to 13.

import { quote } from '../../primitives/text.ts'
import { BankFileError, malformed } from './bank-file-error.ts'
import { readCamtBalances, readCamtEntry } from './camt-entry.ts'
import { readAccount, readCurrency, readReference } from './read-values.ts'
import { type XmlEvent, XmlReader } from './read-xml.ts'
import type { StatementFormat } from './statement.ts'
import { type DraftPart, StatementBuilder } from './statement-builder.ts'
import { ElementBuilder, findText, positionOf, type XmlElement } from './xml-element.ts'

export async function* readCamt(texts: AsyncIterable<string>): AsyncGenerator<DraftPart> {
  const xml = new XmlReader()
  const message = new CamtMessage()
  for await (const text of texts) yield* takeAll(message, xml.push(text))
  yield* takeAll(message, xml.end())
  message.end()
}

function* takeAll(message: CamtMessage, events: Iterable<XmlEvent>): Generator<DraftPart> {
  for (const event of events) yield* message.take(event)
}

// Some banks replace the beginning of the namespace, so only its end is compared.
const namespaceShape = /\bcamt\.05([34])\.001\.(0[2-9]|1[0-3])\b/

const formats: ReadonlyMap<string, StatementFormat> = new Map([
  ['BkToCstmrStmt', 'camt.053'],
  ['BkToCstmrDbtCdtNtfctn', 'camt.054'],
])

/** Document, message, statements, and in these one small tree per element. */
class CamtMessage {
  #depth = 0
  /** The depth of <Document>. An envelope around it is skipped. */
  #document_depth: number | undefined
  #has_message = false
  #format: StatementFormat | undefined
  #statement: CamtStatement | undefined
  readonly #builder = new ElementBuilder();

  *take(event: XmlEvent): Generator<DraftPart> {
    if (this.#builder.isBuilding) {
      const element = this.#builder.take(event)
      if (element !== undefined) yield* this.#statement!.take(element)
      return
    }
    if (event.kind === 'open') this.#open(event)
    else if (event.kind === 'close') yield* this.#close()
  }

  /** Throws if the file contains no message. */
  end(): void {
    if (this.#has_message) return
    throw unsupported({ line: 1 }, 'the file contains no <Document> of camt.053 or camt.054')
  }

  #open(event: XmlEvent & { kind: 'open' }): void {
    const level = this.#document_depth === undefined ? 0 : this.#depth - this.#document_depth
    if (level === 3 && this.#statement !== undefined) {
      this.#builder.take(event)
      return
    }
    this.#depth += 1
    if (this.#document_depth === undefined) {
      if (event.name === 'Document') this.#openDocument(event)
    } else if (level === 1) {
      this.#openMessage(event)
    } else if (level === 2 && /^(Stmt|Ntfctn)$/.test(event.name)) {
      this.#statement = new CamtStatement(this.#format!, event.line)
    }
  }

  #openDocument({ namespace, line }: XmlEvent & { kind: 'open' }): void {
    if (!namespaceShape.test(namespace)) {
      const problem = 'the namespace must be that of camt.053 or camt.054, versions 02 to 13'
      throw unsupported({ line, at: '<Document>' }, `${problem}; got ${quote(namespace)}`)
    }
    this.#document_depth = this.#depth - 1
  }

  #openMessage({ name, line }: XmlEvent & { kind: 'open' }): void {
    const format = formats.get(name)
    if (format === undefined || this.#format !== undefined) {
      const problem = `<Document> must contain one <${[...formats.keys()].join('> or <')}>`
      throw malformed({ line }, `${problem}; got <${name}>`)
    }
    this.#format = format
    this.#has_message = true
  }

  *#close(): Generator<DraftPart> {
    this.#depth -= 1
    if (this.#document_depth === undefined) return
    const level = this.#depth - this.#document_depth
    if (level === 2 && this.#statement !== undefined) {
      yield* this.#statement.end()
      this.#statement = undefined
    } else if (level === 0) {
      this.#document_depth = undefined
      this.#format = undefined
    }
  }
}

function unsupported(position: { line: number; at?: string }, problem: string): BankFileError {
  const advice = 'Export the statement as camt.053, camt.054, MT940, OFX or CSV.'
  return new BankFileError('unsupported_format', position, problem, advice)
}

/** One <Stmt> or <Ntfctn>. Its parts have a fixed order: the account and balances come first. */
class CamtStatement {
  readonly #builder: StatementBuilder
  readonly #balances: XmlElement[] = []
  #sequence: string | null = null

  constructor(format: StatementFormat, line: number) {
    this.#builder = new StatementBuilder(format, line)
  }

  *take(element: XmlElement): Generator<DraftPart> {
    const { start } = this.#builder
    if (element.name === 'Id') {
      start.id = readReference(element.text)
    } else if (element.name === 'ElctrncSeqNb') {
      this.#sequence = readReference(element.text)
    } else if (element.name === 'LglSeqNb') {
      this.#sequence ??= readReference(element.text)
    } else if (element.name === 'Acct') {
      start.account = readAccount(findText(element, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id'))
      const currency = findText(element, 'Ccy')
      if (currency !== undefined) start.currency = readCurrency(currency, positionOf(element))
    } else if (element.name === 'Bal') {
      this.#balances.push(element)
    } else if (element.name === 'Ntry') {
      this.#readHead()
      yield* this.#builder.add(readCamtEntry(element))
    }
  }

  *end(): Generator<DraftPart> {
    this.#readHead()
    yield* this.#builder.end()
  }

  #readHead(): void {
    this.#builder.start.sequence = this.#sequence
    const { opening, closing } = readCamtBalances(this.#balances)
    this.#builder.setBalances(opening, closing)
  }
}

// Reads CSV as RFC 4180 describes it, with LF or CRLF.

import { UsageError } from '../failures.ts'

export interface CsvRecord {
  /** The line in the file at which the record starts, counted from 1. */
  line: number
  fields: string[]
}

/** Decodes UTF-8 without its byte order mark. Spreadsheets may save other encodings. */
export function decodeCsv(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(
      'The file must be UTF-8 text; it has bytes that are not. In a spreadsheet, save it as ' +
        '"CSV UTF-8". Nothing was sent.',
    )
  }
}

/** All records with at least one character, including the header. */
export function readCsv(text: string): CsvRecord[] {
  const reader = new CsvReader(text)
  const records: CsvRecord[] = []
  for (let record = reader.next(); record !== undefined; record = reader.next()) {
    if (record.fields.length > 1 || record.fields[0] !== '') records.push(record)
  }
  return records
}

const plainField = /[^,\r\n]*/y
const lineEnd = /\r?\n/y

class CsvReader {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  next(): CsvRecord | undefined {
    if (this.#at >= this.#text.length) return undefined
    const line = this.#line
    const fields = [this.#readField()]
    while (this.#text[this.#at] === ',') {
      this.#at += 1
      fields.push(this.#readField())
    }
    this.#endRecord()
    return { line, fields }
  }

  #readField(): string {
    if (this.#text[this.#at] !== '"') return this.#take(plainField)?.[0] ?? ''
    const end = this.#endOfQuoted()
    const field = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    this.#line += field.split('\n').length - 1
    return field.replaceAll('""', '"')
  }

  // Without a pattern: after a missing quotation mark the field is the rest of a large file.
  #endOfQuoted(): number {
    for (let at = this.#at + 1; ; at += 2) {
      at = this.#text.indexOf('"', at)
      if (at === -1) throw this.#fault('a quoted field has no closing quotation mark')
      if (this.#text[at + 1] !== '"') return at
    }
  }

  #endRecord(): void {
    if (this.#at >= this.#text.length) return
    if (this.#take(lineEnd) === undefined) {
      throw this.#fault('a field is followed by neither a comma nor the end of the line')
    }
    this.#line += 1
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found !== undefined) this.#at = pattern.lastIndex
    return found
  }

  #fault(what: string): UsageError {
    return new UsageError(`Line ${this.#line} is not valid CSV: ${what}. Nothing was sent.`)
  }
}

// Records of a CSV file with any delimiter. Quoted fields can contain delimiters and line ends.

import { BankFileError, malformed } from './bank-file-error.ts'
import type { Line } from './text-line.ts'

export interface CsvRecord {
  fields: string[]
  line: number
}

const record_length_max = 64 * 1024

export async function* readRecords(
  lines: AsyncIterable<Line>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  let begun: RecordInProgress | undefined
  for await (const { text, line } of lines) {
    begun ??= new RecordInProgress(line, delimiter)
    if (!begun.take(text)) continue
    yield begun.record
    begun = undefined
  }
  if (begun !== undefined) {
    throw malformed({ line: begun.record.line }, 'a quoted field has no closing quote')
  }
}

class RecordInProgress {
  readonly record: CsvRecord
  readonly #delimiter: string
  /** The text of a quoted field that continues on the next line. */
  #quoted: string | undefined
  #length = 0

  constructor(line: number, delimiter: string) {
    this.record = { fields: [], line }
    this.#delimiter = delimiter
  }

  /** Whether the record ends with this line. */
  take(text: string): boolean {
    this.#length += text.length + 1
    if (this.#length > record_length_max) throw this.#tooLong()
    let at = 0
    if (this.#quoted !== undefined) {
      this.#quoted += '\n'
      at = this.#continueQuoted(text, 0)
    }
    while (this.#quoted === undefined && at <= text.length) at = this.#readField(text, at)
    return this.#quoted === undefined
  }

  /** The position behind the delimiter, or behind the end of the line. */
  #readField(text: string, at: number): number {
    const opening = /[ ]*"/y
    opening.lastIndex = at
    if (opening.test(text)) {
      this.#quoted = ''
      return this.#continueQuoted(text, opening.lastIndex)
    }
    const found = text.indexOf(this.#delimiter, at)
    const end = found === -1 ? text.length : found
    this.record.fields.push(text.slice(at, end).trim())
    return end + 1
  }

  #continueQuoted(text: string, from: number): number {
    let at = from
    for (;;) {
      const quote = text.indexOf('"', at)
      if (quote === -1) {
        this.#quoted += text.slice(at)
        return text.length + 1
      }
      this.#quoted += text.slice(at, quote)
      if (text[quote + 1] !== '"') return this.#endQuoted(text, quote + 1)
      this.#quoted += '"'
      at = quote + 2
    }
  }

  #endQuoted(text: string, at: number): number {
    const found = text.indexOf(this.#delimiter, at)
    const end = found === -1 ? text.length : found
    if (text.slice(at, end).trim() !== '') {
      const position = { line: this.record.line, at: `field ${this.record.fields.length + 1}` }
      throw malformed(position, 'a closing quote must be followed by the delimiter')
    }
    this.record.fields.push(this.#quoted!)
    this.#quoted = undefined
    return end + 1
  }

  #tooLong(): BankFileError {
    const problem = `a record must have at most ${record_length_max} characters`
    const advice = 'Check that every quoted field has a closing quote.'
    return new BankFileError('too_large', { line: this.record.line }, problem, advice)
  }
}

// What is wrong with a file of a bank. It is a refusal, so an upload returns 400 with the message.

import { Refusal } from '../../primitives/refusal.ts'
import { quote } from '../../primitives/text.ts'

export type BankFileRule =
  /** The file, or a part of it, is longer than the limit. */
  | 'too_large'
  /** Bytes that are not text in the expected encoding. */
  | 'encoding'
  /** Not a file of any format, or of a version, that Florin reads. */
  | 'unsupported_format'
  /** A document type or an entity. No bank sends them, but attackers do. */
  | 'forbidden_markup'
  /** The syntax of the format is violated, or the file is truncated. */
  | 'malformed'
  /** A required element, field or column is absent. */
  | 'missing_value'
  /** An amount, date, currency or code that cannot be read. */
  | 'invalid_value'
  /** The saved column map does not fit. */
  | 'column_map'

/** Where the fault is: an element, a tag or a column, in the file's own terms. */
export interface BankFilePosition {
  line: number
  at?: string | undefined
}

export class BankFileError extends Refusal {
  readonly rule: BankFileRule
  readonly line: number

  /** `problem` names the rule and what was received; `advice` is a sentence. */
  constructor(rule: BankFileRule, position: BankFilePosition, problem: string, advice: string) {
    const at = position.at === undefined ? '' : `, ${position.at}`
    super('invalid_request', `Line ${position.line}${at}: ${problem}. ${advice}`)
    this.name = 'BankFileError'
    this.rule = rule
    this.line = position.line
  }
}

const export_again = 'Export the statement again, and upload the file unchanged.'

export function malformed(position: BankFilePosition, problem: string): BankFileError {
  return new BankFileError('malformed', position, problem, export_again)
}

export function missing(position: BankFilePosition, what: string): BankFileError {
  return new BankFileError('missing_value', position, `${what} is missing`, export_again)
}

export function invalid(position: BankFilePosition, rule: string, received: string): BankFileError {
  const problem = `${rule}; got ${quote(received)}`
  return new BankFileError('invalid_value', position, problem, export_again)
}

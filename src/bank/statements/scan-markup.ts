// Splits XML and SGML into tags and texts. It has no document types and no entities: a file that
// declares one is rejected, so that no entity can expand or fetch anything. Written for bank files
// instead of taking a general parser, because what it does not know it rejects.

import { BankFileError, malformed } from './bank-file-error.ts'
import { countLines } from './file-text.ts'

export interface MarkupToken {
  /** `tag` is the part between < and >. `instruction` is the part between <? and ?>. */
  kind: 'tag' | 'text' | 'cdata' | 'instruction'
  text: string
  line: number
}

// Schemas of bank files allow 500 characters in an element, and no attribute is longer.
const token_length_max = 16_384

const forbiddenCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u

/** Push pieces of text, then end. A token is complete, wherever the pieces were split. */
export class MarkupScanner {
  #buffer = ''
  /** Where the search for the end of the first token continues. */
  #searched = 0
  #line = 1;

  *push(text: string): Generator<MarkupToken> {
    this.#buffer += text
    let at = 0
    while (at < this.#buffer.length) {
      const end = this.#endOfToken(at)
      if (end === undefined) break
      const written = this.#buffer.slice(at, end)
      this.#limit(written.length)
      at = end
      this.#searched = at
      const token = this.#tokenOf(written)
      if (token !== undefined) yield token
      this.#line += countLines(written)
    }
    this.#buffer = this.#buffer.slice(at)
    this.#searched -= at
    this.#limit(this.#buffer.length)
  }

  *end(): Generator<MarkupToken> {
    if (this.#buffer === '') return
    if (this.#buffer.startsWith('<')) {
      throw malformed({ line: this.#line }, 'the file ends inside of a tag')
    }
    const token = this.#tokenOf(this.#buffer)
    if (token !== undefined) yield token
    this.#line += countLines(this.#buffer)
    this.#buffer = ''
  }

  get line(): number {
    return this.#line
  }

  /** Undefined if the end of the token that starts at `at` is not in the buffer yet. */
  #endOfToken(at: number): number | undefined {
    const buffer = this.#buffer
    if (buffer[at] !== '<') return this.#find('<', at)
    // The first characters decide what ends the token.
    const start = buffer.slice(at, at + 9)
    if (start.length < 9 && !start.includes('>')) return undefined
    const close = start.startsWith('<!--')
      ? '-->'
      : start.startsWith('<![CDATA[')
        ? ']]>'
        : start.startsWith('<?')
          ? '?>'
          : undefined
    if (close === undefined) {
      this.#rejectDeclaration(start)
      return this.#endOfTag(at)
    }
    const found = this.#find(close, at + (close === '-->' ? 4 : 2))
    return found === undefined ? undefined : found + close.length
  }

  /** The position of the text, searching what was not searched before. */
  #find(text: string, from: number): number | undefined {
    const found = this.#buffer.indexOf(text, Math.max(from, this.#searched))
    if (found !== -1) return found
    this.#searched = Math.max(from, this.#buffer.length - text.length + 1)
    return undefined
  }

  /** A `>` inside of quotes does not end a tag. */
  #endOfTag(at: number): number | undefined {
    let quote = ''
    for (let end = at + 1; end < this.#buffer.length; end++) {
      const character = this.#buffer[end]!
      if (quote !== '') {
        if (character === quote) quote = ''
      } else if (character === '"' || character === "'") {
        quote = character
      } else if (character === '>') {
        return end + 1
      } else if (character === '<') {
        throw malformed({ line: this.#line }, 'a "<" starts a tag inside of another tag')
      }
    }
    return undefined
  }

  #rejectDeclaration(start: string): void {
    if (!start.startsWith('<!')) return
    const problem = 'a bank statement must not contain a document type or an entity'
    const advice = 'Remove the declaration that starts with "<!", or export the file again.'
    throw new BankFileError('forbidden_markup', { line: this.#line }, problem, advice)
  }

  #tokenOf(written: string): MarkupToken | undefined {
    const line = this.#line
    const character = forbiddenCharacter.exec(written)?.[0]
    if (character !== undefined) {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()
      throw malformed({ line }, `the character U+${code} is not allowed`)
    }
    const text = written.replace(/\r\n?/g, '\n')
    if (!text.startsWith('<')) return { kind: 'text', text, line }
    if (text.startsWith('<!--')) return this.#comment(text)
    if (text.startsWith('<![CDATA[')) return { kind: 'cdata', text: text.slice(9, -3), line }
    if (text.startsWith('<?')) return { kind: 'instruction', text: text.slice(2, -2), line }
    return { kind: 'tag', text: text.slice(1, -1), line }
  }

  #comment(text: string): undefined {
    if (/--/.test(text.slice(4, -3)) || text.endsWith('--->')) {
      throw malformed({ line: this.#line }, 'a comment must not contain "--"')
    }
  }

  #limit(length: number): void {
    if (length <= token_length_max) return
    const problem = `a tag or text must have at most ${token_length_max} characters`
    const advice = 'Check that the file is a bank statement, and export it again.'
    throw new BankFileError('too_large', { line: this.#line }, problem, advice)
  }
}

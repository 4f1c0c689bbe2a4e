// The slow JSON parser. It runs only on a text that is probably invalid, and reports the first
// error with its position. V8's message quotes the text, which may contain a password.

import { quote } from './text.ts'

export class JsonFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonFault'
  }
}

/** Throws the first error of the text. */
export function explainJson(text: string, depth_max: number): never {
  const reader = new Reader(text, depth_max)
  reader.readWhole()
  // Reached only if the two parsers disagree. The stricter one wins.
  throw new JsonFault('The JSON is invalid.')
}

/** The index of the first byte that is not UTF-8, counted from 0. */
export function locateInvalidUtf8(buffer: Buffer): number {
  // Decoding replaces invalid bytes with U+FFFD. The first one that is not in the input marks them.
  let at = 0
  for (const character of buffer.toString('utf8')) {
    if (character === '\ufffd' && buffer.toString('hex', at, at + 3) !== 'efbfbd') return at
    at += Buffer.byteLength(character)
  }
  return at
}

const literal = /true|false|null/y
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const plainStretch = /[^"\\\u0000-\u001f]+/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class Reader {
  readonly #text: string
  readonly #depth_max: number
  #at = 0
  #depth = 0

  constructor(text: string, depth_max: number) {
    this.#text = text
    this.#depth_max = depth_max
  }

  readWhole(): void {
    this.#skipSpace()
    if (this.#at === this.#text.length) throw new JsonFault('The JSON is empty.')
    this.#readValue()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('unexpected text after the JSON value')
  }

  #readValue(): Set<string> | undefined {
    this.#skipSpace()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nest(() => this.#readObject())
      case '[':
        return this.#nest(() => this.#readArray())
      case '"':
        this.#readString()
        return undefined
      default:
        if (!this.#take(literal)) this.#readNumber()
        return undefined
    }
  }

  #readNumber(): void {
    const start = this.#at
    if (!this.#take(number)) this.#fail('a value is expected')
    if (losesFraction(this.#text.slice(start, this.#at))) {
      this.#fail('a number has more digits than can be represented; its fraction is lost', start)
    }
  }

  #nest(read: () => Set<string> | undefined): Set<string> | undefined {
    this.#depth += 1
    if (this.#depth > this.#depth_max) {
      this.#fail(`nesting is deeper than ${this.#depth_max} levels`)
    }
    this.#at += 1
    const keys = read()
    this.#depth -= 1
    return keys
  }

  #readArray(): undefined {
    if (this.#takeMark(']')) return
    do this.#readValue()
    while (this.#takeMark(','))
    if (!this.#takeMark(']')) this.#fail('a comma or ] is expected')
  }

  #readObject(): Set<string> {
    const keys = new Set<string>()
    if (this.#takeMark('}')) return keys
    do this.#readMember(keys)
    while (this.#takeMark(','))
    if (!this.#takeMark('}')) this.#fail('a comma or } is expected')
    return keys
  }

  #readMember(keys: Set<string>): void {
    this.#skipSpace()
    const key_at = this.#at
    if (this.#text[key_at] !== '"') this.#fail('a key in double quotes is expected')
    const key = this.#readString()
    if (keys.has(key)) this.#fail(`the key ${quote(key)} appears twice in one object`, key_at)
    if (key === '__proto__') this.#fail('the key "__proto__" is not allowed', key_at)
    keys.add(key)
    if (!this.#takeMark(':')) this.#fail('a colon is expected')
    const inner = this.#readValue()
    if (key === 'constructor' && inner?.has('prototype')) {
      this.#fail('the key "constructor" must not contain a "prototype"', key_at)
    }
  }

  #readString(): string {
    const start = this.#at++
    // Matches long runs at once: char by char, an invalid megabyte would block the event loop.
    while (this.#take(plainStretch) || this.#take(escapeSequence));
    const character = this.#text[this.#at]
    if (character === undefined) this.#fail('a string is not terminated', start)
    if (character === '\\') this.#fail('a string contains an invalid escape sequence')
    if (character !== '"') this.#fail('a control character in a string must be escaped')
    this.#at += 1
    return JSON.parse(this.#text.slice(start, this.#at))
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #takeMark(mark: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== mark) return false
    this.#at += 1
    return true
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && ' \t\n\r'.includes(this.#text[this.#at]!)) this.#at += 1
  }

  #fail(what: string, at = this.#at): never {
    const before = this.#text.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    throw new JsonFault(`Invalid JSON at line ${line}, column ${column}: ${what}.`)
  }
}

/** Whether the text has a fraction that parsing rounds away. It could turn into a valid amount. */
export function losesFraction(written: string): boolean {
  if (!Number.isInteger(Number(written))) return false
  const [, whole = '', fraction = '', exponent = '0'] = parts.exec(written)!
  const places = fraction.length - Number(exponent)
  return places > 0 && /[1-9]/.test((whole + fraction).slice(-places))
}

const parts = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

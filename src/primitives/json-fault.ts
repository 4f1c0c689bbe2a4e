// The slow reader of JSON: it walks a text that is known to be bad, or may be, to say what is wrong
// and where. V8's own message is no help, since it quotes the text, and the text may be a password.

import { quote } from './text.ts'

export class JsonFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonFault'
  }
}

/** Throws the first fault of the text. */
export function explainJson(text: string, depth_max: number): never {
  const reader = new Reader(text, depth_max)
  reader.readWhole()
  // Reached only if the two readers disagreed about what is good, and then the stricter one wins.
  throw new JsonFault('The JSON text is malformed.')
}

/** The index of the first byte that is not UTF-8, counted from 0. */
export function locateInvalidUtf8(buffer: Buffer): number {
  // Decoding replaces what is invalid by U+FFFD; one that is not in the bytes is the place.
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
    if (this.#at === this.#text.length) throw new JsonFault('The JSON text is empty.')
    this.#readValue()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('there is more after the end of the JSON value')
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
      this.#fail('a number has so many digits that it would become a whole one', start)
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
      this.#fail('the key "constructor" may not hold a "prototype"', key_at)
    }
  }

  #readString(): string {
    const start = this.#at++
    // Whole stretches at a time, or a bad body of a megabyte would hold up everyone else.
    while (this.#take(plainStretch) || this.#take(escapeSequence));
    const character = this.#text[this.#at]
    if (character === undefined) this.#fail('a string is not closed', start)
    if (character === '\\') this.#fail('a string has an escape that JSON does not know')
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
    throw new JsonFault(`The JSON text is wrong at line ${line}, column ${column}: ${what}.`)
  }
}

/** Whether it is written with a fraction and read without: an amount must be a whole number. */
export function losesFraction(written: string): boolean {
  if (!Number.isInteger(Number(written))) return false
  const [, whole = '', fraction = '', exponent = '0'] = parts.exec(written)!
  const places = fraction.length - Number(exponent)
  return places > 0 && /[1-9]/.test((whole + fraction).slice(-places))
}

const parts = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

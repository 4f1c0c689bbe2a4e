// Reads a request body from arguments: `amount:=7500 settings.currency=EUR`, or JSON.

import { readFile } from 'node:fs/promises'
import { JsonFault, parseStrictJson } from '../../primitives/strict-json.ts'
import { UsageError } from '../failures.ts'
import { readStdin } from '../read-stdin.ts'

type Fields = Record<string, unknown>

/** Undefined without arguments. Later arguments override fields of earlier ones. */
export async function readBody(pieces: readonly string[]): Promise<Fields | undefined> {
  if (pieces.length === 0) return undefined
  const body: Fields = {}
  for (const piece of pieces) {
    if (piece.startsWith('@')) assignAll(body, readJson(await readSource(piece.slice(1))))
    else if (piece.trimStart().startsWith('{')) assignAll(body, readJson(piece))
    else setField(body, piece)
  }
  const infinite = findInfinite(body)
  if (infinite === undefined) return body
  throw new UsageError(`"${infinite}" is too large for a number. Send it as a string.`)
}

/**
 * The path of the first infinite number, such as `metadata.sizes.1`. JavaScript parses 1e400 in
 * JSON as Infinity and serializes it as null, which deletes a field.
 */
function findInfinite(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = findInfinite(inner)
    if (found !== undefined) return found === '' ? name : `${name}.${found}`
  }
  return undefined
}

async function readSource(name: string): Promise<string> {
  if (name === '-') return readStdin()
  try {
    return await readFile(name, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read the request body: ${(error as Error).message}.`)
  }
}

function readJson(text: string): Fields {
  const value = parse(text, 'The request body is not valid JSON.')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new UsageError('The request body must be a JSON object, such as {"amount": 7500}.')
}

/** As strict as the server: JSON.parse would silently drop the first of two equal keys. */
function parse(text: string, rule: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text))
  } catch (error) {
    if (error instanceof JsonFault) throw new UsageError(`${rule} ${error.message}`)
    throw error
  }
}

function assignAll(body: Fields, over: Fields): void {
  for (const [name, value] of Object.entries(over)) define(body, name, value)
}

const shape = /^([^=:\s]+?)(:?=)([\s\S]*)$/

/**
 * `name=text`, `name:=json`; dots in the name set nested fields. Types are never guessed,
 * because a reference such as `007` would become a number.
 */
function setField(body: Fields, piece: string): void {
  const parts = shape.exec(piece)
  if (parts === null) {
    throw new UsageError(`A field must be name=text, name:=7500 or a JSON object; got "${piece}".`)
  }
  const [, path = '', sign, text = ''] = parts
  const names = path.split('.')
  const last = names.pop()!
  if (names.includes('') || last === '') {
    throw new UsageError(`A field name must not be empty; got "${piece}".`)
  }
  const parent = names.reduce((inside, name) => descend(inside, name, piece), body)
  define(parent, last, sign === '=' ? text : readValue(text, piece))
}

function descend(inside: Fields, name: string, piece: string): Fields {
  const found = Object.hasOwn(inside, name) ? inside[name] : undefined
  if (found === undefined) return define(inside, name, {}) as Fields
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Fields
  throw new UsageError(`"${name}" already has a value, so "${piece}" cannot set a field in it.`)
}

// Assignment would treat __proto__ specially. It is sent like any field, and the server rejects it.
function define(inside: Fields, name: string, value: unknown): unknown {
  const options = { enumerable: true, configurable: true, writable: true }
  Object.defineProperty(inside, name, { ...options, value })
  return value
}

function readValue(text: string, piece: string): unknown {
  const rule = 'The value after := must be JSON, such as 7500, true, null or ["a"]'
  return parse(text, `${rule}; got "${piece}". Use = for text.`)
}

/** Encodes the fields as a query string, for GET. */
export function toQuery(body: Fields | undefined): string {
  if (body === undefined) return ''
  const pairs = Object.entries(body).map(([name, value]) => {
    if (value === null) throw new UsageError(`A query parameter cannot be null. Omit "${name}".`)
    if (typeof value === 'object') {
      throw new UsageError(`A query parameter cannot have nested fields; "${name}" has some.`)
    }
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  })
  return pairs.join('&')
}

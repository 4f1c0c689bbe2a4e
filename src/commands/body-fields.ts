// The body of a request from the command line: `amount:=7500 settings.currency=EUR`, or JSON.

import { readFile } from 'node:fs/promises'
import { explainInfinite, findInfinite } from '../primitives/find-infinite.ts'
import { JsonFault, parseStrictJson } from '../primitives/strict-json.ts'
import { UsageError } from './failures.ts'
import { readStdin } from './read-stdin.ts'

type Fields = Record<string, unknown>

/** Undefined when nothing was given. Several pieces are laid over each other. */
export async function readBody(pieces: readonly string[]): Promise<Fields | undefined> {
  if (pieces.length === 0) return undefined
  const body: Fields = {}
  for (const piece of pieces) {
    if (piece.startsWith('@')) lay(body, readJson(await readSource(piece.slice(1))))
    else if (piece.trimStart().startsWith('{')) lay(body, readJson(piece))
    else setField(body, piece)
  }
  const infinite = findInfinite(body)
  if (infinite !== undefined) throw new UsageError(explainInfinite(infinite))
  return body
}

async function readSource(name: string): Promise<string> {
  if (name === '-') return readStdin()
  try {
    return await readFile(name, 'utf8')
  } catch (error) {
    throw new UsageError(`The body cannot be read: ${(error as Error).message}.`)
  }
}

function readJson(text: string): Fields {
  const value = parse(text, 'The body is not good JSON.')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new UsageError('The body must be a JSON object, as {"amount": 7500}.')
}

/** By the server's own rules: of two equal keys JSON.parse would send the last alone. */
function parse(text: string, rule: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text))
  } catch (error) {
    if (error instanceof JsonFault) throw new UsageError(`${rule} ${error.message}`)
    throw error
  }
}

function lay(body: Fields, over: Fields): void {
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
    throw new UsageError(
      `Write a field as name=text or name:=7500, and JSON as {…}; "${piece}" came.`,
    )
  }
  const [, path = '', sign, text = ''] = parts
  const names = path.split('.')
  const last = names.pop()!
  if (names.includes('') || last === '') {
    throw new UsageError(`A field's name is empty in "${piece}".`)
  }
  const place = names.reduce((inside, name) => step(inside, name, piece), body)
  define(place, last, sign === '=' ? text : readValue(text, piece))
}

function step(inside: Fields, name: string, piece: string): Fields {
  const found = Object.hasOwn(inside, name) ? inside[name] : undefined
  if (found === undefined) return define(inside, name, {}) as Fields
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Fields
  throw new UsageError(`"${name}" has a value already, so "${piece}" cannot go into it.`)
}

// A name such as __proto__ is a field like any other, for the server to refuse.
function define(inside: Fields, name: string, value: unknown): unknown {
  const options = { enumerable: true, configurable: true, writable: true }
  Object.defineProperty(inside, name, { ...options, value })
  return value
}

function readValue(text: string, piece: string): unknown {
  const rule = `After := comes JSON: 7500, true, null, ["a"]; "${piece}" came. Use = for text.`
  return parse(text, rule)
}

/** For GET: the same fields as a query. */
export function toQuery(body: Fields | undefined): string {
  if (body === undefined) return ''
  const pairs = Object.entries(body).map(([name, value]) => {
    if (value === null) throw new UsageError(`A query has no null: leave "${name}" out.`)
    if (typeof value === 'object') {
      throw new UsageError(`A query has no fields within fields, and "${name}" holds some.`)
    }
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  })
  return pairs.join('&')
}

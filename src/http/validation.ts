// Strict validation of bodies and queries. Each message names the field, the rule and the value
// received. Fastify's default validator coerces "7500", true and [7500] to numbers and silently
// drops unknown fields.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { codePointLength, nearestName, quote } from '../primitives/text.ts'
import { formatRules, formats } from './schemas/formats.ts'

export class ValidationFault extends Error {
  override name = 'ValidationFault'
}

const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
  // Report the first error only: one message names one field.
  allErrors: false,
  verbose: true,
  formats,
  keywords: ['example', 'x-secret', 'x-documented'],
})

/**
 * The validator compiler for every route. Path parameters are not validated here: a malformed id
 * is handled as an unknown id. Each schema compiles on first use, because compiling all of them
 * took a third of startup.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let compiled: ValidateFunction | undefined
  const integers = httpPart === 'querystring' ? integerNames(schema) : []
  return (data: unknown) => {
    compiled ??= ajv.compile(schema)
    const validate = compiled
    if (integers.length > 0) readIntegers(data as Record<string, unknown>, integers)
    if (validate(data)) return { value: data }
    return { error: new ValidationFault(errorMessage(validate, httpPart)) }
  }
}

interface QuerySchema {
  properties?: Record<string, { type?: string; readOnly?: boolean }>
}

function integerNames(schema: QuerySchema): string[] {
  const properties = Object.entries(schema.properties ?? {})
  return properties.filter(([, field]) => field.type === 'integer').map(([name]) => name)
}

// Query values arrive as text. Only plain digits become a number; the schema rejects anything
// else. A number beyond MAX_SAFE_INTEGER is clamped, which still lies past the end of any list.
function readIntegers(query: Record<string, unknown>, names: string[]): void {
  for (const name of names) {
    const text = query[name]
    if (typeof text === 'string' && /^\d+$/.test(text)) {
      query[name] = Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    }
  }
}

function errorMessage(validate: ValidateFunction, part: string | undefined): string {
  const error = validate.errors![0]!
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/')
  if (error.keyword === 'additionalProperties') return unknownField(error, path, part)
  if (error.keyword === 'required') {
    const name = quote(join(path, error.params.missingProperty))
    return `${name} is required. Add it to the ${partName(part)}.`
  }
  const subject = path === '' ? `The ${partName(part)}` : quote(path)
  return `${subject} ${rule(error)}; ${received(error)}.${plusHint(error, part)}`
}

// A query string decodes "+" as a space, so an unescaped UTC offset arrives as " 02:00".
function plusHint({ keyword, data, parentSchema }: ErrorObject, part: string | undefined): string {
  const is_time = keyword === 'format' && parentSchema?.format === 'timestamp'
  const lost_plus = part === 'querystring' && is_time && / \d\d:\d\d$/.test(String(data))
  return lost_plus ? ' Escape the "+" of a UTC offset as %2B.' : ''
}

function partName(part: string | undefined): string {
  if (part === 'querystring') return 'query string'
  if (part === 'params') return 'path'
  return part === 'headers' ? 'headers' : 'request body'
}

function join(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`
}

function unknownField(error: ErrorObject, parent: string, part: string | undefined): string {
  const name = String(error.params.additionalProperty)
  const { properties = {} } = error.parentSchema as QuerySchema
  // A read-only field is in the schema only to be rejected with a better message: do not
  // suggest it.
  const known = Object.keys(properties).filter((field) => properties[field]!.readOnly !== true)
  const nearest = nearestName(name, known)
  const shown = quote(join(parent, name))
  const allowed = nearest ? `Did you mean "${nearest}"?` : `Allowed: ${known.join(', ') || 'none'}.`
  const kind = part === 'querystring' ? 'query parameter' : 'field'
  return `${shown} is not a ${kind} of this request. ${allowed}`
}

function rule(error: ErrorObject): string {
  const schema = error.parentSchema as Record<string, unknown>
  switch (error.keyword) {
    case 'type':
      return `must be ${typeWords(schema.type)}`
    case 'enum':
      return `must be ${alternatives(error.params.allowedValues)}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'minLength':
    case 'maxLength':
      return countWords(schema.minLength, schema.maxLength, 'characters')
    case 'minItems':
    case 'maxItems':
      return countWords(schema.minItems, schema.maxItems, 'items')
    case 'minimum':
    case 'maximum':
      return rangeWords(schema)
    case 'minProperties':
      return 'must not be empty'
    case 'format':
      return formatRules[String(schema.format)] ?? 'is malformed'
    default:
      return error.message ?? 'is invalid'
  }
}

function alternatives(values: unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value))
  return quoted.length < 3 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`
}

function typeWords(type: unknown): string {
  const words: Record<string, string> = {
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    object: 'a JSON object',
    array: 'an array',
    boolean: 'true or false',
    null: 'null',
  }
  return [type]
    .flat()
    .map((name) => words[String(name)] ?? String(name))
    .join(' or ')
}

function countWords(least: unknown = 0, most: unknown, things: string): string {
  if (most === undefined) return `must have at least ${least} ${things}`
  return least === 0
    ? `must have at most ${most} ${things}`
    : `must have ${least} to ${most} ${things}`
}

function rangeWords(schema: Record<string, unknown>): string {
  const { minimum, maximum } = schema
  if (maximum === undefined) return `must be a whole number, ${minimum} or more`
  return `must be a whole number from ${minimum} to ${maximum}`
}

// Shows the value received, except for secrets and whole bodies, which may contain one. Fastify
// passes null when the request has no body.
function received(error: ErrorObject): string {
  const value = error.data
  const schema = error.parentSchema as Record<string, unknown>
  const is_root = error.instancePath === ''
  if (is_root && value === null) return 'got nothing'
  if (is_root || schema['x-secret'] === true) return `got ${kindWords(value)}`
  if (typeof value === 'string') {
    const length = error.keyword === 'maxLength' ? ` (${codePointLength(value)} characters)` : ''
    return `got ${quote(value.toWellFormed())}${length}`
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `got ${value}`
  if (/^m(in|ax)Items$/.test(error.keyword)) return `got ${(value as unknown[]).length}`
  return `got ${kindWords(value)}`
}

function kindWords(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

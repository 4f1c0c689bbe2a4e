// Validates responses of the stand-in for Stripe against the API description that stripe-mock's
// module contains.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

const stripe_mock_version = 'v0.203.0'

interface Description {
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  responses: Record<string, { content: Record<string, { schema: object }> }>
}

const description = readDescription()
const ajv = new Ajv({ strict: false, validateFormats: false })
if (description !== undefined) ajv.addSchema(description, 'stripe')

export const noStripeSchema =
  description === undefined ? 'the API description of stripe-mock is not installed' : undefined

// Compiling the schema of a checkout, with most others in it, takes five seconds. During a request
// it could exceed the timeout of the client.
if (description !== undefined) compile('/v1/checkout/sessions', 'post')

const validators = new Map<string, ValidateFunction>()

/** Throws if Stripe would not send this response. */
export function validateStripeResponse(method: string, path: string, body: unknown): void {
  if (description === undefined) return
  const template = Object.keys(description.paths).find((each) => matches(each, path))
  if (template === undefined) throw new Error(`Stripe has no path ${path}.`)
  const name = `${method} ${template}`
  const validate = validators.get(name) ?? compile(template, method.toLowerCase())
  validators.set(name, validate)
  if (validate(body)) return
  throw new Error(`Not a response of Stripe to ${name}: ${ajv.errorsText(validate.errors)}`)
}

function compile(template: string, method: string): ValidateFunction {
  const pointer = ['paths', template, method, 'responses', '200', 'content', 'application/json']
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
  return ajv.compile({ $ref: `stripe#/${path}/schema` })
}

function matches(template: string, path: string): boolean {
  const [expected, actual] = [template.split('/'), path.split('/')]
  if (expected.length !== actual.length) return false
  return expected.every((part, at) => part.startsWith('{') || part === actual[at])
}

function readDescription(): Description | undefined {
  try {
    const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()
    const folder = `github.com/stripe/stripe-mock@${stripe_mock_version}/embedded/openapi`
    const file = join(cache, folder, 'spec3.json')
    return existsSync(file) ? toNullableTypes(JSON.parse(readFileSync(file, 'utf8'))) : undefined
  } catch {
    return undefined
  }
}

/** `nullable` of OpenAPI 3.0 is not part of JSON Schema. */
function toNullableTypes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(toNullableTypes) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, toNullableTypes(each)])
  const { nullable, ...schema } = Object.fromEntries(entries)
  return (nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema) as Value
}

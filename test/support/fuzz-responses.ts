// Checks the response to a generated request against our OpenAPI document.

import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FuzzRequest, goodPassword, type Json, type Operation } from './fuzz-requests.ts'
import { assertErrorShape, safe_headers } from './raw.ts'

export interface FuzzResponse {
  status: number
  headers: Record<string, string>
  text: string
  body: Json
}

// Statuses that the HTTP layer returns before an operation is reached.
const http_layer_statuses = new Set([404, 405, 413, 414, 415, 431])

export function responseChecker(description: Json, operations: Map<string, Operation>) {
  const declarations = new Declarations(description)
  return ({ operation: name, ...request }: FuzzRequest, actual: FuzzResponse): void => {
    const { path } = operations.get(name)!
    const operation = servedBy(operations, request.method, path)
    const { status, headers, body } = actual
    const sent = JSON.stringify(request).slice(0, 1_000)
    const about = `${request.method} ${path} → ${status} ${actual.text.slice(0, 300)}\n${sent}\n`
    assert.ok(status < 500, about)
    assert.match(headers['request-id'] ?? '', /^req_/, about)
    const declared = operation && declarations.find(operation, status)
    if (!declared) assert.ok(http_layer_statuses.has(status), `not declared: ${about}`)
    if (status >= 400) {
      assertErrorShape(actual, about)
      assert.ok(!actual.text.includes(goodPassword), `the response contains a password: ${about}`)
    }
    for (const [name, value] of Object.entries(safe_headers)) {
      assert.equal(headers[name], value, `${name}: ${about}`)
    }
    // Some of the requests have a foreign Origin.
    const cors_headers = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
    assert.deepEqual(cors_headers, [], about)
    if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer/, about)
    if (status === 405) assert.notEqual(headers.allow, undefined, about)
    if (status === 429) assert.ok(Number(headers['retry-after']) >= 1, about)
    const media = (headers['content-type'] ?? '').split(';', 1)[0]!
    if (declared && status !== 204) {
      assert.ok(declared.response.content[media], `not declared as ${media}: ${about}`)
    }
    if (declared && media === 'application/json') {
      const validate = declarations.validatorFor(declared)
      assert.ok(validate(body), `${about} ${JSON.stringify(validate.errors)}`)
    }
  }
}

/**
 * A different method may be another operation of the same path, of one with a parameter, or none:
 * DELETE /v1/user/factors/passkeys deletes the factor with the id "passkeys".
 */
function servedBy(operations: Map<string, Operation>, method: string, path: string) {
  const exact = operations.get(`${method} ${path}`)
  const pattern = ({ path: other }: Operation) =>
    new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return (
    exact ?? operations.values().find((one) => one.method === method && pattern(one).test(path))
  )
}

interface DeclaredResponse {
  pointer: string
  response: Json
}

class Declarations {
  readonly #description: Json
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #ajv = new Ajv2020({
    strict: false,
    formats: {
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      email: true,
      uri: true,
    },
  })

  constructor(description: Json) {
    this.#description = description
    this.#ajv.addSchema(closeObjects(structuredClone(description)), 'florin')
  }

  /** Finds the declared response for this status, following a $ref. */
  find({ path, method, described }: Operation, status: number): DeclaredResponse | undefined {
    const response = described.responses[status]
    if (response?.$ref) {
      const [, , kind, name] = response.$ref.split('/')
      const shared = this.#description.components[kind][name]
      return { pointer: pointerTo(['components', kind, name]), response: shared }
    }
    const steps = ['paths', path, method.toLowerCase(), 'responses', String(status)]
    return response && { pointer: pointerTo(steps), response }
  }

  validatorFor({ pointer }: DeclaredResponse): ValidateFunction {
    const $ref = `florin#/${pointer}/content/application~1json/schema`
    const found = this.#validators.get($ref) ?? this.#ajv.compile({ $ref })
    this.#validators.set($ref, found)
    return found
  }
}

// Exact shapes: a response may have only the properties that its schema lists.
function closeObjects(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema
  for (const [name, inner] of Object.entries(schema)) if (name !== 'allOf') closeObjects(inner)
  if (schema.type === 'object' && schema.properties) schema.additionalProperties ??= false
  return schema
}

function pointerTo(steps: string[]): string {
  const escaped = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  return escaped.map(encodeURIComponent).join('/')
}

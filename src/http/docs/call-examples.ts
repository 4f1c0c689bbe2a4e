// Example calls of an operation, for curl and for the SDK.

import { methodNames } from '../../../client/generator/method-names.ts'
import type { ApiOperation, Parameter } from '../openapi/api-description.ts'

const inPath = ({ in: location }: Parameter) => location === 'path'
const isRequiredQuery = ({ in: location, required }: Parameter) =>
  location === 'query' && required === true

/** `$TOKEN` is an API key or an access token. */
export function curlExample(operation: ApiOperation, base_url: string): string {
  const { method, path, takes_token, body_example } = operation
  const filled = operation.parameters
    .filter(inPath)
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, exampleId(parameter)), path)
  const query = operation.parameters.filter(isRequiredQuery).map(queryPair).join('&')
  const url = `${base_url}${filled}${query && `?${query}`}`
  const has_body = body_example !== undefined
  const needs_method = method !== (has_body ? 'POST' : 'GET')
  return [
    `curl ${needs_method ? `-X ${method} ` : ''}${/[?&]/.test(url) ? `'${url}'` : url}`,
    ...(takes_token ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(isCreate(operation) ? ["-H 'Idempotency-Key: order-114-attempt-1'"] : []),
    ...(has_body ? ["-H 'Content-Type: application/json'", `-d ${shellJson(body_example)}`] : []),
  ].join(' \\\n  ')
}

function isCreate({ method, parameters }: ApiOperation): boolean {
  return method === 'POST' && parameters.some(({ name }) => name === 'Idempotency-Key')
}

function queryPair({ name, schema }: Parameter): string {
  return `${name}=${encodeURIComponent(exampleValue(schema))}`
}

function exampleValue({ examples, enum: values }: Parameter['schema']): string {
  return String((examples as unknown[] | undefined)?.[0] ?? values?.[0] ?? '…')
}

/** An id as in the examples of the API description. The pattern of the schema has its prefix. */
function exampleId({ name, schema }: Parameter): string {
  const prefix = /^\^([a-z]+)_/.exec(String(schema.pattern))?.[1]
  return prefix === undefined ? `{${name}}` : `${prefix}_01h455vb4pex5vsknk084sn02q`
}

function shellJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Undefined for an operation that the SDK has no method for. */
export function sdkExample(operation: ApiOperation): string | undefined {
  const method = methodNames[operation.id]
  if (method === undefined) return undefined
  const required = operation.parameters.filter(isRequiredQuery)
  const query = Object.fromEntries(required.map(({ name, schema }) => [name, exampleValue(schema)]))
  const args = [
    ...operation.parameters.filter(inPath).map((parameter) => `'${exampleId(parameter)}'`),
    ...(operation.body_example === undefined ? [] : [objectLiteral(operation.body_example)]),
    ...(required.length === 0 ? [] : [objectLiteral(query)]),
  ]
  const call = `florin.${method}(${args.join(', ')})`
  if (operation.id === 'streamEvents')
    return `for await (const event of ${call}) console.log(event)`
  if (isList(operation)) return `for await (const item of ${call}) console.log(item)`
  return `const result = await ${call}`
}

function isList({ responses }: ApiOperation): boolean {
  return responses.some(({ schema }) => schema?.properties?.data?.type === 'array')
}

/** JSON as a JavaScript literal: names without quotes, strings in single quotes. */
function objectLiteral(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return text
    .replaceAll(/^(\s*)"([a-zA-Z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\.)*)"/g, (whole, inner: string) =>
      inner.includes('\\') ? whole : `'${inner}'`,
    )
}

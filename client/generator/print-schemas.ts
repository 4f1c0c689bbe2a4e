// The resources, and what each call takes and gives, as TypeScript.

import { errorCodesOf, type OpenApi, type Operation, type Schema } from './openapi.ts'
import { type Printing, printDoc, printFields, printType, union } from './print-type.ts'

export const head = '// Made by client/generate.ts from docs/reference/openapi.json. Do not edit.\n'

// `Event` and `Error` mean something else to everybody who writes JavaScript. An event of Florin is
// written by hand, because its data depends on its type; an error is thrown as a FlorinError.
//
// A currency is any string to TypeScript, as in other SDKs: programs read it from elsewhere.
const renamed: Record<string, string> = {
  Event: 'EventFields',
  Error: 'ErrorBody',
  Currency: 'string',
}

const rename = (name: string) => renamed[name] ?? name

export function printSchemas(api: OpenApi): string {
  const printing: Printing = { input: false, rename }
  const shapes = Object.entries(api.components.schemas)
    .filter(([name]) => name !== 'Currency')
    .map(([name, schema]) => declare(rename(name), schema, printing))
  return [head, ...shapes].join('\n')
}

export function printErrorCodes(api: OpenApi): string {
  const lines = errorCodesOf(api).map((code) => `  | '${code}'`)
  const doc = '/** What a program decides by when Florin says no. */'
  return [head, doc, 'export type ErrorCode =', ...lines, ''].join('\n')
}

/** Names of what one operation takes and gives. */
export interface Shapes {
  body: string | undefined
  query: string | undefined
  /** The entries, for what responses a page of them. */
  item: string | undefined
  response: string | undefined
}

const stem = (id: string) => id[0]!.toUpperCase() + id.slice(1)

export function shapesOf(operation: Operation): Shapes {
  const { id, body, query, responses } = operation
  const response = responses['application/json']
  const item = response && pageItem(response)
  return {
    body: body && `${stem(id)}Body`,
    query: query.length > 0 ? `${stem(id)}Query` : undefined,
    item: item && printType(item, seen),
    response: response && (response.$ref ? printType(response, seen) : `${stem(id)}Response`),
  }
}

/** As seen from the resources: there an event is the one written by hand. */
const seen: Printing = {
  input: false,
  rename: (name) => (name === 'Event' ? 'FlorinEvent' : rename(name)),
}

/** Pages have `data` and either `has_more` or `pagination`. */
function pageItem({ properties }: Schema): Schema | undefined {
  const is_page = properties?.has_more !== undefined || properties?.pagination !== undefined
  return is_page ? properties?.data?.items : undefined
}

export function isNumbered(operation: Operation): boolean {
  return operation.responses['application/json']?.properties?.pagination !== undefined
}

export function paginationOf(operation: Operation): string {
  return `${stem(operation.id)}Pagination`
}

export function printRequests(operations: Operation[], api: OpenApi): string {
  const parts = operations.flatMap((operation) => {
    const { body, query, response, item } = shapesOf(operation)
    const given = operation.responses['application/json']
    const output: Printing = { input: false, rename }
    return [
      ...(body ? [declare(body, operation.body!, { input: true, rename })] : []),
      ...(query ? [declare(query, querySchema(operation), { input: true, rename })] : []),
      ...(isNumbered(operation)
        ? [declare(paginationOf(operation), given!.properties!.pagination!, output)]
        : []),
      ...(response && !item && !given!.$ref ? [declare(response, given!, output)] : []),
    ]
  })
  return [head, printImports(parts.join('\n'), api), ...parts].join('\n')
}

/** The components that requests name. */
function printImports(text: string, api: OpenApi): string {
  const names = Object.keys(api.components.schemas).map(rename)
  const used = names.filter(
    (name) => name !== 'string' && new RegExp(`: \\(?${name}\\b`).test(text),
  )
  return `import type { ${used.sort().join(', ')} } from './schemas.ts'\n`
}

function querySchema({ query }: Operation): Schema {
  return {
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [
        name!,
        { ...schema, ...(description === undefined ? {} : { description }) },
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name!),
  }
}

function declare(name: string, schema: Schema, printing: Printing): string {
  const doc = schema.description === undefined ? [] : printDoc(schema.description, '')
  const is_plain = schema.$ref === undefined && schema.properties !== undefined
  const shape = is_plain
    ? `export interface ${name} ${printFields(schema, printing, '')}`
    : `export type ${name} = ${union([printType(schema, printing)])}`
  return [...doc, shape, ''].join('\n')
}

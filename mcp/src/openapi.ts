// Reads the OpenAPI document of a server as a list of operations, with every `$ref` inlined.

export interface Schema {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  $ref?: string
  [keyword: string]: unknown
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema?: Schema }>

interface RawOperation {
  operationId: string
  summary: string
  description?: string
  parameters?: Schema[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface OpenApi {
  paths: Record<string, Record<string, RawOperation>>
  components: Record<string, Record<string, Schema>>
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  parameters: Parameter[]
  /** Schema of the JSON body. */
  body: Schema | undefined
  /** The body is a file. */
  takes_file: boolean
  /** Schemas of the successful JSON responses. */
  results: Schema[]
  /** `format` can select a PDF instead. */
  returns_pdf: boolean
}

export function operationsOf(api: OpenApi): Operation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(api, path, method, raw)),
  )
}

function operationOf(api: OpenApi, path: string, method: string, raw: RawOperation): Operation {
  const read = (content: Content | undefined): Schema | undefined => {
    const schema = content?.['application/json']?.schema
    return schema && inlined(api, schema)
  }
  const body = read(raw.requestBody?.content)
  const successes = Object.entries(raw.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content)
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    description: raw.description ?? '',
    parameters: (raw.parameters ?? []).map((one) => inlined(api, one) as never),
    body,
    takes_file: raw.requestBody !== undefined && body === undefined,
    results: successes.map(read).filter((schema) => schema !== undefined),
    returns_pdf: successes.some((content) => content?.['application/pdf'] !== undefined),
  }
}

// Florin's schemas are not recursive. The limit turns a reference cycle into an error.
const depth_max = 30

function inlined(api: OpenApi, schema: Schema, depth = 0): Schema {
  if (depth > depth_max) throw new Error('a schema references itself')
  const { $ref, ...rest } = schema
  // OpenAPI 3.1 allows keywords next to a reference, such as the description of this field.
  if (typeof $ref === 'string') return { ...inlined(api, resolve(api, $ref), depth + 1), ...rest }
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    return typeof value === 'object' && value !== null
      ? inlined(api, value as Schema, depth + 1)
      : value
  }
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, walk(value)]))
}

function resolve({ components }: OpenApi, ref: string): Schema {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(ref) ?? []
  const found = components[kind]?.[name]
  if (found === undefined) throw new Error(`${ref} is not in the document`)
  return found
}

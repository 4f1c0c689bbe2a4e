// Reads an OpenAPI document as a flat list of operations, in document order, with every `$ref`
// inlined.

export interface Schema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
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

interface Media {
  schema?: Schema
  example?: unknown
}

interface RawOperation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

export interface ApiDescription {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, RawOperation>>
  components: Record<string, Record<string, unknown>>
}

export interface ApiOperation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  parameters: Parameter[]
  /** Schema of the JSON body. */
  body: Schema | undefined
  body_required: boolean
  body_example: unknown
  /** A bearer token is required. */
  takes_token: boolean
  responses: ApiResponse[]
}

export interface ApiResponse {
  status: string
  description: string
  schema: Schema | undefined
  example: unknown
}

export function operationsOf(api: ApiDescription): ApiOperation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(api, path, method, raw)),
  )
}

function operationOf(
  api: ApiDescription,
  path: string,
  method: string,
  raw: RawOperation,
): ApiOperation {
  const media = raw.requestBody?.content['application/json']
  const body = media?.schema
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    tag: raw.tags?.[0] ?? '',
    summary: raw.summary,
    description: raw.description ?? '',
    parameters: (raw.parameters ?? []).map((one) => inlined(api, one as Schema) as never),
    body: body && inlined(api, body),
    body_required: raw.requestBody?.required === true,
    body_example: media?.example,
    takes_token: raw.security === undefined || raw.security.length > 0,
    responses: Object.entries(raw.responses).map(([status, { description, content }]) => {
      const { schema, example } = content?.['application/json'] ?? {}
      return { status, description, schema: schema && inlined(api, schema), example }
    }),
  }
}

// Florin's schemas are not recursive. The limit turns a reference cycle into an error.
const depth_max = 30

/** Returns the schema with every reference replaced by its target. */
function inlined(api: ApiDescription, schema: Schema, depth = 0): Schema {
  if (depth > depth_max) throw new Error('a schema references itself')
  if (typeof schema.$ref === 'string') {
    // OpenAPI 3.1 allows keywords next to a reference, such as the description of this field.
    const { $ref, ...siblings } = schema
    return { ...inlined(api, resolve(api, $ref), depth + 1), ...siblings }
  }
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    return typeof value === 'object' && value !== null
      ? inlined(api, value as Schema, depth + 1)
      : value
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, walk(value)]))
}

function resolve(api: ApiDescription, ref: string): Schema {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(ref) ?? []
  const found = api.components[kind]?.[name]
  if (found === undefined) throw new Error(`${ref} is not in the document`)
  return found as Schema
}

// The subset of OpenAPI 3.1 that Florin's document uses.

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  description?: string
  readOnly?: boolean
}

interface Parameter {
  $ref?: string
  in?: string
  name?: string
  required?: boolean
  description?: string
  schema?: Schema
}

type Content = Record<string, { schema: Schema }>

interface OperationObject {
  summary: string
  description: string
  operationId: string
  deprecated?: boolean
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content: Content }>
}

export interface OpenApi {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, OperationObject>>
  /** The requests that Florin sends, by event type. */
  webhooks: Record<string, { post?: Pick<OperationObject, 'requestBody'> }>
}

/** What the generator needs to know about an operation. */
export interface Operation {
  id: string
  summary: string
  description: string
  method: string
  path: string
  path_names: string[]
  query: Parameter[]
  body: Schema | undefined
  body_required: boolean
  /** The body is a file. */
  takes_file: boolean
  /** By content type. */
  responses: Record<string, Schema>
  takes_token: boolean
  takes_account: boolean
  takes_idempotency_key: boolean
  is_health: boolean
  is_deprecated: boolean
}

export function operationsOf(api: OpenApi): Operation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => readOperation(path, method, found)),
  )
}

function readOperation(path: string, method: string, found: OperationObject): Operation {
  const parameters = found.parameters ?? []
  const hasParameter = (name: string) => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`))
  const success = Object.entries(found.responses).find(([status]) => status.startsWith('2'))
  if (success === undefined) throw new Error(`${found.operationId} has no 2xx response.`)
  return {
    id: found.operationId,
    summary: found.summary,
    description: found.description,
    method: method.toUpperCase(),
    path,
    path_names: parameters
      .filter(({ in: location }) => location === 'path')
      .map(({ name }) => name!),
    query: parameters.filter(({ in: location }) => location === 'query'),
    body: found.requestBody?.content['application/json']?.schema,
    body_required: found.requestBody?.required === true,
    takes_file: found.requestBody?.content['application/octet-stream'] !== undefined,
    // A method that returns text also returns CSV, if `format` selects it.
    responses: Object.fromEntries(
      Object.entries(success[1].content)
        .filter(([type]) => type !== 'text/csv' || !('text/plain' in success[1].content))
        .map(([type, { schema }]) => [type, schema]),
    ),
    takes_token: found.security.some((one) => 'access_token' in one),
    takes_account: hasParameter('FlorinAccount'),
    takes_idempotency_key: hasParameter('IdempotencyKey'),
    is_health: found.tags.includes('Health'),
    is_deprecated: found.deprecated === true,
  }
}

/** Types whose response a client returns as text. */
export function isText(content_type: string): boolean {
  return content_type === 'text/plain' || content_type === 'application/xml'
}

/** A page: a response with `data` and `has_more` or `pagination`. A change returns all entries. */
export function isPage({ method, responses }: Operation): boolean {
  const fields = responses['application/json']?.properties
  return method === 'GET' && (fields?.has_more !== undefined || fields?.pagination !== undefined)
}

/** All error codes. */
export function errorCodesOf(api: OpenApi): string[] {
  const codes = api.components.schemas.Error?.properties?.error?.enum ?? []
  return [...(codes as string[])].sort()
}

export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

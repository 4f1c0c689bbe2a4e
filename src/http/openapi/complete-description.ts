// The final pass over the OpenAPI document: adds or corrects what @fastify/swagger cannot
// derive.

import { mark_key, type OperationMarks } from '../mark-operation.ts'
import { documentedFormats, formatRules } from '../schemas/formats.ts'
import { describeWebhooks } from './describe-webhooks.ts'
import { exampleOf, type JsonSchema } from './example-of.ts'

interface Media {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Response {
  description: string
  headers?: Record<string, object>
  content?: Record<string, Media>
}

interface Parameter {
  name?: string
  description?: string
  required?: boolean
  schema?: JsonSchema
  $ref?: string
}

interface Operation {
  description: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
  [mark_key]?: OperationMarks
}

interface Description {
  components?: { schemas?: Record<string, JsonSchema>; [kind: string]: unknown }
  paths?: Record<string, Record<string, Operation>>
}

export function completeDescription(document: object): object {
  const description = document as Description
  const named = description.components?.schemas ?? {}
  Object.values(named).forEach(describeFormats)
  for (const path of Object.values(description.paths ?? {})) {
    for (const operation of Object.values(path)) completeOperation(operation, named)
  }
  const { components } = description
  return {
    ...description,
    webhooks: describeWebhooks(),
    components: { ...components, headers, parameters: { FlorinAccount, IdempotencyKey } },
  }
}

function completeOperation(operation: Operation, named: Record<string, JsonSchema>): void {
  const marks = operation[mark_key]
  delete operation[mark_key]
  if (marks?.counted === false) delete operation.responses['429']
  if (marks?.scope !== undefined) {
    const key = marks.for_platforms ? 'A platform key' : 'An API key'
    operation.description += `\n\n${key} needs the scope \`${marks.scope}\`.`
  }
  completeParameters(operation, marks)
  describeCursors(operation, named)
  completeBody(operation, marks, named)
  for (const [status, response] of Object.entries(operation.responses)) {
    completeResponse(Number(status), response, named)
  }
}

function completeParameters(operation: Operation, marks: OperationMarks | undefined): void {
  const parameters = operation.parameters ?? []
  for (const parameter of parameters) {
    if (parameter.schema === undefined) continue
    describeFormats(parameter.schema)
    const { description: rule, ...schema } = parameter.schema
    if (rule !== undefined) parameter.description = `${parameter.description ?? ''} ${rule}`.trim()
    parameter.schema = schema
    // A parameter with a default is optional, although handlers always see a value.
    if (schema.default !== undefined) parameter.required = false
  }
  if (marks?.takes_account) parameters.push({ $ref: '#/components/parameters/FlorinAccount' })
  if (marks?.takes_idempotency_key)
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (parameters.length > 0) operation.parameters = parameters
}

/** A cursor is the id of an entry of the list. */
function describeCursors(operation: Operation, named: Record<string, JsonSchema>): void {
  const list = operation.responses['200']?.content?.['application/json']?.schema
  const item = list?.properties?.data?.items?.$ref?.split('/').at(-1)
  const pattern = item === undefined ? undefined : named[item]?.properties?.id?.pattern
  if (pattern === undefined) return
  for (const { name, schema } of operation.parameters ?? []) {
    const is_cursor = name === 'starting_after' || name === 'ending_before' || name === 'after'
    if (is_cursor && schema?.type === 'string') schema.pattern = pattern
  }
}

const file_content = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
}

function completeBody(
  operation: Operation,
  marks: OperationMarks | undefined,
  named: Record<string, JsonSchema>,
): void {
  if (marks?.takes_file) operation.requestBody = { required: true, content: file_content }
  const media = operation.requestBody?.content['application/json']
  if (operation.requestBody === undefined || media === undefined) return
  // A schema that only allows an empty body exists to reject fields. There is nothing to
  // describe.
  if (Object.keys(media.schema.properties ?? {}).length === 0) {
    delete operation.requestBody
    return
  }
  describeFormats(media.schema)
  operation.requestBody.required = !marks?.body_optional
  media.example ??= exampleOf(media.schema, named)
}

function completeResponse(
  status: number,
  response: Response,
  named: Record<string, JsonSchema>,
): void {
  response.headers = { 'Request-Id': header('RequestId'), ...headersOf(status) }
  const [[type, media] = []] = Object.entries(response.content ?? {})
  if (type === undefined || media === undefined) return
  // The response object already has the description.
  delete media.schema.description
  if (status < 400) {
    describeFormats(media.schema)
    media.example ??= exampleOf(media.schema, named)
    return
  }
  // Errors are JSON even where the success response is text.
  response.content = { 'application/json': errorMedia(media, response.description) }
}

// One schema for all errors and one example per code, so that generators create one model
// instead of one per status and operation.
function errorMedia(media: Media, description: string): Media {
  const codes = (media.schema.properties?.error?.enum ?? []) as string[]
  const examples = codes.map((error) => {
    const message = new RegExp(`\`${error}\`: ([^\n]*)`).exec(description)?.[1] ?? ''
    return [error, { value: { error, message } }] as const
  })
  const schema = { $ref: '#/components/schemas/Error' }
  return { schema, examples: Object.fromEntries(examples) }
}

const headers = {
  RequestId: {
    description: 'Identifies this request in the logs. Include it when you contact the operator.',
    schema: { type: 'string', examples: ['req_01h455vb4pex5vsknk084sn02q'] },
  },
  RetryAfter: {
    description: 'The number of seconds to wait before retrying.',
    schema: { type: 'integer', format: 'int32', examples: [1] },
  },
  WWWAuthenticate: {
    description:
      'Bearer. An error parameter means that the token is valid: `error="insufficient_scope"` ' +
      'when it lacks permission, `error="insufficient_user_authentication"` when the password ' +
      'sent with it is wrong.',
    schema: { type: 'string', examples: ['Bearer'] },
  },
}

function headersOf(status: number): Record<string, object> {
  if (status === 401) return { 'WWW-Authenticate': header('WWWAuthenticate') }
  if (status === 429 || status === 503) return { 'Retry-After': header('RetryAfter') }
  return {}
}

function header(name: keyof typeof headers): object {
  return { $ref: `#/components/headers/${name}` }
}

const IdempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Up to 255 printable ASCII characters of your choice. Retries with the same key and the same ' +
    'request have one effect and return the same response for 30 days.',
  schema: { type: 'string', maxLength: 255 },
  example: 'order-114-attempt-1',
}

const FlorinAccount = {
  name: 'Florin-Account',
  in: 'header',
  required: false,
  description:
    'The account to act on, for admins and platform users. Other callers may only name their own ' +
    'account.',
  schema: { type: 'string' },
  example: 'acct_01h455vb4pex5vsknk084sn02q',
}

// Amounts and sequence numbers exceed 32 bits, which generators for Java and C# use by default.
function describeIntegers(schema: JsonSchema): void {
  const fits_32_bits = Math.abs(Number(schema.maximum ?? Number.POSITIVE_INFINITY)) < 2 ** 31
  if ([schema.type].flat().includes('integer') && !fits_32_bits) schema.format = 'int64'
}

// Custom formats become JSON Schema plus a sentence. Internal marks are removed.
function describeFormats(schema: JsonSchema): void {
  const format = schema.format ?? ''
  const rule = formatRules[format]
  if (rule !== undefined && format !== 'email') {
    delete schema.format
    Object.assign(schema, documentedFormats[format])
    schema.description = `${schema.description ?? ''} It ${rule}.`.trim()
  }
  Object.assign(schema, schema['x-documented'])
  delete schema['x-documented']
  // The referenced component has these rules.
  if (schema.$ref !== undefined) for (const rule of ['type', 'maxLength']) delete schema[rule]
  describeIntegers(schema)
  if (schema['x-secret'] === true) schema.writeOnly = true
  delete schema['x-secret']
  for (const field of Object.values(schema.properties ?? {})) describeFormats(field)
  if (schema.items !== undefined) describeFormats(schema.items)
}

// A tool call is one API request. An API error becomes a tool result with `isError` and the API's
// message, which names the field and the next step.

import { FlorinError, type RequestOptions } from '../../client/src/florin.ts'
import type { FlorinServer } from './florin-server.ts'
import { isObject } from './json-rpc.ts'
import type { Tool } from './tools.ts'

interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** Every call has a new Idempotency-Key, which also covers its retry. */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  server: FlorinServer,
  signal: AbortSignal,
): Promise<ToolResult> {
  const request = prepare(tool, args)
  if (typeof request === 'string') return refusal(request)
  const { path, ...options } = request
  try {
    const { text } = await server.florin.request(tool.operation.method, path, {
      ...options,
      signal,
    })
    return resultOf(server.withoutCredential(text))
  } catch (error) {
    if (signal.aborted) throw error
    // The SDK rejects a number that JSON cannot represent.
    if (error instanceof TypeError) return refusal(error.message)
    if (!(error instanceof FlorinError)) throw error
    const message = server.withoutCredential(server.explain(error))
    return refusal(error.outcome_unknown ? `${message} ${unknown_outcome}` : message)
  }
}

// A repeated tool call has another key, so it could make the change twice.
const unknown_outcome =
  'The outcome is unknown: check with a list or get tool before you call this tool again.'

// A page of 100 entries is a few hundred kilobytes.
const text_length_max = 4_194_304

function resultOf(text: string): ToolResult {
  if (text.length > text_length_max) {
    return refusal('The response is too long. Request fewer entries with "limit".')
  }
  const value = parse(text)
  const result: ToolResult = { content: [{ type: 'text', text }] }
  return isObject(value) ? { ...result, structuredContent: value } : result
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function refusal(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

// Path parameters are ids. A value such as `..` would change the path of the request.
const path_value = /^[A-Za-z0-9_-]{1,200}$/

/** Returns the request, or an error message about the arguments. */
function prepare(
  { operation, locations, listing }: Tool,
  args: Record<string, unknown>,
): (RequestOptions & { path: string }) | string {
  const missing = (listing.inputSchema.required ?? []).find((name) => args[name] === undefined)
  if (missing !== undefined) return `"${missing}" is required by ${listing.name}.`
  let path = operation.path
  let account: string | undefined
  const query: Record<string, unknown> = {}
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const location = locations.get(name)
    if (location === undefined) {
      const known = [...locations.keys()].join(', ') || 'none'
      return `"${name}" is not an argument of ${listing.name}. Arguments: ${known}.`
    }
    if (value === undefined) continue
    if (location === 'body') body[name] = value
    else if (!isPlain(value)) return `"${name}" must be a string, a number or a boolean.`
    else if (location === 'query') query[name] = value
    else if (!path_value.test(String(value))) return `"${name}" must be an id; got "${value}".`
    else if (location === 'account') account = String(value)
    else path = path.replace(`{${name}}`, String(value))
  }
  return { path, query, body: operation.body && body, account }
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

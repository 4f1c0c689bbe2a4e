// A tool call is one API request. An API error becomes a tool result with `isError` and the API's
// message, which names the field and the next step.

import { randomUUID } from 'node:crypto'
import { causeCode } from '../../src/primitives/never-sent.ts'
import { explainInfinite, findInfinite } from '../../src/primitives/strict-json.ts'
import { isObject } from './json-rpc.ts'
import {
  type ApiResponse,
  type PreparedRequest,
  ResponseTooLong,
  RetryingRequest,
  type Target,
} from './send-with-retry.ts'
import type { Tool } from './tools.ts'

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  target: Target,
  signal: AbortSignal,
): Promise<ToolResult> {
  const request = prepare(tool, args, target)
  if (typeof request === 'string') return refusal(request)
  const retrying = new RetryingRequest(request, target, signal)
  const refuse = (message: string, response?: ApiResponse) =>
    refusal(
      tool.is_read || !retrying.mayHaveBeenApplied(response)
        ? message
        : `${message} ${unknown_outcome}`,
    )
  try {
    const response = await retrying.send()
    if (response.is_ok) return resultOf(response.text)
    return refuse(describeRefusal(response, target.url), response)
  } catch (error) {
    if (signal.aborted) throw error
    return refuse(explain(error, retrying))
  }
}

// Every tool call has a new Idempotency-Key, so a repeated call could make the change twice.
const unknown_outcome =
  'The outcome is unknown: check with a list or get tool before you call this tool again.'

function resultOf(text: string): ToolResult {
  const value = parse(text)
  const result: ToolResult = { content: [{ type: 'text', text }] }
  return isObject(value) ? { ...result, structuredContent: value } : result
}

export function refusal(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

// Path parameters are ids. A value such as `..` would change the path of the request.
const path_value = /^[A-Za-z0-9_-]{1,200}$/

/** Returns the request, or an error message about the arguments. */
function prepare(
  tool: Tool,
  args: Record<string, unknown>,
  target: Target,
): PreparedRequest | string {
  const { operation, locations, listing } = tool
  const missing = (listing.inputSchema.required ?? []).find((name) => args[name] === undefined)
  if (missing !== undefined) return `"${missing}" is required by ${listing.name}.`
  const infinite = findInfinite(args)
  if (infinite !== undefined) return explainInfinite(infinite)
  let path = operation.path
  let account = target.account
  const query = new URLSearchParams()
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
    else if (location === 'query') query.set(name, String(value))
    else if (!path_value.test(String(value))) return `"${name}" must be an id; got "${value}".`
    else if (location === 'account') account = String(value)
    else path = path.replace(`{${name}}`, String(value))
  }
  const search = query.size === 0 ? '' : `?${query}`
  return { url: `${target.url}${path}${search}`, init: initOf(tool, body, { ...target, account }) }
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function initOf(tool: Tool, body: Record<string, unknown>, target: Target): RequestInit {
  const { operation, is_read } = tool
  const headers: Record<string, string> = { accept: 'application/json' }
  if (target.credential !== undefined) headers.authorization = `Bearer ${target.credential}`
  if (target.account !== undefined) headers['florin-account'] = target.account
  if (!is_read) headers['idempotency-key'] = randomUUID()
  // Never send the credential to another server.
  const init: RequestInit = { method: operation.method, headers, redirect: 'manual' }
  if (operation.body === undefined) return init
  headers['content-type'] = 'application/json'
  return { ...init, body: JSON.stringify(body) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeRefusal({ status, request_id, text }: ApiResponse, url: string): string {
  if (status >= 300 && status < 400) {
    return `${url} returned a redirect (${status}). Set --url to its target.`
  }
  const value = parse(text)
  const error = isObject(value) && typeof value.message === 'string' ? value : undefined
  const message = error ? `${error.error}: ${error.message}` : 'The response is not from Florin.'
  return `${status} ${message}${request_id ? ` (${request_id})` : ''}`
}

function explain(error: unknown, { url, response_timeout_ms }: RetryingRequest): string {
  if (error instanceof ResponseTooLong)
    return 'The response is too long. Request fewer entries with "limit".'
  if ((error as Error).name === 'TimeoutError') {
    return `No response from ${url} within ${response_timeout_ms / 1_000} s.`
  }
  const reason = causeCode(error) ?? (error as Error).name
  return `Cannot reach Florin at ${url} (${reason}). Start it with npm start, or set --url.`
}

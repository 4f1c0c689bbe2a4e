// One call of a tool is one request to the API. What the API refuses comes back as a result that
// says so, in the API's own words: they name the field and what to do next.

import { randomUUID } from 'node:crypto'
import { explainInfinite, findInfinite } from '../primitives/find-infinite.ts'
import { causeCode } from '../primitives/never-sent.ts'
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
  given: Record<string, unknown>,
  target: Target,
  signal: AbortSignal,
): Promise<ToolResult> {
  const request = prepare(tool, given, target)
  if (typeof request === 'string') return refusal(request)
  const request_attempts = new RetryingRequest(request, target, signal)
  const refuse = (words: string, response?: ApiResponse) =>
    refusal(
      tool.is_read || !request_attempts.mayHaveBeenApplied(response)
        ? words
        : `${words} ${unknown}`,
    )
  try {
    const response = await request_attempts.send()
    if (response.is_ok) return resultOf(response.text)
    return refuse(describeRefusal(response, target.url), response)
  } catch (error) {
    if (signal.aborted) throw error
    return refuse(explain(error, request_attempts))
  }
}

// Each call has a key of its own, so whoever calls again without looking may do it twice.
const unknown =
  'It may have been done all the same: look with the list or get tool before you call it again.'

function resultOf(text: string): ToolResult {
  const value = parse(text)
  const result: ToolResult = { content: [{ type: 'text', text }] }
  return isObject(value) ? { ...result, structuredContent: value } : result
}

export function refusal(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

// An id, and nothing that a URL reads as a way: `..` would make another call of it.
const path_value = /^[A-Za-z0-9_-]{1,200}$/

/** The request, or what is wrong with the arguments. */
function prepare(
  tool: Tool,
  given: Record<string, unknown>,
  target: Target,
): PreparedRequest | string {
  const { operation, locations, listing } = tool
  const missing = (listing.inputSchema.required ?? []).find((name) => given[name] === undefined)
  if (missing !== undefined) return `${missing} is missing: ${listing.name} needs it.`
  const infinite = findInfinite(given)
  if (infinite !== undefined) return explainInfinite(infinite)
  let path = operation.path
  let account = target.account
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const location = locations.get(name)
    if (location === undefined) {
      const known = [...locations.keys()].join(', ') || 'none'
      return `${name} is no argument of ${listing.name}. Its arguments are: ${known}.`
    }
    if (value === undefined) continue
    if (location === 'body') body[name] = value
    else if (!isPlain(value)) return `${name} must be a text, a number or a boolean.`
    else if (location === 'query') query.set(name, String(value))
    else if (!path_value.test(String(value))) return `${name} must be an id.`
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
  // The credential goes to this server and nowhere else.
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
    return `${url} answered ${status}: give --url the address that it leads to.`
  }
  const value = parse(text)
  const told = isObject(value) && typeof value.message === 'string' ? value : undefined
  const words = told ? `${told.error}: ${told.message}` : 'The response was not one of Florin.'
  return `${status} ${words}${request_id ? ` (${request_id})` : ''}`
}

function explain(error: unknown, { url, response_timeout_ms }: RetryingRequest): string {
  if (error instanceof ResponseTooLong) return 'The response is too long. Ask for fewer with limit.'
  if ((error as Error).name === 'TimeoutError') {
    return `${url} gave no response within ${response_timeout_ms / 1_000} s.`
  }
  const why = causeCode(error) ?? (error as Error).name
  return `Florin does not response at ${url} (${why}). Start it with npm start, or give its --url.`
}

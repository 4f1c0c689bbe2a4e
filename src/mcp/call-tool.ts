// One call of a tool is one request to the API. What the API refuses comes back as a result that
// says so, in the API's own words: they name the field and what to do next.

import { randomUUID } from 'node:crypto'
import { isObject } from './json-rpc.ts'
import type { Tool } from './tools.ts'

export interface Target {
  url: string
  /** An API key or an access token; undefined for calls that need none. */
  credential: string | undefined
  account: string | undefined
}

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
  try {
    return await ask(request, target, signal)
  } catch (error) {
    if (signal.aborted) throw error
    return refusal(explain(error, target.url))
  }
}

export function refusal(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

interface Prepared {
  url: string
  init: RequestInit
}

// An id, and nothing that a URL reads as a way: `..` would make another call of it.
const path_value = /^[A-Za-z0-9_-]{1,200}$/

/** The request, or what is wrong with the arguments. */
function prepare(tool: Tool, given: Record<string, unknown>, target: Target): Prepared | string {
  const { operation, places, shown } = tool
  const missing = (shown.inputSchema.required ?? []).find((name) => given[name] === undefined)
  if (missing !== undefined) return `${missing} is missing: ${shown.name} needs it.`
  let path = operation.path
  let account = target.account
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const place = places.get(name)
    if (place === undefined) {
      const known = [...places.keys()].join(', ') || 'none'
      return `${name} is no argument of ${shown.name}. Its arguments are: ${known}.`
    }
    if (value === undefined) continue
    if (place === 'body') body[name] = value
    else if (!isPlain(value)) return `${name} must be a text, a number or a boolean.`
    else if (place === 'query') query.set(name, String(value))
    else if (!path_value.test(String(value))) return `${name} must be an id.`
    else if (place === 'account') account = String(value)
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
  const init: RequestInit = { method: operation.method, headers, redirect: 'error' }
  if (operation.body === undefined) return init
  headers['content-type'] = 'application/json'
  return { ...init, body: JSON.stringify(body) }
}

// Longer than the server itself takes for anything.
const timeout_ms = 30_000

// A page of a hundred entries has some hundred kilobytes; more than this no reader of text wants.
const answer_bytes_max = 4_194_304

async function ask({ url, init }: Prepared, target: Target, signal: AbortSignal) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
  const answer = await askTwice(url, { ...init, signal: limit })
  const text = withoutSecret(await readBounded(answer), target.credential)
  const value = parse(text)
  if (!answer.ok) return refusal(describeRefusal(answer, value))
  const result: ToolResult = { content: [{ type: 'text', text }] }
  return isObject(value) ? { ...result, structuredContent: value } : result
}

// A server that is started again cuts connections. The second request has the first one's
// Idempotency-Key, so what was done is done once.
async function askTwice(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted || codeOf(error) === 'ECONNREFUSED') throw error
    return fetch(url, init)
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > answer_bytes_max) throw new TooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

class TooLong extends Error {}

// The API never repeats a credential; should something in between, it goes no further.
function withoutSecret(text: string, credential: string | undefined): string {
  return credential === undefined ? text : text.replaceAll(credential, '[credential]')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeRefusal(answer: Response, value: unknown): string {
  const request_id = answer.headers.get('request-id')
  const told = isObject(value) && typeof value.message === 'string' ? value : undefined
  const words = told ? `${told.error}: ${told.message}` : 'The answer was not one of Florin.'
  return `${answer.status} ${words}${request_id ? ` (${request_id})` : ''}`
}

function explain(error: unknown, url: string): string {
  if (error instanceof TooLong) return 'The answer is too long. Ask for fewer with limit.'
  if ((error as Error).name === 'TimeoutError') return `${url} gave no answer within 30 s.`
  const why = codeOf(error) ?? (error as Error).name
  return `Florin does not answer at ${url} (${why}). Start it with npm start, or give its --url.`
}

function codeOf(error: unknown): string | undefined {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
}

// A Model Context Protocol server over two streams. Revisions up to 2025-11-25 begin with a
// handshake; since 2026-07-28 each request names its version itself. Both are served, and which one
// it is, is seen from each request.

import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '../handbook/pages.ts'
import { callTool, refusal } from './call-tool.ts'
import {
  faultLine,
  isObject,
  type Notification,
  type Request,
  type RequestId,
  RpcFault,
  readMessage,
  resultLine,
} from './json-rpc.ts'
import { line_bytes_max, readLines, too_long } from './read-lines.ts'
import { findResource, listResources } from './resources.ts'
import type { Target } from './send-with-retry.ts'
import type { Tool } from './tools.ts'

export interface McpParts {
  input: Readable
  write: (line: string) => void
  tools: Tool[]
  pages: Page[]
  target: Target
  allow_writes: boolean
  version: string
}

/** Newest first. Only 2025-03-26 asked for batches, which no client sends: it is left out. */
const handshake_versions = ['2025-11-25', '2025-06-18', '2024-11-05']
const stateless_versions = ['2026-07-28']

const meta = 'io.modelcontextprotocol'

// More at once than any reader needs; beyond that one that runs wild is told so.
const concurrency_max = 32

// Somebody who pipes questions in closes the input behind the last and still wants the answers; a
// client that closes it wants the process gone.
const grace_ms = 2_000

/** Ends when the input does. */
export async function serveMcp(parts: McpParts): Promise<void> {
  const session = new Session(parts)
  for await (const line of readLines(parts.input)) session.take(line)
  await session.end(grace_ms)
}

class Session {
  readonly #parts: McpParts
  readonly #tools: Map<string, Tool>
  readonly #under_way = new Map<RequestId, AbortController>()
  #is_ready = false

  constructor(parts: McpParts) {
    this.#parts = parts
    this.#tools = new Map(parts.tools.map((tool) => [tool.listing.name, tool]))
  }

  take(line: string | typeof too_long): void {
    try {
      if (line === too_long) {
        throw new RpcFault('invalid_request', `A line has at most ${line_bytes_max} bytes.`)
      }
      if (line.trim() === '') return
      const message = readMessage(line)
      if (message === undefined) return
      if (message.id === undefined) this.#hear(message)
      else void this.#response(message)
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      this.#parts.write(faultLine(error, error.id))
    }
  }

  /** Waits for what is under way, and gives up what takes longer. */
  async end(grace_ms: number): Promise<void> {
    const late = AbortSignal.timeout(grace_ms)
    while (this.#under_way.size > 0 && !late.aborted) await sleep(10)
    for (const control of this.#under_way.values()) control.abort()
    this.#under_way.clear()
  }

  /** Notifications are never answered, not even unknown ones. */
  #hear({ method, params }: Notification): void {
    if (method !== 'notifications/cancelled') return
    const id = params.requestId as RequestId
    this.#under_way.get(id)?.abort()
    this.#under_way.delete(id)
  }

  async #response(request: Request): Promise<void> {
    const { id } = request
    const control = new AbortController()
    try {
      if (this.#under_way.has(id)) throw new RpcFault('invalid_request', 'This id is in use.')
      if (this.#under_way.size >= concurrency_max) {
        throw new RpcFault('internal', `At most ${concurrency_max} requests at a time.`)
      }
      this.#under_way.set(id, control)
      const result = await this.#result(request, control.signal)
      if (!control.signal.aborted) this.#parts.write(resultLine(id, result))
    } catch (error) {
      // Whoever cancels hears no more of it.
      if (!control.signal.aborted) this.#parts.write(faultLine(faultFor(error), id))
    } finally {
      if (this.#under_way.get(id) === control) this.#under_way.delete(id)
    }
  }

  async #result(request: Request, signal: AbortSignal): Promise<object> {
    if (!isStateless(request)) return this.#afterHandshake(request, signal)
    requireVersion(request)
    if (request.method === 'server/discover') {
      return complete(this.#parts, {
        supportedVersions: stateless_versions,
        ...this.#introduction(),
        ...caching,
      })
    }
    const result = await this.#serve(request, signal)
    return complete(this.#parts, cacheable.has(request.method) ? { ...result, ...caching } : result)
  }

  async #afterHandshake(request: Request, signal: AbortSignal): Promise<object> {
    if (request.method === 'ping') return {}
    if (request.method === 'initialize') {
      this.#is_ready = true
      const asked = String(request.params.protocolVersion)
      const agreed = handshake_versions.includes(asked) ? asked : handshake_versions[0]
      return { protocolVersion: agreed, ...this.#introduction() }
    }
    if (!this.#is_ready) {
      const way = `Send initialize first, or name ${meta}/protocolVersion in _meta.`
      throw new RpcFault('invalid_request', way)
    }
    return this.#serve(request, signal)
  }

  #introduction() {
    const { version, allow_writes, target } = this.#parts
    return {
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'florin', title: 'Florin', version },
      instructions:
        `Tools call the Florin payments API at ${target.url}. Amounts are in minor units: ` +
        '7500 is 75.00 USD. Resources are its guides. ' +
        (allow_writes
          ? 'Tools may move money: ask the user before each change.'
          : 'This server only reads; it was started without --allow-writes.'),
    }
  }

  async #serve(request: Request, signal: AbortSignal): Promise<object> {
    const { method, params } = request
    const { pages } = this.#parts
    switch (method) {
      case 'tools/list':
        return { tools: this.#listed() }
      case 'tools/call':
        return this.#call(params, signal)
      case 'resources/list':
        return { resources: listResources(pages) }
      case 'resources/templates/list':
        return { resourceTemplates: [] }
      case 'resources/read': {
        const found = findResource(pages, params.uri)
        if (found) return { contents: [found] }
        const kind = isStateless(request) ? 'invalid_params' : 'unknown_resource'
        const data = { uri: params.uri }
        throw new RpcFault(kind, 'No such resource. resources/list has them all.', { data })
      }
      default:
        throw new RpcFault('unknown_method', `There is no method ${method} here.`)
    }
  }

  #listed() {
    const { tools, allow_writes } = this.#parts
    return tools.filter(({ is_read }) => is_read || allow_writes).map(({ listing }) => listing)
  }

  async #call({ name, arguments: given = {} }: Record<string, unknown>, signal: AbortSignal) {
    const tool = this.#tools.get(String(name))
    if (tool === undefined) {
      throw new RpcFault('invalid_params', `Unknown tool: ${name}. tools/list has them all.`)
    }
    if (!isObject(given)) throw new RpcFault('invalid_params', 'arguments must be an object.')
    if (!tool.is_read && !this.#parts.allow_writes) {
      return refusal(
        `${name} changes something, and this server only reads. ` +
          'Whoever runs it may start it with florin mcp --allow-writes.',
      )
    }
    return callTool(tool, given, this.#parts.target, signal)
  }
}

function isStateless({ method, params }: Request): boolean {
  return method === 'server/discover' || metaOf(params)[`${meta}/protocolVersion`] !== undefined
}

function metaOf(params: Record<string, unknown>): Record<string, unknown> {
  return isObject(params._meta) ? params._meta : {}
}

function requireVersion({ params }: Request): void {
  const requested = metaOf(params)[`${meta}/protocolVersion`]
  if (typeof requested !== 'string') {
    throw new RpcFault('invalid_params', `_meta must name ${meta}/protocolVersion.`)
  }
  if (!stateless_versions.includes(requested)) {
    const data = { supported: [...stateless_versions, ...handshake_versions], requested }
    throw new RpcFault('unsupported_version', 'Unsupported protocol version', { data })
  }
  if (!isObject(metaOf(params)[`${meta}/clientCapabilities`])) {
    throw new RpcFault('invalid_params', `_meta must hold ${meta}/clientCapabilities.`)
  }
}

// The tools and guides of a version never change while it runs.
const caching = { ttlMs: 3_600_000, cacheScope: 'public' }

const cacheable = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

function complete({ version }: McpParts, result: object): object {
  const info = { [`${meta}/serverInfo`]: { name: 'florin', title: 'Florin', version } }
  return { resultType: 'complete', ...result, _meta: info }
}

function faultFor(error: unknown): RpcFault {
  return error instanceof RpcFault ? error : new RpcFault('internal', 'Florin failed at this.')
}

// A Model Context Protocol server over two streams. Revisions up to 2025-11-25 start with a
// handshake; since 2026-07-28 each request states its version. Both are supported, decided per
// request.

import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlorinError } from '../../client/src/florin.ts'
import { callTool, refusal } from './call-tool.ts'
import { FlorinServer, type ServerOptions } from './florin-server.ts'
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
import type { Tool } from './tools.ts'

interface McpParts {
  input: Readable
  write: (line: string) => void
  server: ServerOptions
  allow_writes: boolean
  version: string
}

/** Newest first. Without 2025-03-26, the only revision that requires batches. */
const handshake_versions = ['2025-11-25', '2025-06-18', '2024-11-05']
const stateless_versions = ['2026-07-28']

const meta = 'io.modelcontextprotocol'

// More than a client needs; stops a runaway client.
const concurrency_max = 32

// After the input ends, requests in progress get this long to finish: a script that pipes requests
// needs their responses, but a client that closes the input expects the process to exit.
const grace_ms = 4_000

/** Resolves when the input ends. */
export async function serveMcp(parts: McpParts): Promise<void> {
  const session = new Session(parts)
  for await (const line of readLines(parts.input)) session.receive(line)
  await session.end(grace_ms)
}

class Session {
  readonly #parts: McpParts
  readonly #server: FlorinServer
  readonly #in_progress = new Map<RequestId, AbortController>()
  #is_ready = false

  constructor(parts: McpParts) {
    this.#parts = parts
    this.#server = new FlorinServer(parts.server)
  }

  receive(line: string | typeof too_long): void {
    try {
      if (line === too_long) {
        throw new RpcFault('invalid_request', `A line must have at most ${line_bytes_max} bytes.`)
      }
      if (line.trim() === '') return
      const message = readMessage(line)
      if (message === undefined) return
      if (message.id === undefined) this.#onNotification(message)
      else void this.#respond(message)
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      this.#parts.write(faultLine(error, error.id))
    }
  }

  /** Waits for requests in progress, then cancels the rest. */
  async end(grace_ms: number): Promise<void> {
    const late = AbortSignal.timeout(grace_ms)
    while (this.#in_progress.size > 0 && !late.aborted) await sleep(10)
    for (const control of this.#in_progress.values()) control.abort()
    this.#in_progress.clear()
  }

  /** A notification never gets a response, not even an unknown one. */
  #onNotification({ method, params }: Notification): void {
    if (method !== 'notifications/cancelled') return
    const id = params.requestId as RequestId
    this.#in_progress.get(id)?.abort()
    this.#in_progress.delete(id)
  }

  async #respond(request: Request): Promise<void> {
    const { id } = request
    const control = new AbortController()
    try {
      if (this.#in_progress.has(id))
        throw new RpcFault('invalid_request', 'A request with this id is in progress.')
      if (this.#in_progress.size >= concurrency_max) {
        throw new RpcFault(
          'internal',
          `At most ${concurrency_max} concurrent requests are allowed.`,
        )
      }
      this.#in_progress.set(id, control)
      const result = await this.#result(request, control.signal)
      if (!control.signal.aborted) this.#parts.write(resultLine(id, result))
    } catch (error) {
      // A canceled request gets no response.
      if (!control.signal.aborted) this.#parts.write(faultLine(this.#faultFor(error), id))
    } finally {
      if (this.#in_progress.get(id) === control) this.#in_progress.delete(id)
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
      const requested = String(request.params.protocolVersion)
      const agreed = handshake_versions.includes(requested) ? requested : handshake_versions[0]
      return { protocolVersion: agreed, ...this.#introduction() }
    }
    if (!this.#is_ready) {
      const message = `Send initialize first, or set ${meta}/protocolVersion in _meta.`
      throw new RpcFault('invalid_request', message)
    }
    return this.#serve(request, signal)
  }

  #introduction() {
    const { version, allow_writes, server } = this.#parts
    return {
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'florin', title: 'Florin', version },
      instructions:
        `Tools call the Florin payments API at ${server.url}. Amounts are in minor units: ` +
        '7500 is 75.00 USD. Resources are the guides, concepts and reference. ' +
        (allow_writes
          ? 'Tools can move money: ask the user before each change.'
          : 'This server is read-only; it was started without --allow-writes.'),
    }
  }

  async #serve(request: Request, signal: AbortSignal): Promise<object> {
    const { method, params } = request
    switch (method) {
      case 'tools/list':
        return { tools: await this.#listTools(signal) }
      case 'tools/call':
        return this.#call(params, signal)
      case 'resources/list':
        return { resources: await this.#server.pages(signal) }
      case 'resources/templates/list':
        return { resourceTemplates: [] }
      case 'resources/read':
        return this.#readResource(request, signal)
      default:
        throw new RpcFault('unknown_method', `Unknown method: ${method}.`)
    }
  }

  async #readResource(request: Request, signal: AbortSignal) {
    const { uri } = request.params
    const page = (await this.#server.pages(signal)).find((one) => one.uri === uri)
    if (page === undefined) {
      const kind = isStateless(request) ? 'invalid_params' : 'unknown_resource'
      const message = 'Unknown resource. List them with resources/list.'
      throw new RpcFault(kind, message, { data: { uri } })
    }
    const text = await this.#server.readPage(page, signal)
    return { contents: [{ uri, mimeType: page.mimeType, text }] }
  }

  async #listTools(signal: AbortSignal) {
    const { allow_writes } = this.#parts
    const tools = [...(await this.#server.tools(signal)).values()]
    return tools.filter(({ is_read }) => is_read || allow_writes).map(({ listing }) => listing)
  }

  async #call({ name, arguments: args = {} }: Record<string, unknown>, signal: AbortSignal) {
    if (!isObject(args)) throw new RpcFault('invalid_params', '"arguments" must be an object.')
    const tool = await this.#findTool(String(name), signal)
    if (typeof tool === 'string') return refusal(tool)
    if (!tool.is_read && !this.#parts.allow_writes) {
      return refusal(
        `${name} makes changes, and this server is read-only. ` +
          'To allow changes, start it with florin mcp --allow-writes.',
      )
    }
    return callTool(tool, args, this.#server, signal)
  }

  /** A message for the model if the tools cannot be loaded. */
  async #findTool(name: string, signal: AbortSignal): Promise<Tool | string> {
    try {
      const tool = (await this.#server.tools(signal)).get(name)
      if (tool !== undefined) return tool
    } catch (error) {
      if (!(error instanceof FlorinError)) throw error
      return this.#server.explain(error)
    }
    throw new RpcFault('invalid_params', `Unknown tool: ${name}. List them with tools/list.`)
  }

  #faultFor(error: unknown): RpcFault {
    if (error instanceof RpcFault) return error
    const message = error instanceof FlorinError ? this.#server.explain(error) : 'Internal error.'
    return new RpcFault('internal', message)
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
    throw new RpcFault('invalid_params', `"_meta" must contain ${meta}/protocolVersion.`)
  }
  if (!stateless_versions.includes(requested)) {
    const data = { supported: [...stateless_versions, ...handshake_versions], requested }
    throw new RpcFault('unsupported_version', 'Unsupported protocol version', { data })
  }
  if (!isObject(metaOf(params)[`${meta}/clientCapabilities`])) {
    throw new RpcFault('invalid_params', `"_meta" must contain ${meta}/clientCapabilities.`)
  }
}

// Tools and pages do not change while the process runs.
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

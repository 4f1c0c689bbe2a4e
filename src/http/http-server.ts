// The HTTP server under Fastify: timeouts, limits and error responses for requests that Node's
// parser rejects. Node would send those an empty body or none.

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import type { Shedding } from './shedding.ts'
import { standardHeaders } from './standard-headers.ts'

const limits = {
  // With requestTimeout 0, Fastify's default, Node does not time out slow bodies.
  headersTimeout: 10_000,
  // A file of 10 MiB takes a minute at 1.4 Mbit/s.
  requestTimeout: 60_000,
  // Load balancers close idle connections after 60 seconds. A longer timeout lets them close first.
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false,
}

// Closes connections whose client sends requests and never reads responses. A working connection
// has traffic sooner.
const stuck_after_ms = 60_000

export const url_length_max = 8_192

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export function makeServer(
  handler: Handler,
  tls: { cert: Buffer; key: Buffer } | undefined,
  shedding: Shedding,
): Server {
  const allowed = { Allow: 'DELETE, GET, HEAD, PATCH, POST' }
  const listener: Handler = (request, response) => {
    lastResponses.set(request.socket, response)
    if (!shedding.sheds(request, response)) handler(request, response)
  }
  const server = tls
    ? (createHttpsServer({ ...limits, ...tls }, listener) as unknown as Server)
    : createHttpServer(limits, listener)
  server.setTimeout(stuck_after_ms)
  server.on('checkExpectation', rejectExpectation)
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    endAfterResponses(socket, 405, 'CONNECT is not supported.', allowed)
  })
  return server
}

// Requests may be pipelined: an error response must not overtake earlier responses.
const lastResponses = new WeakMap<Socket, ServerResponse>()

function rejectExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = compose('The only supported value of Expect is 100-continue.')
  response.writeHead(417, headers).end(body)
}

const socketErrors: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large. The maximum is 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
  HPE_INVALID_EOF_STATE: [400, 'The connection closed before the whole request arrived.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time. Send it again.'],
}

interface SocketError {
  code?: string | undefined
  rawPacket?: unknown
}

/** The clientErrorHandler for Fastify. */
export function respondOnSocket(error: SocketError, socket: Socket): void {
  // The parser reports an error again for each packet that arrives after the first one.
  if (ending.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = hasLongTarget(error)
    ? ([414, 'The URL is too long. The maximum is 8 KiB.'] as const)
    : (socketErrors[error.code ?? ''] ?? [400, 'The request is not valid HTTP/1.1.'])
  endAfterResponses(socket, status, message)
}

function hasLongTarget(error: SocketError): boolean {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(error.rawPacket)) return false
  const line_end = error.rawPacket.indexOf('\r\n')
  return line_end === -1 || line_end > url_length_max
}

const ending = new WeakSet<Socket>()

function endAfterResponses(
  socket: Socket,
  status: number,
  message: string,
  extra: Record<string, string> = {},
): void {
  ending.add(socket)
  const respondAndEnd = () => endOnSocket(socket, render(status, message, extra))
  const last = lastResponses.get(socket)
  if (last === undefined || last.writableFinished) respondAndEnd()
  else if (last.req.complete) last.once('finish', respondAndEnd)
  // The error is in the body of a request that is being handled. Send this as its response,
  // unless that response has started or earlier ones are pending.
  else if (last.headersSent || last.socket !== socket) socket.destroy()
  else respondAndEnd()
}

// How long a client may take to read the error. `end` alone would leave sockets open as long as
// the client keeps its side open.
const linger_ms = 1_000

function endOnSocket(socket: Socket, text: string): void {
  socket.end(text)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), linger_ms).unref()
  socket.once('close', () => clearTimeout(timer))
}

function render(status: number, message: string, extra: Record<string, string>): string {
  const { headers, body } = compose(message)
  const lines = Object.entries({ ...headers, ...extra }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function compose(message: string) {
  const body = JSON.stringify({ error: 'invalid_request', message })
  const headers = {
    ...standardHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Request-Id': toTypeId('request', newRealTimeUuid(Date.now())),
    Connection: 'close',
  }
  return { headers, body }
}

// The server under Fastify: its time-outs and limits, and an answer of our own for what Node's
// parser refuses before there is a request. Node would send an empty body there, or none at all.

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
  // Node's guard against slow bodies is off while requestTimeout is 0, which is Fastify's default.
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  // Longer than the minute that load balancers keep idle connections, so that they close first.
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false,
}

// A client that sends requests and never reads the answers; any living connection moves sooner.
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
    lastAnswers.set(request.socket, response)
    if (!shedding.refuses(request, response)) handler(request, response)
  }
  const server = tls
    ? (createHttpsServer({ ...limits, ...tls }, listener) as unknown as Server)
    : createHttpServer(limits, listener)
  server.setTimeout(stuck_after_ms)
  server.on('checkExpectation', refuseExpectation)
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    endAfterAnswers(socket, 405, 'CONNECT is not supported.', allowed)
  })
  return server
}

// Requests may be pipelined: what ends a connection must not overtake the answers before it.
const lastAnswers = new WeakMap<Socket, ServerResponse>()

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = compose('The only expectation that can be met is 100-continue.')
  response.writeHead(417, headers).end(body)
}

const socketAnswers: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large: at most 16 KiB are accepted.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
  HPE_INVALID_EOF_STATE: [400, 'The connection ended before the whole request had arrived.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}

interface SocketError {
  code?: string | undefined
  rawPacket?: unknown
}

/** Fastify's clientErrorHandler. */
export function respondOnSocket(error: SocketError, socket: Socket): void {
  // What still arrives after the first fault is refused by the parser again and again.
  if (ending.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = hasLongTarget(error)
    ? ([414, 'The address is too long: at most 8 KiB are accepted.'] as const)
    : (socketAnswers[error.code ?? ''] ?? [400, 'This is not well-formed HTTP/1.1.'])
  endAfterAnswers(socket, status, message)
}

function hasLongTarget(error: SocketError): boolean {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(error.rawPacket)) return false
  const line_end = error.rawPacket.indexOf('\r\n')
  return line_end === -1 || line_end > url_length_max
}

const ending = new WeakSet<Socket>()

function endAfterAnswers(
  socket: Socket,
  status: number,
  message: string,
  extra: Record<string, string> = {},
): void {
  ending.add(socket)
  const sayAndEnd = () => endOnSocket(socket, render(status, message, extra))
  const last = lastAnswers.get(socket)
  if (last === undefined || last.writableFinished) sayAndEnd()
  else if (last.req.complete) last.once('finish', sayAndEnd)
  // The fault is in the body of a request that is being handled: this is its answer, unless one
  // has begun or others stand before it.
  else if (last.headersSent || last.socket !== socket) socket.destroy()
  else sayAndEnd()
}

// How long a client may take to read why it was refused. Then the socket goes, even if the other
// side stays open for ever: `end` alone would leave it to the client how many sockets we hold.
const farewell_ms = 1_000

function endOnSocket(socket: Socket, text: string): void {
  socket.end(text)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), farewell_ms).unref()
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

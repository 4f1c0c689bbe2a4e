// The HTTP client for webhook endpoints, which are untrusted. It checks the address after the DNS
// lookup and connects to that address, which prevents SSRF by DNS rebinding. It does not follow
// redirects, verifies certificates, and bounds time and bytes.

import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher as Client } from 'undici'
import type { AddressPolicy } from '../address-policy.ts'
import { type ResolveHost, resolverFor } from './resolve-host.ts'

export interface ReceiverResponse {
  status: number
  /** The first 4 KiB. */
  body: Buffer
}

export interface WebhookClient {
  /** Throws a DeliveryError if there is no response. */
  post(request: PostRequest): Promise<ReceiverResponse>
  /** Aborts requests in flight. */
  disconnect(): Promise<void>
}

interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** There was no response. The endpoint's owner sees the message. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
}

export interface WebhookClientOptions {
  /** From the DNS lookup to the end of the response. */
  timeout_ms?: number
  resolve?: ResolveHost
  /** An additional certificate authority. */
  ca?: string
}

// Standard Webhooks recommends 15 to 30 s.
const default_timeout_ms = 15_000
const connect_ms_max = 10_000
// Each attempt stores its response body, and an account can have thousands of attempts.
const stored_bytes_max = 4_096
// A body up to this size is read to its end, so that the connection can be reused.
const read_bytes_max = 65_536

export function openWebhookClient(
  policy: AddressPolicy,
  options: WebhookClientOptions = {},
): WebhookClient {
  const { timeout_ms = default_timeout_ms, resolve = resolverFor(policy), ca } = options
  const in_flight = new Set<AbortController>()
  const agent = new Agent({
    connect: guardedConnector(policy, resolve, ca),
    // No limit per host: each endpoint's queue limits its connections.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
    maxHeaderSize: 16_384,
  })
  return {
    async post(request) {
      const control = new AbortController()
      in_flight.add(control)
      const timer = setTimeout(
        () => control.abort(new DeliveryError(tooSlow(timeout_ms))),
        timeout_ms,
      )
      try {
        return await exchange(agent, request, control.signal)
      } catch (error) {
        throw explain(error)
      } finally {
        clearTimeout(timer)
        in_flight.delete(control)
      }
    },
    async disconnect() {
      for (const control of in_flight)
        control.abort(new DeliveryError('The server is shutting down.'))
      await agent.destroy()
    },
  }
}

async function exchange(
  agent: Agent,
  request: PostRequest,
  signal: AbortSignal,
): Promise<ReceiverResponse> {
  const url = new URL(request.url)
  const { statusCode, body } = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: request.headers,
    body: request.body,
    signal,
  })
  return { status: statusCode, body: await readBounded(body) }
}

// The status decides the outcome. A truncated or endless body does not change it.
async function readBounded(body: Client.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      // Copied, because a chunk is a view that keeps its whole, possibly much larger, buffer alive.
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes >= read_bytes_max) break
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, stored_bytes_max)
}

const too_large = 'The response is too large.'
const blocked = 'The address is private or reserved. Webhooks are not sent there.'

function guardedConnector(
  policy: AddressPolicy,
  resolve: ResolveHost,
  ca: string | undefined,
): buildConnector.connector {
  const connectTo = (isAllowed: (address: string) => boolean) => {
    const connect = buildConnector({
      timeout: connect_ms_max,
      lookup: checkedLookup(resolve, isAllowed),
      ...(ca !== undefined && { ca }),
    })
    const guarded: buildConnector.connector = (options, callback) => {
      // An IP address has no DNS lookup, so it is checked here.
      const { hostname } = options
      if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
        return callback(new DeliveryError(blocked), null)
      }
      connect(options, (...connected) => {
        const [, socket] = connected
        if (socket) limitBytes(socket)
        callback(...connected)
      })
    }
    return guarded
  }
  const over_tls = connectTo(policy.isReachable)
  // Plain HTTP only to addresses that the operator allows.
  const over_http = connectTo(policy.isExplicitlyAllowed)
  return (options, callback) =>
    (options.protocol === 'https:' ? over_tls : over_http)(options, callback)
}

// A response is at most 64 KiB and headers, and a connection carries fewer than 100 per second.
const burst_bytes = 1_048_576
const bytes_per_second = 8 * 1_048_576

/**
 * Limits the raw bytes of a connection. Endless 1xx responses and chunk extensions are not part of
 * the body, and parsing them would use the CPU until the timeout.
 */
function limitBytes(socket: Socket): void {
  const since = performance.now()
  socket.on('readable', () => {
    const allowed = burst_bytes + ((performance.now() - since) / 1_000) * bytes_per_second
    if (socket.bytesRead > allowed) socket.destroy(new DeliveryError(too_large))
  })
}

/** Returns only allowed addresses. The socket connects to one of these. */
function checkedLookup(
  resolve: ResolveHost,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    const respond = (addresses: string[]) => {
      const found = addresses
        .filter(isAllowed)
        .map((address) => ({ address, family: isIP(address) }))
        .filter(({ family }) => !options.family || options.family === family)
      if (found.length === 0) return callback(new DeliveryError(blocked), '', 0)
      if (options.all) return callback(null, found)
      return callback(null, found[0]!.address, found[0]!.family)
    }
    resolve(hostname).then(respond, () =>
      callback(new DeliveryError(`The host name ${hostname} could not be resolved.`), '', 0),
    )
  }
}

function tooSlow(timeout_ms: number): string {
  return `No response within ${Math.ceil(timeout_ms / 1000)} s.`
}

/** Translates errors into messages that reveal nothing about the internal network. */
function explain(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error
  if (!(error instanceof Error)) return new DeliveryError('The request failed.')
  const { code } = error as NodeJS.ErrnoException
  const message =
    (code !== undefined && messages[code]) || `The request failed: ${code ?? error.name}.`
  return new DeliveryError(message, { cause: error })
}

const messages: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response was received.',
  UND_ERR_SOCKET: 'The connection was closed before a response was received.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_HEADERS_TIMEOUT: 'The response timed out.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network is unreachable.',
  ETIMEDOUT: 'The connection timed out.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for a different host.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is from an unknown authority.',
}

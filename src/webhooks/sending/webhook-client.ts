// One request to a stranger's server. The address is checked after DNS has been asked, and the
// connection goes to that very address, so a name that answers otherwise the second time reaches
// nothing. Redirects are not followed, certificates are checked, time and bytes are bounded.

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
  /** Throws a DeliveryError when there is no answer. */
  post(request: PostRequest): Promise<ReceiverResponse>
  /** Ends what is under way. */
  disconnect(): Promise<void>
}

export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** No answer came. The message is for the endpoint's owner. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
}

export interface WebhookClientOptions {
  /** From the look-up of the name to the end of the answer. */
  timeout_ms?: number
  resolve?: ResolveHost
  /** Besides the authorities that Node knows. */
  ca?: string
}

// Standard Webhooks asks for 15 to 30 s. Receivers that do their work first are told to queue it.
const timeout_ms_usual = 15_000
const connect_ms_max = 10_000
// Every attempt keeps what was answered, and one account may have thousands of them.
const kept_bytes_max = 4_096
// Read on for this long, so that the connection can be used again.
const read_bytes_max = 65_536

export function openWebhookClient(
  open: AddressPolicy,
  options: WebhookClientOptions = {},
): WebhookClient {
  const { timeout_ms = timeout_ms_usual, resolve = resolverFor(open), ca } = options
  const under_way = new Set<AbortController>()
  const agent = new Agent({
    connect: guardedConnector(open, resolve, ca),
    // Two endpoints may share a host; how many connections each has is decided by its line.
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
      under_way.add(control)
      const end = setTimeout(
        () => control.abort(new DeliveryError(tooSlow(timeout_ms))),
        timeout_ms,
      )
      try {
        return await exchange(agent, request, control.signal)
      } catch (error) {
        throw explain(error)
      } finally {
        clearTimeout(end)
        under_way.delete(control)
      }
    },
    async disconnect() {
      for (const control of under_way) control.abort(new DeliveryError('Florin was stopped.'))
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

// The status is the answer. A body that breaks off or never ends changes nothing about it.
async function readBounded(body: Client.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      // A copy: a chunk is a view of all that was read with it, which may be a thousand times more.
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes >= read_bytes_max) break
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, kept_bytes_max)
}

const too_much = 'Far more came than an response may have.'
const closed = 'The address is private or reserved. Webhooks do not go there.'

function guardedConnector(
  open: AddressPolicy,
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
      // An address is not looked up, so it is asked about here.
      const { hostname } = options
      if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
        return callback(new DeliveryError(closed), null)
      }
      connect(options, (...connected) => {
        const [, socket] = connected
        if (socket) boundBytes(socket)
        callback(...connected)
      })
    }
    return guarded
  }
  const over_tls = connectTo(open.isReachable)
  // In the clear only to what the operator has opened.
  const in_the_clear = connectTo(open.isExplicitlyAllowed)
  return (options, callback) =>
    (options.protocol === 'https:' ? over_tls : in_the_clear)(options, callback)
}

// An answer has 64 KiB at the most and a head, and a connection hardly a hundred in a second.
const bytes_at_once = 1_048_576
const bytes_a_second = 8 * 1_048_576

/**
 * What is no part of a body is not counted with it: interim answers and extensions of chunks may
 * come without end, and reading them would take the processor for as long as an answer may take.
 */
function boundBytes(socket: Socket): void {
  const since = performance.now()
  socket.on('readable', () => {
    const allowed = bytes_at_once + ((performance.now() - since) / 1_000) * bytes_a_second
    if (socket.bytesRead > allowed) socket.destroy(new DeliveryError(too_much))
  })
}

/** Answers only addresses that may be reached; the socket connects to one of these. */
function checkedLookup(
  resolve: ResolveHost,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    const response = (addresses: string[]) => {
      const found = addresses
        .filter(isAllowed)
        .map((address) => ({ address, family: isIP(address) }))
        .filter(({ family }) => !options.family || options.family === family)
      if (found.length === 0) return callback(new DeliveryError(closed), '', 0)
      if (options.all) return callback(null, found)
      return callback(null, found[0]!.address, found[0]!.family)
    }
    resolve(hostname).then(response, () =>
      callback(new DeliveryError(`The name ${hostname} has no address.`), '', 0),
    )
  }
}

function tooSlow(timeout_ms: number): string {
  return `No response within ${Math.ceil(timeout_ms / 1000)} s.`
}

/** Whatever went wrong, in a sentence that gives nothing of our network away. */
function explain(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error
  if (!(error instanceof Error)) return new DeliveryError('The request failed.')
  const { code } = error as NodeJS.ErrnoException
  const words = (code !== undefined && faults[code]) || `The request failed: ${code ?? error.name}.`
  return new DeliveryError(words, { cause: error })
}

const faults: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an response came.',
  UND_ERR_SOCKET: 'The connection was closed before an response came.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection could be made in time.',
  UND_ERR_HEADERS_TIMEOUT: 'No response came in time.',
  UND_ERR_HEADERS_OVERFLOW: 'The head of the response was too long.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'No connection could be made in time.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is of an unknown authority.',
}

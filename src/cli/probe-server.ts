// Checks whether a Florin server responds at the configured address.

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Config, isAddressUnknown, unknown_address } from '../config.ts'
import { accent } from './terminal.ts'

export type ServerState = 'ready' | 'not_ready' | 'not_running' | 'not_florin' | 'unknown'

// A ready server responds within milliseconds; one whose database hangs, after 3 s.
const response_timeout_ms = 4_000

const not_listening = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

export async function probeServer(config: Config): Promise<ServerState> {
  if (isAddressUnknown(config)) return 'unknown'
  try {
    const response = await getReadiness(new URL(`${serverUrl(config)}/readyz`))
    // Every response of Florin has a request id with this prefix.
    if (!String(response.headers['request-id']).startsWith('req_')) return 'not_florin'
    return response.statusCode === 200 ? 'ready' : 'not_ready'
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (not_listening.has(code ?? '')) return 'not_running'
    return code === 'ETIMEDOUT' ? 'not_ready' : 'not_florin'
  }
}

const serverStates: Record<Exclude<ServerState, 'unknown'>, string> = {
  ready: 'ready at',
  not_ready: 'running but not ready at',
  not_running: 'not running at',
  not_florin: 'another program responds at',
}

/** Such as "ready at http://127.0.0.1:4000". */
export function describeServer(config: Config, state: ServerState): string {
  if (state === 'unknown') return `unknown. ${unknown_address}`
  return `${serverStates[state]} ${accent(serverUrl(config))}`
}

function getReadiness(url: URL): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request =
    url.protocol === 'https:'
      ? // The certificate is for the public name, and the request goes to this machine.
        httpsRequest(url, { agent: false, rejectUnauthorized: false })
      : httpRequest(url, { agent: false })
  request.setTimeout(response_timeout_ms, () => {
    request.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' }))
  })
  request.once('error', reject).once('response', (response) => {
    response.resume()
    resolve(response)
  })
  request.end()
  return promise
}

/** Replaces a wildcard address with loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** With PORT=0 only the public URL is known. */
export function serverUrl(config: Config): string {
  return config.port === 0 ? config.public_url : localUrl(config)
}

/** The URL at which `florin start` listens with these settings. */
export function localUrl({ tls, host, port }: Config): string {
  const name = reachable(host)
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

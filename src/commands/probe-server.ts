// Whether a Florin answers where this one would listen, or where it was said to be.

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Config, isAddressUnknown } from '../config.ts'

export type ServerState = 'ready' | 'not_ready' | 'not_running' | 'not_florin' | 'unknown'

// A ready server answers in milliseconds; one whose database hangs says so within its own 3 s.
const response_timeout_ms = 4_000

const nobody_there = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

export async function probeServer(config: Config): Promise<ServerState> {
  if (isAddressUnknown(config)) return 'unknown'
  try {
    const answer = await getReadiness(new URL(`${serverUrl(config)}/readyz`))
    // Every answer of Florin names its request so.
    if (!String(answer.headers['request-id']).startsWith('req_')) return 'not_florin'
    return answer.statusCode === 200 ? 'ready' : 'not_ready'
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (nobody_there.has(code ?? '')) return 'not_running'
    return code === 'ETIMEDOUT' ? 'not_ready' : 'not_florin'
  }
}

function getReadiness(url: URL): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked =
    url.protocol === 'https:'
      ? // The certificate is for the public name, and this is a question to ourselves.
        httpsRequest(url, { agent: false, rejectUnauthorized: false })
      : httpRequest(url, { agent: false })
  asked.setTimeout(response_timeout_ms, () => {
    asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }))
  })
  asked.once('error', reject).once('response', (answer) => {
    answer.resume()
    resolve(answer)
  })
  asked.end()
  return promise
}

/** A server that listens on every address is reached by the loopback one. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** With PORT=0 the public address is all that is known. */
export function serverUrl(config: Config): string {
  return config.port === 0 ? config.public_url : localUrl(config)
}

/** The address at which `florin start` would serve with these settings. */
export function localUrl({ tls, host, port }: Config): string {
  const name = reachable(host)
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

// Sends a request over a separate connection. Returns the complete response, or undefined if the
// server died first.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { recordSecretsIn } from '../../support/secrets.ts'

interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

export interface Reply {
  status: number
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: recipes read responses of every shape.
  body: any
}

// Longer than any request takes here. A server that neither responds nor dies is a failure.
const timeout_ms = 20_000

export async function sendOnce(options: HttpRequest): Promise<Reply | undefined> {
  recordSecretsIn(options.body)
  const { body } = options
  const is_text = body instanceof URLSearchParams || body instanceof Buffer
  const text = body === undefined || is_text ? body?.toString() : JSON.stringify(body)
  const sent = request(options.url, {
    method: options.method,
    // A pool would keep connections to a process that no longer exists.
    agent: false,
    headers: { ...(text === undefined ? {} : headersOf(text)), ...options.headers },
    signal: AbortSignal.timeout(timeout_ms),
  })
  sent.end(text)
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return await readWhole(response)
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    return undefined
  }
}

// Sets content-length: Node omits it for DELETE, and the server would not read the body.
function headersOf(text: string): Record<string, string> {
  const length = String(Buffer.byteLength(text))
  return { 'content-type': 'application/json', 'content-length': length }
}

async function readWhole(response: IncomingMessage): Promise<Reply> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  if (!response.complete) throw new Error('the response was truncated')
  const is_json = response.headers['content-type']?.includes('json')
  const body = is_json ? JSON.parse(text) : text
  recordSecretsIn(body)
  return { status: response.statusCode!, headers: response.headers, text, body }
}

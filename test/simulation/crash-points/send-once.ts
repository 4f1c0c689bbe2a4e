// One request over a connection of its own, and what came of it: an answer that was read whole, or
// undefined when the server went away before that.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { recordSecretsIn } from '../../support/secrets.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

export interface Reply {
  status: number
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: recipes look into answers of every shape.
  body: any
}

// Longer than any request takes here: a server that neither answers nor dies is a finding.
const wait_ms_max = 20_000

export async function sendOnce(wanted: HttpRequest): Promise<Reply | undefined> {
  recordSecretsIn(wanted.body)
  const { body } = wanted
  const text =
    body === undefined || body instanceof URLSearchParams ? body?.toString() : JSON.stringify(body)
  const sent = request(wanted.url, {
    method: wanted.method,
    // A pool would hold on to connections of a process that is gone.
    agent: false,
    headers: { ...(text === undefined ? {} : headersOf(text)), ...wanted.headers },
    signal: AbortSignal.timeout(wait_ms_max),
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

// With its length: of a DELETE Node would leave that out, and nobody would read the body.
function headersOf(text: string): Record<string, string> {
  const length = String(Buffer.byteLength(text))
  return { 'content-type': 'application/json', 'content-length': length }
}

async function readWhole(response: IncomingMessage): Promise<Reply> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  if (!response.complete) throw new Error('the answer was cut off')
  const is_json = response.headers['content-type']?.includes('json')
  const body = is_json ? JSON.parse(text) : text
  recordSecretsIn(body)
  return { status: response.statusCode!, headers: response.headers, text, body }
}

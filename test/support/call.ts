// Sends one HTTP request as a client would and returns the response.

import { request } from 'undici'
import { recordSecretsIn } from './secrets.ts'

export interface CallOptions {
  token?: string | undefined
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
}

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  body: any
}

export async function call(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: CallOptions = {},
): Promise<ApiResponse> {
  recordSecretsIn(body)
  // undici's request takes a third of the time of fetch, which took a tenth of the whole test run.
  const response = await request(url + path, {
    method: method as 'GET',
    headers: {
      accept: '*/*',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.body.text()
  const parsed = parse(text)
  recordSecretsIn(parsed)
  const { statusCode: status } = response
  return { status, headers: toHeaders(response.headers), text, body: parsed }
}

function toHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return headers
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

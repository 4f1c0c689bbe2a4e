// One HTTP request, as a client sends it, and what came back.

import { noteSecretsIn } from './secrets.ts'

export interface CallOptions {
  token?: string | undefined
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
}

export async function call(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  noteSecretsIn(body)
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = parse(text)
  noteSecretsIn(parsed)
  return { status: response.status, headers: response.headers, text, body: parsed }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// HTTP as raw bytes on a socket, for requests that no client library would send.

import assert from 'node:assert/strict'
import { createConnection, type Socket } from 'node:net'

export interface RawResponse {
  status: number
  /** Header names are in lower case. */
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  body: any
}

export interface RawOptions {
  /** How many responses to wait for before closing the connection. The default is 1. */
  responses?: number
  /** Shuts down the writing side after the last byte. */
  half_close?: boolean
  /** Responses to HEAD have no body, whatever their Content-Length. */
  head?: boolean
}

// Far more than any response needs, for busy machines.
const timeout_ms = 15_000

/** Sends the bytes on one connection and reads responses until there are enough or it closes. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  { responses = 1, half_close = false, head = false }: RawOptions = {},
): Promise<RawResponse[]> {
  const socket = connect(url)
  let text = ''
  const found = await new Promise<RawResponse[]>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`incomplete response: ${text}`)), timeout_ms)
    const settle = () => {
      clearTimeout(timer)
      resolve(parseResponses(text, head))
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (parseResponses(text, head).length >= responses) settle()
    })
    socket.on('error', () => {})
    socket.on('close', settle)
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    if (half_close) socket.end()
  })
  socket.destroy()
  return found
}

export function connect(url: string): Socket {
  const { hostname, port } = new URL(url)
  return createConnection({ host: hostname, port: Number(port), allowHalfOpen: true })
}

/** Parses the complete responses at the start of the text. An interim 100 counts as a response. */
export function parseResponses(text: string, head = false): RawResponse[] {
  const found: RawResponse[] = []
  let rest = text
  while (rest !== '') {
    const head_end = rest.indexOf('\r\n\r\n')
    if (head_end === -1) break
    const [line = '', ...fields] = rest.slice(0, head_end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    assert.ok(status >= 100, `not a status line: ${line}`)
    const headers = Object.fromEntries(fields.map(splitField))
    const length = head || status === 100 ? 0 : Number(headers['content-length'] ?? 0)
    const body_start = head_end + 4
    if (rest.length < body_start + length) break
    const body = rest.slice(body_start, body_start + length)
    found.push({ status, headers, text: body, body: parse(body) })
    rest = rest.slice(body_start + length)
  }
  return found
}

function splitField(field: string): [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Asserts the error shape: a JSON body with exactly two strings, and a Request-Id. */
export function assertErrorShape(
  response: { status: number; headers: Headers | Record<string, string>; body: unknown },
  about: string,
): void {
  const { status, headers, body } = response
  const header = (name: string) =>
    headers instanceof Headers ? headers.get(name) : (headers[name] ?? null)
  assert.ok(body !== null && typeof body === 'object', `${about}: ${status} without a JSON body`)
  assert.deepEqual(Object.keys(body), ['error', 'message'], about)
  const { error, message } = body as Record<string, unknown>
  assert.match(String(error), /^[a-z_]+$/, about)
  assert.equal(typeof message, 'string', about)
  assert.notEqual(message, '', about)
  assert.equal(header('content-type'), 'application/json; charset=utf-8', about)
  assert.match(header('request-id') ?? '', /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/, about)
  assert.equal(header('cache-control'), 'no-store', about)
  for (const [name, value] of Object.entries(safe_headers)) {
    assert.equal(header(name), value, `${about}: ${name}`)
  }
}

/** Headers of every API response, including errors. */
export const safe_headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

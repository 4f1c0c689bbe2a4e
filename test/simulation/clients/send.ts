// Sends a request once through a server's proxy and returns what is known about its outcome.

import { Pool } from 'undici'
import type { Attempt } from '../history.ts'

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  token: string | undefined
  key?: string | undefined
  body?: unknown
  /** The Florin-Account header. */
  account?: string
  /** Form fields of the payment page, sent instead of JSON. */
  form?: Record<string, string>
  /** Sent as it is: the signature of a message covers its bytes. */
  raw?: { headers: Record<string, string>; body: string }
}

export type SendResult = Pick<
  Attempt,
  'result' | 'status' | 'error' | 'retry_after' | 'replayed' | 'text'
>

// Longer than any response may take, to tell a missing response from a late one.
const timeout_ms = 15_000

export class Sender {
  readonly #pools: Pool[]

  constructor(ports: number[], connections: number) {
    this.#pools = ports.map(
      (port) =>
        new Pool(`http://127.0.0.1:${port}`, {
          connections,
          headersTimeout: timeout_ms,
          bodyTimeout: timeout_ms,
          keepAliveTimeout: 4_000,
        }),
    )
  }

  async send(server: number, request: Request): Promise<SendResult> {
    try {
      const { statusCode, headers, body } = await this.#pools[server]!.request({
        method: request.method,
        path: request.path,
        headers: headersOf(request),
        ...(bodyOf(request) !== undefined && { body: bodyOf(request)! }),
      })
      const text = await body.text()
      return toSendResult(statusCode, headers, text)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const no_response = { status: null, retry_after: null, replayed: false, text: '' }
      return { ...no_response, result: 'info', error: code ?? message }
    }
  }

  /** Sends a request whose response is a page or a redirect. */
  async visit(
    server: number,
    request: Request,
  ): Promise<{ status: number | null; location: string | undefined }> {
    try {
      const { statusCode, headers, body } = await this.#pools[server]!.request({
        method: request.method,
        path: request.path,
        headers: headersOf(request),
        ...(bodyOf(request) !== undefined && { body: bodyOf(request)! }),
      })
      await body.dump()
      const { location } = headers
      return { status: statusCode, location: location === undefined ? undefined : String(location) }
    } catch {
      return { status: null, location: undefined }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()))
  }
}

function headersOf({ token, key, body, account, form, raw }: Request): Record<string, string> {
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(account !== undefined && { 'florin-account': account }),
    ...(form && {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    }),
    ...raw?.headers,
  }
}

function bodyOf({ body, form, raw }: Request): string | undefined {
  if (raw) return raw.body
  if (form) return new URLSearchParams(form).toString()
  return body === undefined ? undefined : JSON.stringify(body)
}

function toSendResult(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  text: string,
): SendResult {
  const error_code = status < 400 ? null : codeIn(text)
  return {
    result: resultOf(status, error_code),
    status,
    error: error_code,
    retry_after: headers['retry-after'] === undefined ? null : String(headers['retry-after']),
    replayed: headers['idempotent-replayed'] === 'true',
    text,
  }
}

// The outcome is also unknown if another request with the same key is still being processed, or if
// the server asks to retry later.
function resultOf(status: number, error_code: string | null): SendResult['result'] {
  if (status < 400) return 'ok'
  const later = status === 408 || status === 429 || error_code === 'idempotency_conflict'
  return status >= 500 || later ? 'info' : 'fail'
}

function codeIn(text: string): string | null {
  try {
    return JSON.parse(text).error ?? null
  } catch {
    return null
  }
}

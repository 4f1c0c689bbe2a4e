// HTTP client for a soak, with kept-alive connections. Failed logins use a second address, because
// too many failures from one address would throttle all other logins.

import { Pool } from 'undici'

interface SoakRequest {
  token?: string
  cookie?: string
  key?: string
  body?: unknown
  /** Form fields of the payment page, sent instead of JSON. */
  form?: Record<string, string>
}

export interface SoakResponse {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: operations read responses of every shape.
  json: any
}

const timeout_ms = 20_000

export class SoakClient {
  readonly port: number
  readonly #pool: Pool
  readonly #other_address: Pool

  constructor(port: number, connections: number) {
    this.port = port
    const common = { headersTimeout: timeout_ms, bodyTimeout: timeout_ms }
    const url = `http://127.0.0.1:${port}`
    this.#pool = new Pool(url, { ...common, connections })
    this.#other_address = new Pool(url, { ...common, connections: 2, localAddress: '127.0.0.2' })
  }

  request(method: string, path: string, options: SoakRequest = {}): Promise<SoakResponse> {
    return send(this.#pool, method, path, options)
  }

  requestFromOtherAddress(
    method: string,
    path: string,
    options: SoakRequest = {},
  ): Promise<SoakResponse> {
    return send(this.#other_address, method, path, options)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#other_address.destroy()])
  }
}

async function send(
  pool: Pool,
  method: string,
  path: string,
  options: SoakRequest,
): Promise<SoakResponse> {
  const request_body = bodyOf(options)
  const { statusCode, headers, body } = await pool.request({
    method: method as 'GET',
    path,
    headers: headersOf(options),
    ...(request_body !== undefined && { body: request_body }),
  })
  const text = await body.text()
  const is_json = String(headers['content-type'] ?? '').startsWith('application/json')
  const json = is_json ? JSON.parse(text) : undefined
  return { status: statusCode, text, headers, json }
}

function headersOf({ token, cookie, key, body, form }: SoakRequest): Record<string, string> {
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(cookie !== undefined && { cookie, 'florin-dashboard': '1' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(form && {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    }),
  }
}

function bodyOf({ body, form }: SoakRequest): string | undefined {
  if (form) return new URLSearchParams(form).toString()
  return body === undefined ? undefined : JSON.stringify(body)
}

// HTTP for a soak: connections that are kept, and a second address for those who guess passwords,
// because too many failures of one address would keep out everybody behind it.

import { Pool } from 'undici'

export interface SoakRequest {
  token?: string
  cookie?: string
  key?: string
  body?: unknown
  /** A form of the payment page instead of JSON. */
  form?: Record<string, string>
}

export interface SoakResponse {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: operations look into answers of every shape.
  json: any
}

const patience_ms = 20_000

export class SoakClient {
  readonly port: number
  readonly #pool: Pool
  readonly #stranger: Pool

  constructor(port: number, connections: number) {
    this.port = port
    const common = { headersTimeout: patience_ms, bodyTimeout: patience_ms }
    const url = `http://127.0.0.1:${port}`
    this.#pool = new Pool(url, { ...common, connections })
    this.#stranger = new Pool(url, { ...common, connections: 2, localAddress: '127.0.0.2' })
  }

  ask(method: string, path: string, asked: SoakRequest = {}): Promise<SoakResponse> {
    return send(this.#pool, method, path, asked)
  }

  requestAsStranger(method: string, path: string, asked: SoakRequest = {}): Promise<SoakResponse> {
    return send(this.#stranger, method, path, asked)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#stranger.destroy()])
  }
}

async function send(
  pool: Pool,
  method: string,
  path: string,
  asked: SoakRequest,
): Promise<SoakResponse> {
  const text = bodyOf(asked)
  const { statusCode, headers, body } = await pool.request({
    method: method as 'GET',
    path,
    headers: headersOf(asked),
    ...(text !== undefined && { body: text }),
  })
  const answered = await body.text()
  const is_json = String(headers['content-type'] ?? '').startsWith('application/json')
  const json = is_json ? JSON.parse(answered) : undefined
  return { status: statusCode, text: answered, headers, json }
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

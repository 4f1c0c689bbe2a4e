// One call of the API through the dashboard's own door: the cookie says who asks, and no token is
// ever here. Only this folder talks to the server.

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly request_id: string | null

  constructor(status: number, code: string, message: string, request_id: string | null) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.request_id = request_id
  }
}

export type Query = Record<string, string | number | boolean | undefined>

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  query?: Query
  body?: unknown
  /** The account that an admin or a platform acts on. */
  account?: string | undefined
  idempotency_key?: string | undefined
  signal?: AbortSignal | undefined
}

const door = '/dashboard/api'

export async function request<Answer>(path: string, call: Call = {}): Promise<Answer> {
  const response = await send(path, call)
  const text = await response.text()
  const answer = parse(text)
  if (response.ok) return answer as Answer
  const { error = 'unknown', message = `The server answered ${response.status}.` } =
    (answer as { error?: string; message?: string } | undefined) ?? {}
  throw new ApiError(response.status, error, message, response.headers.get('request-id'))
}

async function send(path: string, call: Call): Promise<Response> {
  const { method = 'GET', body, account, idempotency_key, signal } = call
  try {
    return await fetch(address(path, call.query), {
      method,
      headers: {
        'Florin-Dashboard': '1',
        ...(account === undefined ? {} : { 'Florin-Account': account }),
        ...(idempotency_key === undefined ? {} : { 'Idempotency-Key': idempotency_key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, 'unreachable', 'The server does not answer. Is it running?', null)
  }
}

/** Where a call goes; also for links that download, such as a CSV file. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${door}${path}${text === '' ? '' : `?${text}`}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

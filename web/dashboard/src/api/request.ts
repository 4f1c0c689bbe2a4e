// The dashboard's own door. The SDK goes through it for the API; what is the dashboard's alone, its
// session, is asked for here. Only this folder talks to the server.

import { FlorinError } from '../../../../client/src/florin.ts'

export const api_base_path = '/dashboard/api'

/** No other site can send this header, so nobody acts with the cookie but our own pages. */
export function withDashboardHeader(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('Florin-Dashboard', '1')
  return { ...init, headers }
}

export async function request<Result>(
  path: string,
  call: { method?: 'GET' | 'POST' | 'DELETE'; body?: unknown } = {},
): Promise<Result> {
  const response = await send(path, call)
  const answer = parse(await response.text())
  if (response.ok) return answer as Result
  const { error = 'unexpected_response', message = `The server answered ${response.status}.` } =
    answer ?? {}
  throw new FlorinError(error as FlorinError['code'], message, {
    status: response.status,
    request_id: response.headers.get('request-id') ?? undefined,
  })
}

async function send(path: string, call: { method?: string; body?: unknown }): Promise<Response> {
  const { method = 'GET', body } = call
  const sent =
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  try {
    return await fetch(`${api_base_path}${path}`, withDashboardHeader(sent))
  } catch (cause) {
    const message = 'The server does not answer. Is it running?'
    throw new FlorinError('connection_failed', message, { cause })
  }
}

export type Query = Record<string, string | number | boolean | undefined>

/** Where a call goes, for links that download, such as a CSV file. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${api_base_path}${path}${text === '' ? '' : `?${text}`}`
}

function parse(text: string): { error?: string; message?: string } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

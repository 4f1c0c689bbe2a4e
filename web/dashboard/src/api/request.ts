// Requests to the dashboard's session endpoints, and the base path through which the SDK calls the
// API. Only this folder talks to the server.

import { FlorinError } from '../../../../client/src/florin.ts'

export const api_base_path = '/dashboard/api'

/** CSRF protection: other sites cannot send this header, and the server requires it. */
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
  const data = parse(await response.text())
  if (response.ok) return data as Result
  const { error = 'unexpected_response', message = `The server returned ${response.status}.` } =
    data ?? {}
  throw new FlorinError(error as FlorinError['code'], message, {
    status: response.status,
    request_id: response.headers.get('request-id') ?? undefined,
    token_is_valid: /\berror="insufficient_user/.test(challengeOf(response)),
  })
}

function challengeOf({ headers }: Response): string {
  return headers.get('www-authenticate') ?? ''
}

/**
 * Sends a request of the SDK. If the server requires a recent login for it, the user confirms who
 * they are, and the request is sent again.
 */
export async function fetchWithStepUp(url: string | URL, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.status !== 401 || !challengeOf(response).includes('max_age=')) return response
  return (await confirmLogin()) ? fetch(url, init) : response
}

let confirmLogin = async () => false

/** Sets how the user confirms who they are. It returns whether they did. */
export function onStepUp(confirm: () => Promise<boolean>): void {
  confirmLogin = confirm
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
    const message = 'Could not reach the server. Check your connection and try again.'
    throw new FlorinError('connection_failed', message, { cause })
  }
}

function parse(text: string): { error?: string; message?: string } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

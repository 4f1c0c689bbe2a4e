// Logs in to the dashboard with a cookie, over HTTP.

import type { ApiResponse } from './call.ts'
import { recordSecret } from './secrets.ts'

type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<ApiResponse>

/** Headers that the dashboard sends with every change. */
export const same_origin_headers = { 'florin-dashboard': '1', 'sec-fetch-site': 'same-origin' }

/** Logs in and returns the cookie as it is sent back. */
export async function logInForCookie(
  call: Call,
  who: { email: string; password: string; code?: string },
): Promise<string> {
  const { email, password, code } = who
  const response = await call('POST', '/dashboard/api/session', {
    headers: same_origin_headers,
    body: { email, password, ...(code && { code }) },
  })
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`)
  const cookie = response.headers.get('set-cookie')!.split(';', 1)[0]!
  recordSecret(cookie.split('=')[1]!)
  return cookie
}

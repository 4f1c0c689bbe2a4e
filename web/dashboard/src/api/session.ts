// The dashboard session: an HttpOnly cookie, so scripts cannot read it.

import { request } from './request.ts'

interface CurrentUser {
  id: string
  email: string
  name: string | null
  role: 'admin' | 'platform' | 'owner' | 'member' | 'viewer' | 'lone'
  account_id: string | null
  session_id: string
  /** Names of operations in the server's permission table. */
  may: string[]
}

export interface DashboardSession {
  user: CurrentUser | null
  has_admin: boolean
  mode: 'sandbox' | 'live'
  /** Whether anyone can create an account, at /signup. */
  signup_open: boolean
  /** False when payments are made by bank transfer: pages must not mention cards. */
  takes_cards: boolean
  /** Minimum password length, in characters. */
  password_min: number
  version: string
}

export const session = {
  retrieve: () => request<DashboardSession>('/session'),
  logIn: (credentials: { email: string; password: string }) =>
    request<{ message: string }>('/session', { method: 'POST', body: credentials }),
  logOut: (options: { everywhere?: boolean } = {}) =>
    request<{ message: string }>('/session', { method: 'DELETE', body: options }),
}

// The dashboard's own session: a cookie that this script cannot read.

import { request } from './request.ts'

export interface CurrentUser {
  id: string
  email: string
  name: string | null
  role: 'admin' | 'platform' | 'owner' | 'member' | 'lone'
  account_id: string | null
  session_id: string
  /** Names of operations, from the server's own table of permissions. */
  may: string[]
}

export interface DashboardSession {
  user: CurrentUser | null
  has_admin: boolean
  mode: 'sandbox' | 'live'
  /** Else money comes and goes by transfer: nothing may speak of cards. */
  takes_cards: boolean
  /** How many characters a password needs. */
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

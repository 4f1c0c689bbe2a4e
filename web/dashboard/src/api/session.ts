// The dashboard session: an HttpOnly cookie, so scripts cannot read it.

import { request } from './request.ts'

export type FactorKind = 'totp' | 'passkey'

interface CurrentUser {
  id: string
  email: string
  name: string | null
  role: 'admin' | 'platform' | 'owner' | 'member' | 'viewer' | 'lone'
  account_id: string | null
  session_id: string
  /** When an admin in live mode must have a second factor; null if there is no such time. */
  factor_due_at: string | null
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
  /** False if the server's URL has an IP address: browsers then have no passkeys. */
  has_passkeys: boolean
  /** Whether a mail server is configured. */
  sends_email: boolean
  /** Minimum password length, in characters. */
  password_min: number
  version: string
  /** The name of the OpenID Connect provider, if there is one. */
  oidc_name: string | null
}

export const session = {
  retrieve: () => request<DashboardSession>('/session'),
  logIn: (credentials: { email: string; password: string; code?: string }) =>
    request<{ message: string }>('/session', { method: 'POST', body: credentials }),
  /** For a login and for a confirmation. */
  passkeyOptions: () =>
    request<{ public_key: unknown }>('/session/passkey_options', { method: 'POST', body: {} }),
  logInWithPasskey: (credential: unknown) =>
    request<{ message: string }>('/session/passkey', { method: 'POST', body: { credential } }),
  listFactorKinds: async () => {
    const { data } = await request<{ data: { kind: FactorKind }[] }>('/v1/user/factors')
    return data.map(({ kind }) => kind)
  },
  /** Makes changes possible that need a recent login. */
  confirm: (proof: { password: string } | { code: string } | { credential: unknown }) =>
    request<{ message: string }>('/session/confirm', { method: 'POST', body: proof }),
  logOut: (options: { everywhere?: boolean } = {}) =>
    request<{ message: string }>('/session', { method: 'DELETE', body: options }),
}

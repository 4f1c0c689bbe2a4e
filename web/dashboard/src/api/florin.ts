// Every call of the API that the dashboard makes, named as the SDK names it. Nothing else in web/
// knows a path of the API, so this file alone changes when the SDK takes its place.

import { request } from './request.ts'
import type {
  Account,
  Balance,
  CursorList,
  CursorParams,
  FlorinEvent,
  ListedAccount,
  ListedTransaction,
  LoginSession,
  NewTransaction,
  NumberedList,
  Transaction,
  TransactionStatus,
  TransactionType,
} from './shapes.ts'

export type Florin = ReturnType<typeof makeFlorin>

export interface FlorinOptions {
  /** Sent as Florin-Account: whom an admin or a platform acts for. */
  account?: string | undefined
}

export interface CallOptions {
  idempotency_key?: string
  signal?: AbortSignal
}

export type TransactionListParams = CursorParams & {
  status?: TransactionStatus | undefined
  type?: TransactionType | undefined
  date_from?: string | undefined
  date_to?: string | undefined
}

export function makeFlorin({ account }: FlorinOptions) {
  const get = <Answer>(path: string, query: object = {}, options: CallOptions = {}) =>
    request<Answer>(path, { ...options, query: { ...query }, account })
  const change = <Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ) => request<Answer>(path, { ...options, method, body, account })

  return {
    transactions: {
      list: (params: TransactionListParams, options?: CallOptions) =>
        get<CursorList<ListedTransaction>>('/v1/transactions', params, options),
      retrieve: (id: string, options?: CallOptions) =>
        get<Transaction>(`/v1/transactions/${encodeURIComponent(id)}`, {}, options),
      create: (body: NewTransaction, options?: CallOptions) =>
        change<Transaction>('POST', '/v1/transactions', body, options),
      cancel: (id: string, options?: CallOptions) =>
        change<{ id: string; message: string }>(
          'DELETE',
          `/v1/transactions/${encodeURIComponent(id)}`,
          undefined,
          options,
        ),
    },
    account: {
      retrieve: (options?: CallOptions) => get<Account>('/v1/account', {}, options),
      balance: (options?: CallOptions) => get<Balance>('/v1/account/balance', {}, options),
    },
    accounts: {
      list: (params: { page?: number; limit?: number }, options?: CallOptions) =>
        get<NumberedList<ListedAccount>>('/v1/accounts', params, options),
      retrieve: (id: string, options?: CallOptions) =>
        get<Account>(`/v1/accounts/${encodeURIComponent(id)}`, {}, options),
    },
    events: {
      list: (params: CursorParams & { type?: string }, options?: CallOptions) =>
        get<CursorList<FlorinEvent>>('/v1/events', params, options),
    },
    sessions: {
      list: (params: CursorParams, options?: CallOptions) =>
        get<CursorList<LoginSession>>('/v1/auth/sessions', params, options),
      end: (session_id: string) =>
        change<{ message: string }>('DELETE', '/v1/auth/session', { session_id }),
    },
  }
}

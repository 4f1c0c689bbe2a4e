// What the API answers, as docs/reference/openapi.json has it.

export interface CursorList<Row> {
  data: Row[]
  has_more: boolean
}

export interface NumberedList<Row> {
  data: Row[]
  pagination: { page: number; limit: number; total: number; has_next: boolean }
}

export type CursorParams = {
  limit?: number
  starting_after?: string | undefined
  ending_before?: string | undefined
}

export const transaction_statuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
export type TransactionStatus = (typeof transaction_statuses)[number]

export const transaction_types = ['payment', 'credit', 'refund'] as const
export type TransactionType = (typeof transaction_types)[number]

export interface ListedTransaction {
  id: string
  account_id: string
  amount: number
  currency: string
  type: TransactionType
  status: TransactionStatus
  reference: string | null
  metadata: Record<string, unknown>
  created_at: string
}

export interface Transaction extends ListedTransaction {
  updated_at: string
}

export interface NewTransaction {
  account_id: string
  amount: number
  currency: string
  type: TransactionType
  reference?: string | null
  metadata?: Record<string, unknown> | null
}

export interface Balance {
  account_id: string
  currency: string
  available: number
  incoming: number
  held: number
  updated_at: string
}

export interface ListedAccount {
  id: string
  email: string
  name: string
  type: 'individual' | 'business'
  status: 'active' | 'suspended' | 'pending' | 'closed'
  created_at: string
  updated_at: string
}

export interface Account extends ListedAccount {
  settings: { currency: string; timezone: string; language: string }
}

export interface LoginSession {
  id: string
  current: boolean
  address: string
  user_agent: string | null
  created_at: string
  refreshed_at: string
  expires_at: string
}

export interface FlorinEvent {
  id: string
  type: string
  account_id: string
  sequence: number
  created_at: string
  data: Record<string, unknown>
}

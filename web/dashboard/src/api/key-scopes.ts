// The scopes an API key can have. A test compares this list with the server's permission table.

export interface ScopeNoun {
  noun: string
  name: string
  may: readonly ('read' | 'write')[]
}

const of_account: ScopeNoun[] = [
  { noun: 'transactions', name: 'Transactions', may: ['read', 'write'] },
  { noun: 'payments', name: 'Payment requests', may: ['read', 'write'] },
  { noun: 'payment_links', name: 'Payment links', may: ['read', 'write'] },
  { noun: 'customers', name: 'Customers', may: ['read'] },
  { noun: 'disputes', name: 'Disputes', may: ['read', 'write'] },
  { noun: 'transfers', name: 'Transfers', may: ['read'] },
  { noun: 'payouts', name: 'Payouts', may: ['read'] },
  { noun: 'subscriptions', name: 'Subscriptions', may: ['read', 'write'] },
  { noun: 'balance', name: 'Balance and statement', may: ['read'] },
  { noun: 'accounts', name: 'Account', may: ['read'] },
  { noun: 'events', name: 'Events', may: ['read'] },
  { noun: 'request_logs', name: 'Request log', may: ['read'] },
]

const of_platform: ScopeNoun[] = [
  ...of_account.filter(({ noun }) => noun !== 'accounts' && noun !== 'transfers'),
  { noun: 'transfers', name: 'Transfers', may: ['read', 'write'] },
  { noun: 'accounts', name: 'Accounts', may: ['read', 'write'] },
  { noun: 'users', name: 'Users', may: ['read', 'write'] },
  { noun: 'members', name: 'Members of accounts', may: ['write'] },
  { noun: 'bank_statements', name: 'Bank statements', may: ['read', 'write'] },
  { noun: 'settlements', name: 'Settlements', may: ['read'] },
]

export type KeyKind = 'account' | 'platform'

export const key_scopes: Record<KeyKind, ScopeNoun[]> = {
  account: of_account,
  platform: of_platform,
}

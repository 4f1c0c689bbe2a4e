// API types from the SDK, and the values of status and type filters.

import type {
  BankEntry,
  Dispute,
  Payment,
  Payout,
  Subscription,
  Transaction,
  Transfer,
} from '../../../../client/src/florin.ts'

export type {
  Account,
  AccountUser,
  ApiKey,
  Attention,
  AuditEntry,
  Balance,
  BalanceEntry,
  BankColumnMap,
  BankDetails,
  BankEntry,
  BankStatement,
  Charge,
  Customer,
  Dispute,
  Email,
  FlorinEvent,
  Health,
  Identity,
  Invitation,
  ListedAccount,
  ListedEmail,
  ListedTransaction,
  ListedWebhookDelivery,
  Overview,
  Payment,
  PaymentAttempt,
  PaymentEmail,
  PaymentLink,
  PaymentRequest,
  Payout,
  PayoutExport,
  PayoutSettings,
  Posting,
  Processor,
  Reconciliation,
  RequestLogEntry,
  Session as LoginSession,
  Settlement,
  StatementLine,
  Subscription,
  Transaction,
  TransactionDetails,
  Transfer,
  TransferFee,
  User,
  Volume,
  WebhookDelivery,
  WebhookEndpoint,
} from '../../../../client/src/florin.ts'

/** A page of a cursor-paginated list. */
export interface CursorList<Row> {
  data: Row[]
  has_more: boolean
}

type TransactionStatus = Transaction['status']
type TransactionType = Transaction['type']

export const transaction_statuses = [
  'pending',
  'succeeded',
  'failed',
  'canceled',
] as const satisfies TransactionStatus[]

export const transaction_types = [
  'payment',
  'credit',
  'refund',
] as const satisfies TransactionType[]

export const payment_statuses = [
  'pending',
  'succeeded',
  'failed',
  'canceled',
] as const satisfies Payment['status'][]

export const subscription_statuses = [
  'active',
  'paused',
  'canceled',
] as const satisfies Subscription['status'][]

/** The statuses, and "open" for those that the bank has yet to decide. */
export const dispute_filters = [
  'open',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const satisfies (Dispute['status'] | 'open')[]

export const payout_statuses = [
  'pending_approval',
  'approved',
  'in_transit',
  'paid',
  'failed',
  'canceled',
  'returned',
] as const satisfies Payout['status'][]

export const transfer_statuses = [
  'in_transit',
  'completed',
  'returned',
] as const satisfies Transfer['status'][]

export const transfer_directions = [
  'outgoing',
  'incoming',
  'fee',
] as const satisfies Transfer['direction'][]

export const bank_entry_statuses = [
  'new',
  'open',
  'settling',
  'settled',
  'ignored',
] as const satisfies BankEntry['status'][]

// Made by client/generate.ts from docs/reference/openapi.json. Do not edit.

import type { EventFilter, Scope } from './schemas.ts'

export interface LogInBody {
  /** An email address. Compared without regard to case, kept as given. */
  email: string
  /** The password. It must be well-formed text without control characters. */
  password: string
}

export interface LogInResponse {
  /** Send it as `Authorization: Bearer …`. */
  access_token: string
  /** Works once, at POST /v1/auth/refresh. */
  refresh_token: string
  /** Always Bearer. */
  token_type: 'Bearer'
  /** Seconds the access token lives. */
  expires_in: number
  /** Names this session for DELETE /v1/auth/session. */
  session_id: string
  user: {
    /** The id of the user. */
    id: string
    /** The log-in. */
    email: string
    /** The name, or null. */
    name: string | null
  }
}

export interface RefreshBody {
  /**
   * The refresh token, if it does not come in the header. It must be well-formed text without
   * control characters.
   */
  refresh_token?: string | undefined
}

export interface RefreshResponse {
  /** Send it as `Authorization: Bearer …`. */
  access_token: string
  /** Works once, at POST /v1/auth/refresh. */
  refresh_token: string
  /** Always Bearer. */
  token_type: 'Bearer'
  /** Seconds the access token lives. */
  expires_in: number
  /** Names this session for DELETE /v1/auth/session. */
  session_id: string
}

export interface EndSessionBody {
  /** The session to end; the current one if left out. */
  session_id?: string | undefined
}

export interface EndSessionResponse {
  /** What happened, for people. */
  message: string
  /** The session that ended. */
  session_id: string
}

export interface ListSessionsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
}

export interface ListUsersQuery {
  /** Which page, from 1. */
  page?: number | undefined
  /** Entries on a page. More than 100 means 100. */
  limit?: number | undefined
  /** Only an active user can log in. */
  status?: 'active' | 'suspended' | 'pending' | undefined
  /**
   * A part of the name or the email, in any case. It must be well-formed text without control
   * characters.
   */
  search?: string | undefined
}

export interface ListUsersPagination {
  /** This page, from 1. */
  page: number
  /** Entries on a page. */
  limit: number
  /** How many pages there are. */
  total_pages: number
  /** Entries on all pages. */
  total_records: number
}

export interface CreateUserBody {
  /** An email address. Compared without regard to case, kept as given. */
  email: string
  /**
   * At least 8 characters in sandbox, 15 in live mode, and at most 128, counted after NFKC. Never
   * returned. It must be well-formed text without control characters.
   */
  password: string
  /**
   * The person's name. null clears it. It must be well-formed text without control characters, and
   * not blank.
   */
  name?: string | null | undefined
}

export interface UpdateUserBody {
  /**
   * The person's name. null clears it. It must be well-formed text without control characters, and
   * not blank.
   */
  name?: string | null | undefined
  /** Only an active user can log in. */
  status?: 'active' | 'suspended' | 'pending' | undefined
  /**
   * At least 8 characters in sandbox, 15 in live mode, and at most 128, counted after NFKC. Never
   * returned. It must be well-formed text without control characters.
   */
  password?: string | undefined
}

export interface DeleteUserResponse {
  /** What happened, for people. */
  message: string
  /** The deleted user. */
  id: string
}

export interface CreateAccountBody {
  /** An email address. Compared without regard to case, kept as given. */
  email: string
  /**
   * The name of the business or the individual. It must be well-formed text without control
   * characters, and not blank.
   */
  name: string
  /** Whether one person or a business gets paid. */
  type: 'individual' | 'business'
  /**
   * At least 8 characters in sandbox, 15 in live mode, and at most 128, counted after NFKC. Never
   * returned. It must be well-formed text without control characters.
   */
  password: string
  /** Preferences. What is left out keeps its value, at first USD, UTC and en. */
  settings?: {
    /**
     * The base currency, fixed by the first transaction, payment request or subscription. It must
     * be an active ISO 4217 code in capitals, such as USD.
     */
    currency?: string | undefined
    /**
     * The time zone that days begin and end in. It must be an IANA time zone such as Europe/Berlin,
     * or UTC.
     */
    timezone?: string | undefined
    /** The language of what people read. It must be a BCP 47 language tag such as en or pt-BR. */
    language?: string | undefined
  } | undefined
}

export interface ListAccountsQuery {
  /** Which page, from 1. */
  page?: number | undefined
  /** Entries on a page. More than 100 means 100. */
  limit?: number | undefined
  /** A suspended or pending account takes no new payments. Closed is for good. */
  status?: 'active' | 'suspended' | 'pending' | 'closed' | undefined
  /** Whether one person or a business gets paid. */
  type?: 'individual' | 'business' | undefined
  /**
   * Opened at this time or later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  created_after?: string | undefined
  /**
   * Opened at this time or earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  created_before?: string | undefined
  /**
   * A part of the name or the email, in any case. It must be well-formed text without control
   * characters.
   */
  search?: string | undefined
}

export interface ListAccountsPagination {
  /** This page, from 1. */
  page: number
  /** Entries on a page. */
  limit: number
  /** Entries on all pages. */
  total: number
  /** Whether there is a next page. */
  has_next: boolean
}

export interface UpdateAccountStatusBody {
  /** A suspended or pending account takes no new payments. */
  status: 'active' | 'suspended' | 'pending'
}

export interface UpdateAccountBody {
  /**
   * The name of the business or the individual. It must be well-formed text without control
   * characters, and not blank.
   */
  name?: string | undefined
  /** An email address. Compared without regard to case, kept as given. */
  email?: string | undefined
  /** Preferences. What is left out keeps its value, at first USD, UTC and en. */
  settings?: {
    /**
     * The base currency, fixed by the first transaction, payment request or subscription. It must
     * be an active ISO 4217 code in capitals, such as USD.
     */
    currency?: string | undefined
    /**
     * The time zone that days begin and end in. It must be an IANA time zone such as Europe/Berlin,
     * or UTC.
     */
    timezone?: string | undefined
    /** The language of what people read. It must be a BCP 47 language tag such as en or pt-BR. */
    language?: string | undefined
  } | undefined
}

export interface CloseAccountResponse {
  /** The closed account. */
  id: string
  status: 'closed'
  /** When it was closed. */
  closed_at: string
  /** What happened, for people. */
  message: string
}

export interface ListAccountUsersQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
}

export interface GetStatementQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** A sequence: the page begins with the line after it, older ones. */
  starting_after?: string | undefined
  /** A sequence: the page ends with the line before it, newer ones. */
  ending_before?: string | undefined
  /**
   * Lines of this time and later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  from?: string | undefined
  /**
   * Lines of this time and earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  to?: string | undefined
  /**
   * csv answers a file with all lines asked for, whatever the limit. Its amounts are decimal, its
   * times in UTC and in the time zone of the account. customer_email is empty for an API key
   * without the scope payments:read.
   */
  format?: 'json' | 'csv' | undefined
}

export interface ListEventsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only events of this name, or of this noun: transaction.succeeded, payment.*. */
  type?: EventFilter | undefined
  /** A sequence: events with greater ones, oldest first. */
  after?: number | undefined
  /**
   * Only events about this object: the id of a transaction, payment request, subscription, user,
   * API key or the account.
   */
  object?: string | undefined
}

export interface StreamEventsQuery {
  /** Only events of this name, or of this noun: transaction.succeeded, payment.*. */
  type?: EventFilter | undefined
  /** A sequence: begin with the one after it. */
  after?: number | undefined
}

export interface ListRequestLogsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only answers of this class. */
  status?: '2xx' | '3xx' | '4xx' | '5xx' | undefined
  /** Only requests with this method. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD' | undefined
  /**
   * Only requests whose path begins so: /v1/payments. It must be well-formed text without control
   * characters.
   */
  path?: string | undefined
  /** An id: what was written after it, oldest first. */
  after?: string | undefined
}

export interface CreateApiKeyBody {
  /** What people call it. It must be well-formed text without control characters, and not blank. */
  name: string
  /** What the key may do: noun:read, noun:write, or * for all of it. */
  scopes: Scope[]
  /** A key for a server that acts for many accounts. */
  role?: 'platform' | undefined
}

export interface ListApiKeysQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** For admins without Florin-Account: the keys of platforms. */
  role?: 'platform' | undefined
}

export interface GetVolumeQuery {
  /**
   * Created at this time or later. A date is a day of the account's zone. It must be an RFC 3339
   * date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
   */
  from?: string | undefined
  /**
   * Created at this time or earlier. A date is that whole day. It must be an RFC 3339 date or time,
   * such as 2026-01-31 or 2026-01-31T09:30:00Z.
   */
  to?: string | undefined
  /** How long a bucket is. Weeks begin on Monday. */
  interval?: 'hour' | 'day' | 'week' | 'month' | undefined
}

export interface CreateTransactionBody {
  /** The account it belongs to. */
  account_id: string
  /** In minor units: 7500 is 75.00 of the currency. */
  amount: number
  /**
   * The account's currency: another one is refused. It must be an active ISO 4217 code in capitals,
   * such as USD.
   */
  currency: string
  type: 'payment' | 'credit' | 'refund'
  /**
   * A reference of your own. On a refund, the id of a succeeded payment (txn_…) or of a paid
   * payment request (pay_…) links the two, and all its refunds together cannot exceed it. It must
   * be well-formed text without control characters.
   */
  reference?: string | null | undefined
  /**
   * Up to 50 keys of your own, any JSON, 16 KiB in all. Whole numbers beyond 2^53 − 1 are sent as
   * text. Decimals are kept to 17 significant digits; send more as text.
   */
  metadata?: Record<string, unknown> | null | undefined
}

export interface ListTransactionsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only those with this status. */
  status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined
  /** Only those of this type. */
  type?: 'payment' | 'credit' | 'refund' | undefined
  /** Only refunds linked to the payment with this id. */
  refund_of?: string | undefined
  /**
   * Created at this time or later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_from?: string | undefined
  /**
   * Created at this time or earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_to?: string | undefined
}

export interface UpdateTransactionBody {
  /**
   * Text of your own. It neither makes nor breaks a refund's link. It must be well-formed text
   * without control characters.
   */
  reference?: string | null | undefined
  /**
   * Up to 50 keys of your own, any JSON, 16 KiB in all. Whole numbers beyond 2^53 − 1 are sent as
   * text. Decimals are kept to 17 significant digits; send more as text.
   */
  metadata?: Record<string, unknown> | null | undefined
}

export interface CancelTransactionResponse {
  /** The canceled transaction. */
  id: string
  status: 'canceled'
  /** When it was canceled. */
  canceled_at: string
  /** What happened, for people. */
  message: string
}

export interface SettleTransactionBody {
  outcome: 'succeeded' | 'failed'
  /** Kept in the audit log. It must be well-formed text without control characters. */
  reason?: string | undefined
}

export interface CountTransactionsQuery {
  /** Only those with this status. */
  status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined
  /** Only those of this type. */
  type?: 'payment' | 'credit' | 'refund' | undefined
  /** Only refunds linked to the payment with this id. */
  refund_of?: string | undefined
  /**
   * Created at this time or later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_from?: string | undefined
  /**
   * Created at this time or earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_to?: string | undefined
}

export interface CountPaymentsQuery {
  /** Only those with this status. */
  status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined
  /** Only those that the subscription with this id has made. */
  subscription?: string | undefined
  /**
   * Created at this time or later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_from?: string | undefined
  /**
   * Created at this time or earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_to?: string | undefined
  /**
   * Last changed at this time or later. With status=failed: failed since then. It must be an RFC
   * 3339 date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
   */
  updated_from?: string | undefined
}

export interface CountSubscriptionsQuery {
  /** Only those with this status. */
  status?: 'active' | 'paused' | 'canceled' | undefined
}

export interface CountWebhookDeliveriesQuery {
  /** Only those to this webhook endpoint. */
  endpoint_id?: string | undefined
  /** Only those of this event. */
  event_id?: string | undefined
  /**
   * Only those with one of these statuses, separated by commas: pending, retrying, delivered,
   * failed or canceled.
   */
  status?: string | undefined
}

export interface CountEventsQuery {
  /** Only events of this name, or of this noun: transaction.succeeded, payment.*. */
  type?: EventFilter | undefined
}

export interface ListRefundsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
}

export interface ListTransactionDetailsQuery {
  /** Ids of transactions, separated by commas, at most 100. */
  transaction_ids: string
}

export interface CreatePaymentBody {
  /** The account that asks for the money. */
  account_id: string
  /** In minor units: 7500 is 75.00 of the currency. */
  amount: number
  /**
   * The account's currency: another one is refused. It must be an active ISO 4217 code in capitals,
   * such as USD.
   */
  currency: string
  /** Who is asked to pay: the link is mailed here. */
  customer_email: string
  /**
   * A reference of your own. The customer sees it. It must be well-formed text without control
   * characters.
   */
  reference?: string | null | undefined
  /**
   * Up to 50 keys of your own, any JSON, 16 KiB in all. Whole numbers beyond 2^53 − 1 are sent as
   * text. Decimals are kept to 17 significant digits; send more as text.
   */
  metadata?: Record<string, unknown> | null | undefined
}

export interface ListPaymentsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only those with this status. */
  status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined
  /** Only those that the subscription with this id has made. */
  subscription?: string | undefined
  /**
   * Created at this time or later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_from?: string | undefined
  /**
   * Created at this time or earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_to?: string | undefined
  /**
   * Last changed at this time or later. With status=failed: failed since then. It must be an RFC
   * 3339 date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
   */
  updated_from?: string | undefined
}

export interface GetPaymentStatusResponse {
  /** The id of the payment request. */
  id: string
  /** Pending until the customer has paid. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Your reference, or null. */
  reference: string | null
  /** When the payment request last changed. */
  updated_at: string
}

export interface SettlePaymentBody {
  outcome: 'succeeded' | 'failed'
  /** Kept in the audit log. It must be well-formed text without control characters. */
  reason?: string | undefined
}

export interface CreateSubscriptionBody {
  /** Who is asked to pay each period: the links are mailed here. */
  customer_email: string
  /** In minor units: 7500 is 75.00 of the currency. */
  amount: number
  /**
   * The account's currency: another one is refused. It must be an active ISO 4217 code in capitals,
   * such as USD.
   */
  currency: string
  /** What a period is counted in, in the account's time zone. */
  interval: 'day' | 'week' | 'month' | 'year'
  /** How many make a period, which is three years at the most. */
  interval_count?: number | undefined
  /**
   * A reference of your own. The customer sees it on every request. It must be well-formed text
   * without control characters.
   */
  reference?: string | null | undefined
  /**
   * Up to 50 keys of your own, any JSON, 16 KiB in all. Whole numbers beyond 2^53 − 1 are sent as
   * text. Decimals are kept to 17 significant digits; send more as text.
   */
  metadata?: Record<string, unknown> | null | undefined
}

export interface ListSubscriptionsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only those with this status. */
  status?: 'active' | 'paused' | 'canceled' | undefined
}

export interface UpdateSubscriptionBody {
  /** paused asks for nothing until active again. */
  status?: 'active' | 'paused' | undefined
  /**
   * A reference of your own. The customer sees it on every request. It must be well-formed text
   * without control characters.
   */
  reference?: string | null | undefined
  /**
   * Up to 50 keys of your own, any JSON, 16 KiB in all. Whole numbers beyond 2^53 − 1 are sent as
   * text. Decimals are kept to 17 significant digits; send more as text.
   */
  metadata?: Record<string, unknown> | null | undefined
}

export interface AdvanceClockBody {
  /** How far, at most ten years at once and a hundred in all. */
  seconds: number
}

export interface AdvanceClockResponse {
  /** What the clock says now. */
  now: string
}

export interface CreateWebhookEndpointBody {
  /**
   * An https URL that the public internet can reach. Redirects are not followed. In a sandbox that
   * listens on loopback, loopback may be named too, also with http. It must be well-formed text
   * without control characters.
   */
  url: string
  /** Which events are sent: names such as payment.succeeded, payment.*, or *. */
  events: (EventFilter | '*')[]
}

export interface ListWebhookEndpointsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /**
   * failing: only those that are enabled and have delivered nothing lately. disabled: only those
   * that Florin disabled because of that.
   */
  health?: 'failing' | 'disabled' | undefined
}

export interface UpdateWebhookEndpointBody {
  /**
   * An https URL that the public internet can reach. Redirects are not followed. In a sandbox that
   * listens on loopback, loopback may be named too, also with http. It must be well-formed text
   * without control characters.
   */
  url?: string | undefined
  /** Which events are sent: names such as payment.succeeded, payment.*, or *. */
  events?: (EventFilter | '*')[] | undefined
  /** Whether events are sent to it. */
  status?: 'enabled' | 'disabled' | undefined
}

export interface RotateWebhookSecretBody {
  /** How long the old secret signs too: a day unless told, a week at most. */
  overlap_seconds?: number | undefined
}

export interface ReplayWebhookEventsBody {
  /**
   * Events at this time or later. Either this or after. It must be an RFC 3339 date or time, such
   * as 2026-01-31 or 2026-01-31T09:30:00Z.
   */
  since?: string | undefined
  /** Events with a greater sequence. */
  after?: number | undefined
}

export interface ListWebhookDeliveriesQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only those to this webhook endpoint. */
  endpoint_id?: string | undefined
  /** Only those of this event. */
  event_id?: string | undefined
  /**
   * Only those with one of these statuses, separated by commas: pending, retrying, delivered,
   * failed or canceled.
   */
  status?: string | undefined
}

export interface ListEmailsQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /** Only emails in this state. */
  state?: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored' | undefined
  /** Only emails to this address. */
  to?: string | undefined
  /** Only emails about the payment request with this id. */
  payment?: string | undefined
}

export interface ListAuditLogQuery {
  /** Entries at the most. More than 100 means 100. */
  limit?: number | undefined
  /** An id: the page begins with the entry after it, walking older. */
  starting_after?: string | undefined
  /** An id: the page ends with the entry before it, walking newer. */
  ending_before?: string | undefined
  /**
   * Only actions that begin so: webhook_endpoint., transaction.settled. It must be well-formed text
   * without control characters.
   */
  action?: string | undefined
  /** Only what this user or API key did. */
  actor?: string | undefined
  /** Only what was done to this. */
  object?: string | undefined
  /**
   * Done at this time or later. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_from?: string | undefined
  /**
   * Done at this time or earlier. It must be an RFC 3339 date or time, such as 2026-01-31 or
   * 2026-01-31T09:30:00Z.
   */
  date_to?: string | undefined
}

export interface SearchQuery {
  /** The id, or for admins an email. It must be well-formed text without control characters. */
  q: string
}

export interface SearchResponse {
  /** What the id names. */
  kind:
    | 'transaction'
    | 'payment'
    | 'subscription'
    | 'account'
    | 'user'
    | 'event'
    | 'webhook_endpoint'
    | 'webhook_delivery'
    | 'api_key'
  /** Its id. */
  id: string
  /** Whose it is; null when it belongs to no account. */
  account_id: string | null
}

export interface IsAliveResponse {
  status: string
}

export interface IsReadyResponse {
  status: string
}

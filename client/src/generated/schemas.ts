// Made by client/generate.ts from docs/reference/openapi.json. Do not edit.

export interface WebhookEndpoint {
  /** The id of the webhook endpoint. */
  id: string
  /** The account whose events it gets. */
  account_id: string
  /** Where events are sent. */
  url: string
  /** Which events are sent: names, noun.* or *. */
  events: string[]
  /** Whether events are sent to it. */
  status: 'enabled' | 'disabled'
  /**
   * asked: by you. gone: it answered 410. failing: it took nothing for days. closed: the account
   * was. null while it is enabled.
   */
  disabled_reason: 'manual' | 'gone' | 'failing' | 'closed' | null
  /** Since when it has taken nothing, or null while all is well. */
  failing_since: string | null
  /** Until when the secret before this one signs too. */
  previous_secret_expires_at: string | null
  /** What is left of a replay, by sequence; null when none is under way. */
  replay: {
    /** The last event that was taken up. */
    after: number
    /** The last event that will be. */
    through: number
  } | null
  /** When the endpoint was made. */
  created_at: string
  /** When the endpoint last changed. */
  updated_at: string
}

/** An endpoint with its new secret. */
export interface WebhookEndpointWithSecret {
  /** The id of the webhook endpoint. */
  id: string
  /** The account whose events it gets. */
  account_id: string
  /** Where events are sent. */
  url: string
  /** Which events are sent: names, noun.* or *. */
  events: string[]
  /** Whether events are sent to it. */
  status: 'enabled' | 'disabled'
  /**
   * asked: by you. gone: it answered 410. failing: it took nothing for days. closed: the account
   * was. null while it is enabled.
   */
  disabled_reason: 'manual' | 'gone' | 'failing' | 'closed' | null
  /** Since when it has taken nothing, or null while all is well. */
  failing_since: string | null
  /** Until when the secret before this one signs too. */
  previous_secret_expires_at: string | null
  /** What is left of a replay, by sequence; null when none is under way. */
  replay: {
    /** The last event that was taken up. */
    after: number
    /** The last event that will be. */
    through: number
  } | null
  /** When the endpoint was made. */
  created_at: string
  /** When the endpoint last changed. */
  updated_at: string
  /** Signs every delivery. Shown now, and never again. */
  secret: string
}

/** A delivery as lists show it: without request and answer. */
export interface ListedWebhookDelivery {
  /** The id of the delivery. */
  id: string
  /** The account it belongs to. */
  account_id: string
  /** Where it goes. */
  endpoint_id: string
  /** The event. It is also the webhook-id, the same on each try. */
  event_id: string
  /** The name of the event, or webhook_endpoint.test. */
  event_type: string
  /** The event's number within the account; null for a test. */
  event_sequence: number | null
  /**
   * pending: it waits for its first attempt, or to be sent again after it was delivered. retrying:
   * the last attempt failed and more will follow. delivered: the receiver accepted it. failed: the
   * last attempt failed and no more will follow. canceled: its endpoint was disabled or deleted.
   */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled'
  /**
   * All attempts so far, also those before a resend. One that was cut off by a crash of the server
   * is counted and is not in history.
   */
  attempts: number
  /** When it was last tried. */
  last_attempt_at: string | null
  /** When it is tried next, or null when it has ended. */
  next_attempt_at: string | null
  /** How long the last try took. */
  duration_ms: number | null
  /** What the last try was answered with, or null. */
  response_status: number | null
  /** Why the last try failed, or null. */
  error: string | null
  /** When it was taken up. */
  created_at: string
}

export interface WebhookDelivery {
  /** The id of the delivery. */
  id: string
  /** The account it belongs to. */
  account_id: string
  /** Where it goes. */
  endpoint_id: string
  /** The event. It is also the webhook-id, the same on each try. */
  event_id: string
  /** The name of the event, or webhook_endpoint.test. */
  event_type: string
  /** The event's number within the account; null for a test. */
  event_sequence: number | null
  /**
   * pending: it waits for its first attempt, or to be sent again after it was delivered. retrying:
   * the last attempt failed and more will follow. delivered: the receiver accepted it. failed: the
   * last attempt failed and no more will follow. canceled: its endpoint was disabled or deleted.
   */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled'
  /**
   * All attempts so far, also those before a resend. One that was cut off by a crash of the server
   * is counted and is not in history.
   */
  attempts: number
  /** When it was last tried. */
  last_attempt_at: string | null
  /** When it is tried next, or null when it has ended. */
  next_attempt_at: string | null
  /** How long the last try took. */
  duration_ms: number | null
  /** What the last try was answered with, or null. */
  response_status: number | null
  /** Why the last try failed, or null. */
  error: string | null
  /** When it was taken up. */
  created_at: string
  /** What was sent last; null when its event is no longer kept. */
  request: {
    url: string
    headers: Record<string, string>
    body: string
  } | null
  /** What came back last, with the first 4 KiB of its body; null without answer. */
  response: {
    status: number
    body: string
  } | null
  /**
   * Every try that was brought to its end, newest first, also those before a retry: the last
   * twenty. Each sent the same body.
   */
  history: ({
    /** When it was sent, which is also its webhook-timestamp. */
    at: string
    /** Where it was sent. */
    url: string
    /** How long it took. */
    duration_ms: number
    /** What came back, with the first 4 KiB of its body; null without answer. */
    response: {
      status: number
      body: string
    } | null
    /** Why it failed, or null. */
    error: string | null
  })[]
}

/** A payment request as created. */
export interface CreatedPayment {
  /** The id of the payment request. */
  id: string
  /** The account that asks for the money. */
  account_id: string
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** It leaves pending exactly once. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Who is asked to pay. */
  customer_email: string
  /** Your reference, or null. */
  reference: string | null
  /** Your own keys. */
  metadata: Record<string, unknown>
  /** When the payment request was created. */
  created_at: string
  /** The page where the customer pays. Whoever has it may pay. */
  payment_url: string
}

export interface Payment {
  /** The id of the payment request. */
  id: string
  /** The account that asks for the money. */
  account_id: string
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** It leaves pending exactly once. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Who is asked to pay. */
  customer_email: string
  /** Your reference, or null. */
  reference: string | null
  /** Your own keys. */
  metadata: Record<string, unknown>
  /** When the payment request was created. */
  created_at: string
  /** The page where the customer pays. Whoever has it may pay. */
  payment_url: string
  /** When the payment request last changed. */
  updated_at: string
  /** When it is canceled if nobody has paid. */
  expires_at: string
  /** The transaction that paid it; null until then. */
  transaction_id: string | null
  /**
   * In minor units: the sum of the refunds of this request that are pending or succeeded. Always 0
   * in events, which are written before anything can be refunded.
   */
  refunded_amount: number
}

/** One attempt of the customer to pay by card. */
export interface PaymentAttempt {
  /** Counts the attempts of the payment request from 1. */
  number: number
  /** When the card was tried. */
  created_at: string
  /** What the processor decided. */
  outcome: 'succeeded' | 'declined'
  /**
   * Why the card was declined: card_declined, insufficient_funds, expired_card, incorrect_cvc or
   * processing_error; null when it paid. More codes may be added.
   */
  decline_code: string | null
  /** What is stored of the card. The number never is. */
  card: {
    /** visa, mastercard, amex, discover or unknown. */
    brand: string
    /** The last four digits. */
    last4: string
  }
}

export interface ErrorBody {
  /** The code. Programs decide by it. */
  error:
    | 'account_not_found'
    | 'active_subscriptions'
    | 'conflict'
    | 'currency_mismatch'
    | 'email_exists'
    | 'forbidden'
    | 'idempotency_conflict'
    | 'insufficient_funds'
    | 'internal_error'
    | 'invalid_credentials'
    | 'invalid_grant'
    | 'invalid_request'
    | 'invalid_session'
    | 'not_cancellable'
    | 'not_found'
    | 'rate_limited'
    | 'unauthorized'
    | 'unavailable'
  /** What went wrong and what to do, for people. */
  message: string
}

export interface User {
  /** The id of the user. */
  id: string
  /** The log-in. */
  email: string
  /** The name, or null. */
  name: string | null
  /** Only an active user can log in. */
  status: 'active' | 'suspended' | 'pending'
  /** When the user was created. */
  created_at: string
  /** When the user last changed. */
  updated_at: string
}

export interface Account {
  /** The id of the account. */
  id: string
  /** The owner's log-in. */
  email: string
  /** Who gets paid. */
  name: string
  /** Whether one person or a business gets paid. */
  type: 'individual' | 'business'
  /** A suspended or pending account takes no new payments. Closed is for good. */
  status: 'active' | 'suspended' | 'pending' | 'closed'
  /** When the account was opened. */
  created_at: string
  /** When the account last changed. */
  updated_at: string
  settings: {
    /** ISO 4217. */
    currency: string
    /** An IANA time zone. */
    timezone: string
    /** A BCP 47 language tag. */
    language: string
  }
}

/** An account as lists show it: without settings. */
export interface ListedAccount {
  /** The id of the account. */
  id: string
  /** The owner's log-in. */
  email: string
  /** Who gets paid. */
  name: string
  /** Whether one person or a business gets paid. */
  type: 'individual' | 'business'
  /** A suspended or pending account takes no new payments. Closed is for good. */
  status: 'active' | 'suspended' | 'pending' | 'closed'
  /** When the account was opened. */
  created_at: string
  /** When the account last changed. */
  updated_at: string
}

export interface Transaction {
  /** The id of the transaction. */
  id: string
  /** The account it belongs to. */
  account_id: string
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Refunds send money back out. */
  type: 'payment' | 'credit' | 'refund'
  /** It leaves pending exactly once. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Your reference, or null. */
  reference: string | null
  /** Your own keys. */
  metadata: Record<string, unknown>
  /** When the transaction was created. */
  created_at: string
  /** When the transaction last changed. */
  updated_at: string
}

/** A transaction as created and as lists show it: without updated_at. */
export interface ListedTransaction {
  /** The id of the transaction. */
  id: string
  /** The account it belongs to. */
  account_id: string
  /** In minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Refunds send money back out. */
  type: 'payment' | 'credit' | 'refund'
  /** It leaves pending exactly once. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Your reference, or null. */
  reference: string | null
  /** Your own keys. */
  metadata: Record<string, unknown>
  /** When the transaction was created. */
  created_at: string
}

/** An email as lists show it: without its text. */
export interface ListedEmail {
  /** The id of the email. */
  id: string
  /** The account it is written for. */
  account_id: string
  /** What it is about. */
  kind:
    | 'payment_request'
    | 'payment_reminder'
    | 'payment_receipt'
    | 'payment_refund'
    | 'email_verification'
    | 'email_change_notice'
    | 'webhook_disabled'
  /**
   * queued waits for the mail server, which took a sent one and refused a failed one for good.
   * suppressed was over a limit, or asked for what had been paid or called off. stored: no mail
   * server is set, and nothing leaves.
   */
  state: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored'
  /** The recipient. */
  to: string
  /** The subject. */
  subject: string
  /** What it was written for. The same cause never writes twice. */
  cause: string
  /** How often it was tried. */
  attempts: number
  /** When it was written. */
  created_at: string
  /** When the mail server took it, or null. */
  sent_at: string | null
  /** What the mail server or the limit said last, or null. */
  error: string | null
}

export interface Email {
  /** The id of the email. */
  id: string
  /** The account it is written for. */
  account_id: string
  /** What it is about. */
  kind:
    | 'payment_request'
    | 'payment_reminder'
    | 'payment_receipt'
    | 'payment_refund'
    | 'email_verification'
    | 'email_change_notice'
    | 'webhook_disabled'
  /**
   * queued waits for the mail server, which took a sent one and refused a failed one for good.
   * suppressed was over a limit, or asked for what had been paid or called off. stored: no mail
   * server is set, and nothing leaves.
   */
  state: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored'
  /** The recipient. */
  to: string
  /** The subject. */
  subject: string
  /** What it was written for. The same cause never writes twice. */
  cause: string
  /** How often it was tried. */
  attempts: number
  /** When it was written. */
  created_at: string
  /** When the mail server took it, or null. */
  sent_at: string | null
  /** What the mail server or the limit said last, or null. */
  error: string | null
  /** The plain text. */
  text: string
  /** The HTML. */
  html: string
}

/** Amounts are in minor units. */
export interface Balance {
  /** The account. */
  account_id: string
  /** ISO 4217. */
  currency: string
  /** What has settled and is not held: refunds are taken from it. */
  available: number
  /** Payments and credits that are still pending. */
  incoming: number
  /** Refunds that are still pending. */
  held: number
  /** When money last moved, or else when the account was opened. */
  updated_at: string
}

export interface StatementLine {
  /** Numbers the movements of the account. Some are no lines: there are gaps. */
  sequence: number
  /** When the money moved. */
  created_at: string
  /** The transaction it moved for. */
  transaction_id: string
  /** Of the transaction. */
  type: 'payment' | 'credit' | 'refund'
  /** Of the transaction, as it is now. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Of the transaction, as it is now. */
  reference: string | null
  /** In minor units; negative when it left available. */
  amount: number
  /** The available balance that this movement left. */
  available_after: number
}

export interface Session {
  /** The id of the session. */
  id: string
  /** Whether this request came in this session. */
  current: boolean
  /** Where it was opened. */
  address: string
  /** What it was opened with. */
  user_agent: string | null
  /** When the session was opened. */
  created_at: string
  /** When its tokens were last renewed. */
  refreshed_at: string
  /** When it ends, however often it is renewed. */
  expires_at: string
}

/** What an API key may do. * is everything. */
export type Scope = 
  | 'accounts:read'
  | 'transactions:write'
  | 'transactions:read'
  | 'payments:write'
  | 'payments:read'
  | 'subscriptions:write'
  | 'subscriptions:read'
  | 'balance:read'
  | 'events:read'
  | 'request_logs:read'
  | '*'
  | 'users:read'
  | 'users:write'
  | 'members:write'
  | 'accounts:write'

/** The type of an event, or all types of a noun. */
export type EventFilter = 
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'account.created'
  | 'account.updated'
  | 'account.closed'
  | 'transaction.created'
  | 'transaction.updated'
  | 'transaction.succeeded'
  | 'transaction.failed'
  | 'transaction.canceled'
  | 'payment.created'
  | 'payment.succeeded'
  | 'payment.failed'
  | 'payment.canceled'
  | 'subscription.created'
  | 'subscription.updated'
  | 'subscription.canceled'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'user.*'
  | 'account.*'
  | 'transaction.*'
  | 'payment.*'
  | 'subscription.*'
  | 'api_key.*'

export interface EventFields {
  /** The id of the event. */
  id: string
  /** What happened. */
  type:
    | 'user.created'
    | 'user.updated'
    | 'user.deleted'
    | 'account.created'
    | 'account.updated'
    | 'account.closed'
    | 'transaction.created'
    | 'transaction.updated'
    | 'transaction.succeeded'
    | 'transaction.failed'
    | 'transaction.canceled'
    | 'payment.created'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'api_key.created'
    | 'api_key.revoked'
  /** The account it happened to. */
  account_id: string
  /** The event's number within its account, from 1 and without gaps. */
  sequence: number
  /** When it happened. */
  created_at: string
  /** The object as the API showed it then. Its shape depends on the type. */
  data: User | Account | Transaction | Payment | Subscription | ApiKey
}

export interface RequestLogEntry {
  /** The Request-Id of the response. */
  id: string
  /** The account it was asked for. */
  account_id: string
  /** When the request came, in real time. */
  created_at: string
  /** Of the request. */
  method: string
  /** With its query. */
  path: string
  /** Of the response. */
  status: number
  /** Until it was answered. */
  duration_ms: number
  /** Who asked. */
  caller: {
    /** A person or a program. */
    kind: 'user' | 'api_key'
    /** The user or the key. */
    id: string
  }
  /** Whether an Idempotency-Key came along. */
  idempotency_key: boolean
  /** The code of the error; null after a success. */
  error: string | null
  /**
   * In sandbox: the body as JSON text, without secrets, 4 KiB at the most. Null where not everybody
   * who reads the log may make the call.
   */
  request_body: string | null
  /**
   * In sandbox: the response as JSON text, without secrets, 4 KiB at the most. Null where not
   * everybody who reads the log may make the call.
   */
  response_body: string | null
}

export interface ApiKey {
  /** The id of the key. */
  id: string
  /** What it is called. */
  name: string
  /** What it may do. */
  scopes: string[]
  /** The end of the key. */
  last4: string
  /** When the key was made. */
  created_at: string
  /** When it was last used, to the minute; null if never. */
  last_used_at: string | null
  /** When it was revoked; null while it works. */
  revoked_at: string | null
}

export interface CreatedApiKey {
  /** The id of the key. */
  id: string
  /** What it is called. */
  name: string
  /** What it may do. */
  scopes: string[]
  /** The end of the key. */
  last4: string
  /** When the key was made. */
  created_at: string
  /** When it was last used, to the minute; null if never. */
  last_used_at: string | null
  /** When it was revoked; null while it works. */
  revoked_at: string | null
  /** The key itself. It is shown here and never again. */
  key: string
}

export interface ListCount {
  /** How many entries there are, up to 10,000. */
  count: number
  /** False when there are more than the count. */
  is_exact: boolean
}

export interface TransactionDetails {
  /** The id of the transaction. */
  transaction_id: string
  /**
   * In minor units: the sum of the linked refunds that are pending or succeeded. Refunds that
   * failed or were canceled do not count.
   */
  refunded_amount: number
  /** The part of refunded_amount that is still pending. */
  pending_refund_amount: number
  /**
   * The most that another refund can have: the amount minus refunded_amount for a succeeded
   * payment, 0 for any other transaction.
   */
  refundable_amount: number
  /** The payment that a linked refund gives back; else null. */
  refund_of: string | null
  /**
   * The payment request that this transaction paid; for a linked refund, the one that it gives
   * back; else null.
   */
  payment_id: string | null
  /** The customer of that payment request; else null. */
  customer_email: string | null
}

export interface Posting {
  /** Numbers the movements of the account, without gaps. */
  sequence: number
  /** Where the money was. */
  from: 'external' | 'incoming' | 'available' | 'held'
  /** Where it went. */
  to: 'external' | 'incoming' | 'available' | 'held'
  /** In minor units. */
  amount: number
  /** The available balance that this movement left. */
  available_after: number
  /** When the money moved. */
  created_at: string
}

export interface Volume {
  /** The account. */
  account_id: string
  /** ISO 4217. */
  currency: string
  /** The account's time zone. */
  timezone: string
  /** How long a bucket is. */
  interval: string
  /** The first instant, inclusive. */
  from: string
  /** The last instant, inclusive. */
  to: string
  /** Of the whole period. */
  totals: {
    /** Payments and credits that succeeded, in minor units. */
    in: number
    /** Refunds that succeeded, in minor units. */
    out: number
    /** How many transactions created in this time have succeeded. */
    succeeded: number
    /** How many of them have failed. */
    failed: number
    /** How many of them were canceled. */
    canceled: number
    /** How many of them are still pending. */
    pending: number
    /** How many card attempts on payment requests were declined. */
    declined_attempts: number
    /** succeeded / (succeeded + failed + declined_attempts), from 0 to 1; null when all are 0. */
    success_rate: number | null
  }
  /** The period just before it, equally long. */
  previous: {
    /** The first instant, inclusive. */
    from: string
    /** The last instant, inclusive. */
    to: string
    /** Payments and credits that succeeded, in minor units. */
    in: number
    /** Refunds that succeeded, in minor units. */
    out: number
    /** How many transactions created in this time have succeeded. */
    succeeded: number
    /** How many of them have failed. */
    failed: number
    /** How many of them were canceled. */
    canceled: number
    /** How many of them are still pending. */
    pending: number
    /** How many card attempts on payment requests were declined. */
    declined_attempts: number
    /** succeeded / (succeeded + failed + declined_attempts), from 0 to 1; null when all are 0. */
    success_rate: number | null
    /** That period in pieces of the same interval, oldest first. */
    buckets: {
      /** The first instant, inclusive. */
      from: string
      /** The last instant, inclusive. */
      to: string
      /** Payments and credits that succeeded, in minor units. */
      in: number
      /** Refunds that succeeded, in minor units. */
      out: number
      /** How many transactions created in this time have succeeded. */
      succeeded: number
      /** How many of them have failed. */
      failed: number
      /** How many of them were canceled. */
      canceled: number
      /** How many of them are still pending. */
      pending: number
      /** How many card attempts on payment requests were declined. */
      declined_attempts: number
    }[]
  }
  /** The period in pieces, oldest first, without gaps. */
  buckets: {
    /** The first instant, inclusive. */
    from: string
    /** The last instant, inclusive. */
    to: string
    /** Payments and credits that succeeded, in minor units. */
    in: number
    /** Refunds that succeeded, in minor units. */
    out: number
    /** How many transactions created in this time have succeeded. */
    succeeded: number
    /** How many of them have failed. */
    failed: number
    /** How many of them were canceled. */
    canceled: number
    /** How many of them are still pending. */
    pending: number
    /** How many card attempts on payment requests were declined. */
    declined_attempts: number
  }[]
}

export interface Attention {
  /** The account. */
  account_id: string
  /** What time it was. */
  at: string
  /** Transactions created since then that have failed, newest first. */
  failed: {
    /** 24 hours ago, and the time that the processor takes to settle. */
    since: string
    /** How many; 1000 means that many or more. */
    count: number
    /** The ids of the first five. */
    ids: string[]
    /**
     * The request that lists all of them: a path with query. Send it with the same token and
     * Florin-Account.
     */
    list: string
  }
  /** Transactions from before then that are still pending, oldest first. */
  pending_long: {
    /** An hour ago, or twice as long as the processor takes. */
    before: string
    /** How many; 1000 means that many or more. */
    count: number
    /** The ids of the first five. */
    ids: string[]
    /**
     * The request that lists all of them: a path with query. Send it with the same token and
     * Florin-Account.
     */
    list: string
  }
  /** Payment requests that failed since then, whenever they were created, newest first. */
  payments_failed: {
    /** 24 hours ago. */
    since: string
    /** How many; 1000 means that many or more. */
    count: number
    /** The ids of the first five. */
    ids: string[]
    /**
     * The request that lists all of them: a path with query. Send it with the same token and
     * Florin-Account.
     */
    list: string
  }
  /** Pending payment requests that expire by then, the soonest first. */
  payments_expiring: {
    /** In three days. */
    by: string
    /** How many; 1000 means that many or more. */
    count: number
    /** The ids of the first five. */
    ids: string[]
    /**
     * The request that lists all of them: a path with query. Send it with the same token and
     * Florin-Account.
     */
    list: string
  }
  /** Enabled endpoints that take nothing. null for callers that may not manage webhooks. */
  webhooks_failing: {
    /** How many; 1000 means that many or more. */
    count: number
    /** The ids of the first five. */
    ids: string[]
    /**
     * The request that lists all of them: a path with query. Send it with the same token and
     * Florin-Account.
     */
    list: string
  } | null
  /**
   * Endpoints that Florin disabled because they failed. null for callers that may not manage
   * webhooks.
   */
  webhooks_disabled: {
    /** How many; 1000 means that many or more. */
    count: number
    /** The ids of the first five. */
    ids: string[]
    /**
     * The request that lists all of them: a path with query. Send it with the same token and
     * Florin-Account.
     */
    list: string
  } | null
}

export interface AuditEntry {
  /** The id of the entry. */
  id: string
  /** What was done: a noun and a verb. */
  action: string
  /** Who did it: a role, anonymous for sign-up, operator for the command line. */
  actor_role: string
  /** The user or the API key, or null. */
  actor_id: string | null
  /** What it was done to; null when that has no id. */
  object_id: string | null
  /** The account it was done on, or null. */
  account_id: string | null
  /** The Request-Id of the request, or null. */
  request_id: string | null
  /** What changed, by field. Never a secret. */
  details: Record<string, unknown>
  /** When it was done. */
  created_at: string
}

export interface Health {
  server: {
    /** The version of Florin. */
    version: string
    /** The mode it runs in. */
    mode: 'sandbox' | 'live'
    /** Whether an SMTP server is set. Without one no email leaves the server. */
    sends_email: boolean
    /** When this process started. */
    started_at: string
    /** Of this process: one point for each ten seconds of the last hour, oldest first. */
    history: ({
      /** The end of these ten seconds. */
      at: string
      requests_per_s: {
        /** Answered well. */
        '2xx': number
        /** Sent elsewhere. */
        '3xx': number
        /** Refused. */
        '4xx': number
        /** Failed. */
        '5xx': number
      }
      latency_ms: {
        /** Half of the requests took at most this; null when there were none. */
        p50: number | null
        /** All but one in a hundred took at most this. */
        p99: number | null
      }
      lanes: {
        transactions: {
          /** Changes that wait. */
          waiting: number
          /** Changes in one database transaction; null when there were none. */
          batch_size: number | null
        }
        payments: {
          /** Changes that wait. */
          waiting: number
          /** Changes in one database transaction; null when there were none. */
          batch_size: number | null
        }
        subscriptions: {
          /** Changes that wait. */
          waiting: number
          /** Changes in one database transaction; null when there were none. */
          batch_size: number | null
        }
      }
      pool: {
        /** Connections in use. */
        busy: number
        /** Connections at rest. */
        idle: number
        /** Requests that wait for one. */
        waiting: number
      }
      event_loop_delay_ms: {
        /** How late timers were, half of the time. */
        p50: number
        /** How late timers were, but for one in a hundred. */
        p99: number
      }
      /** Memory of the process. */
      rss_bytes: number
    })[]
  }
  database: {
    /** The version of PostgreSQL. */
    version: string
    /** What the database takes on the disc. */
    size_bytes: number
    connections: {
      /** Those that run a statement, this one included. */
      active: number
      /** Those at rest. */
      idle: number
      /** Those at rest inside a database transaction. */
      in_transaction: number
      /** How many the server takes. */
      max: number
    }
    settings: {
      /** on, or what else it is. */
      fsync: string
      /** on, or what else it is. */
      full_page_writes: string
      /** on, or what else it is. */
      synchronous_commit: string
      /** on, or what else it is. */
      data_checksums: string
    }
    /** Since when the oldest database transaction is open; null when none is. */
    oldest_transaction_s: number | null
  }
  worker: {
    /** Whether anybody does it. */
    running: boolean
    /** When a worker last renewed a lease; null if there never was one. */
    last_seen_at: string | null
    jobs: {
      /** The job. */
      name: string
      /** How many of its parts somebody does. */
      slots_held: number
      /** When that was last renewed. */
      last_seen_at: string
    }[]
    /** Transactions that should have settled by now. */
    transactions_due: number
    /** Payment requests to remind of or to cancel. */
    payments_due: number
    /** Subscriptions to ask for. */
    subscriptions_due: number
    emails: {
      /** Emails that wait; 1000 means that many or more. */
      waiting: number
      /** Those of them whose time has come. */
      due: number
    }
    webhooks: {
      /** Deliveries that wait; 1000 means that many or more. */
      waiting: number
      /** Those of them whose time has come. */
      due: number
    }
    closings: {
      /** Closed accounts whose leftover rows are still being canceled. */
      open: number
      /** For how long the oldest has been; null when none is. */
      oldest_s: number | null
      /** Those of them without progress for ten minutes. */
      stalled: number
    }
  }
}

export interface Subscription {
  /** The id of the subscription. */
  id: string
  /** The account that asks for the money. */
  account_id: string
  /** Who is asked to pay each period. */
  customer_email: string
  /** In minor units, each period. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** What a period is counted in. */
  interval: 'day' | 'week' | 'month' | 'year'
  /** How many make a period. */
  interval_count: number
  /** Only an active one asks for money. Canceled is for good. */
  status: 'active' | 'paused' | 'canceled'
  /** Your reference, or null. */
  reference: string | null
  /** Your own keys. */
  metadata: Record<string, unknown>
  /** When the next period begins; null unless active. */
  next_at: string | null
  /** When it was created, and its first period began. */
  created_at: string
  /** When somebody last changed it. A period that comes round is no change. */
  updated_at: string
}

// The emails Florin sends. A queued email is stored as its kind and facts at that time. The text is
// rendered when it is sent or viewed, so queueing costs one row.

import { max_uuid } from '../primitives/ids.ts'

/**
 * Stands for the service in emails to users about their login, who may have no account. Greater
 * than every account id, because the worker scans accounts from the nil UUID on, exclusively.
 */
export const service_account_id = max_uuid

interface PaymentFacts {
  account_name: string
  amount: number
  currency: string
  reference: string | null
  /** The hosted payment page. */
  url: string
}

interface DisputeFacts {
  account_name: string
  amount: number
  currency: string
  dispute_id: string
  /** The payment. */
  transaction_id: string
}

interface NoticeFacts {
  account_name: string
  count: number
  amount: number
  currency: string
  customer_email: string | null
  reference: string | null
}

/** About a user of the service. `account_name` is the host of the public URL. */
interface UserFacts {
  account_name: string
  /** The address that the user logs in with. */
  email: string
}

interface RequestFacts extends PaymentFacts {
  expires_at: string
  /** To the customer. */
  message?: string
}

export interface EmailFacts {
  payment_request: RequestFacts
  payment_reminder: RequestFacts
  payment_receipt: PaymentFacts & { paid_at: string; transaction_id: string }
  /** `amount` is the refunded amount. */
  payment_refund: PaymentFacts & {
    paid_amount: number
    refunded_at: string
    /** The refund transaction. */
    transaction_id: string
  }
  email_verification: { account_name: string; url: string; expires_at: string }
  /** To the old address: when the change is requested, and again when it is confirmed. */
  email_change_notice: { account_name: string; new_email: string; confirmed: boolean }
  /** After sign-up in live mode: the user is pending until the link is used. */
  sign_up_verification: UserFacts & { url: string; expires_at: string }
  /** Sign-up with the address of an existing user. `url` is the login page. */
  sign_up_attempt: UserFacts & { url: string }
  password_reset: UserFacts & { url: string; expires_at: string }
  password_changed: UserFacts & { changed_at: string }
  /** `account_name` is the account's name. */
  invitation: { account_name: string; url: string; expires_at: string }
  /** `due_at`: until when evidence is accepted. */
  dispute_opened: DisputeFacts & { due_at: string | null }
  dispute_closed: DisputeFacts & { outcome: 'won' | 'lost' }
  /** `amount` is the total of `count` payments. The customer is that of the first one. */
  payment_received: NoticeFacts
  payment_failed: NoticeFacts
  new_login: UserFacts & { address: string; client: string; logged_in_at: string }
  weekly_summary: {
    account_name: string
    currency: string
    /** The first and the last day, as times. */
    from: string
    to: string
    payments: number
    volume: number
    refunds: number
    fees: number
    failed: number
    open: number
  }
  /** `gone`: the endpoint returned 410. `failing`: every delivery has failed for days. */
  webhook_disabled: {
    account_name: string
    endpoint_url: string
    endpoint_id: string
    reason: 'gone' | 'failing'
  }
  /** `holder` and `iban`, of which only the ends are stored, are the new ones. */
  payout_destination_changed: {
    account_name: string
    holder: string
    iban: string
    changed_at: string
  }
}

export type EmailKind = keyof EmailFacts

const known_kinds: Record<EmailKind, true> = {
  payment_request: true,
  payment_reminder: true,
  payment_receipt: true,
  payment_refund: true,
  email_verification: true,
  email_change_notice: true,
  sign_up_verification: true,
  sign_up_attempt: true,
  password_reset: true,
  password_changed: true,
  invitation: true,
  dispute_opened: true,
  dispute_closed: true,
  payment_received: true,
  payment_failed: true,
  new_login: true,
  weekly_summary: true,
  webhook_disabled: true,
  payout_destination_changed: true,
}

/** During an upgrade, the next version may queue other kinds. */
export function isKnownKind(kind: string): boolean {
  return kind in known_kinds
}

export type Email = {
  [Kind in EmailKind]: {
    /** Deduplication key: an account never gets two emails with the same cause. */
    cause: string
    /** The account's UUID, or `service_account_id`. */
    account_id: string
    to: string
    /** The account's language and time zone. */
    language: string
    timezone: string
    kind: Kind
    facts: EmailFacts[Kind]
  }
}[EmailKind]

/** Kinds whose link works once. It is removed from the stored email once the email is sent. */
export const one_time_kinds: ReadonlySet<EmailKind> = new Set<EmailKind>([
  'email_verification',
  'sign_up_verification',
  'password_reset',
  'invitation',
])

/** Kinds about the login of a user. The service sends them, not an account. */
export const user_kinds: ReadonlySet<EmailKind> = new Set<EmailKind>([
  'sign_up_verification',
  'sign_up_attempt',
  'password_reset',
  'password_changed',
  'new_login',
])

/** Kinds to customers of an account: they show its branding, and replies go to it. */
export const customer_kinds: ReadonlySet<EmailKind> = new Set<EmailKind>([
  'payment_request',
  'payment_reminder',
  'payment_receipt',
  'payment_refund',
])

/** What customers see of an account besides its name. Read when the email is rendered. */
export interface EmailBrand {
  /** An https URL: mail clients load nothing else. */
  logo: { url: string; width: number; height: number } | null
  /** The colors of the button. */
  accent: { light: ButtonColors; dark: ButtonColors } | null
  /** Where replies go, and what the email shows for questions. */
  support_email: string
  support_phone: string | null
  website: string | null
}

interface ButtonColors {
  background: string
  text: string
}

/** The setting with which a user turns off each kind of email to the users of an account. */
export const notice_of = {
  payment_received: 'payment_received',
  payment_failed: 'payment_failed',
  dispute_opened: 'dispute',
  dispute_closed: 'dispute',
  new_login: 'new_login',
  weekly_summary: 'weekly_summary',
} as const satisfies Partial<Record<EmailKind, string>>

export type NoticeName = (typeof notice_of)[keyof typeof notice_of]

export function isNotice(kind: string): boolean {
  return kind in notice_of
}

/** An email to a user of an account, who may have turned it off. */
export type Notice = Email & {
  /** The user whose setting applies. */
  user_id: string
}

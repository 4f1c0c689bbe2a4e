// A row of the email outbox.

import type { Email, EmailKind } from './email.ts'

export type EmailState = 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored'

export interface StoredEmail {
  account_id: string
  cause: string
  id: string
  state: EmailState
  kind: EmailKind
  recipient: string
  /** JSON: language, time zone and facts. */
  content: string
  attempts: number
  sent_at: Date | null
  error: string | null
}

/** Needs no validation: queueEmails stored matching kind and facts. */
export function readEmail(email: StoredEmail): Email {
  const { kind, cause, account_id, recipient: to } = email
  return { ...JSON.parse(email.content), kind, cause, account_id, to }
}

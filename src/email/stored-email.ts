// A row of the email outbox.

import { type Email, type EmailKind, one_time_kinds } from './email.ts'

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

/** The content without the secret part of a one-time link; undefined if the email has none. */
export function contentWithoutLink({ kind, content }: StoredEmail): string | undefined {
  if (!one_time_kinds.has(kind)) return undefined
  const { facts, ...rest } = JSON.parse(content)
  return JSON.stringify({ ...rest, facts: { ...facts, url: facts.url.replace(/[^/]*$/, '…') } })
}

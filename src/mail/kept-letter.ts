// A letter as the outbox keeps it.

import type { Letter, LetterKind } from './letter.ts'

export type LetterState = 'queued' | 'sent' | 'failed' | 'withheld' | 'kept'

export interface KeptLetter {
  account_id: string
  cause: string
  id: string
  state: LetterState
  kind: LetterKind
  recipient: string
  /** JSON: language, time zone and facts. */
  content: string
  attempts: number
  sent_at: Date | null
  error: string | null
}

/** Kind and facts belong together, because queueMail wrote them so. */
export function readLetter(letter: KeptLetter): Letter {
  const { kind, cause, account_id, recipient: to } = letter
  return { ...JSON.parse(letter.content), kind, cause, account_id, to }
}

// Postings cannot be shown before they exist. While slices of an account's closing still have to
// write postings, reads of postings are rejected instead of returning an incomplete list.

import { Refusal } from '../primitives/refusal.ts'
import type { AccountLock } from './lock-row.ts'

export function requireAllPosted(end: Pick<AccountLock, 'status' | 'incoming' | 'held'>): void {
  if (end.status !== 'closed' || end.incoming + end.held === 0) return
  throw new Refusal(
    'unavailable',
    'The account was just closed and its last postings are still being written. ' +
      'Retry in a few seconds.',
    { retry_after_s: 1 },
  )
}

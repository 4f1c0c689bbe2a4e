// While slices of an account's closing still have postings to write, reads of its postings are
// rejected rather than returning an incomplete list.

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

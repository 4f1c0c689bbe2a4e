// Postings are shown as they were booked. While the closing of an account is still returning what
// was on its way, its last postings are missing: nobody is shown books that are about to grow.

import { Refusal } from '../primitives/refusal.ts'
import type { AccountLock } from './lock-row.ts'

export function requireBooked(end: Pick<AccountLock, 'status' | 'incoming' | 'held'>): void {
  if (end.status !== 'closed' || end.incoming + end.held === 0) return
  throw new Refusal(
    'unavailable',
    'The account was closed a moment ago, and its last postings are still being written. ' +
      'Try again shortly.',
    { retry_after_s: 1 },
  )
}

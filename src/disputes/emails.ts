// The emails to the owner of an account about a dispute. Their `cause` is a unique key that
// prevents duplicates.

import type { Notice } from '../email/email.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import type { DisputeRow } from './dispute.ts'
import type { DisputeSet } from './dispute-set.ts'

type EmailContext = Pick<DisputeSet, 'accounts'>

export function disputeOpenedEmail(context: EmailContext, row: DisputeRow): Notice {
  return {
    ...addressOf(context, row),
    cause: `dispute_opened:${toTypeId('dispute', row.id)}`,
    kind: 'dispute_opened',
    facts: { ...factsOf(context, row), due_at: row.due_at && toIso(row.due_at) },
  }
}

/** A lost dispute can be won later, so the status is part of the cause. */
export function disputeClosedEmail(context: EmailContext, row: DisputeRow): Notice {
  const outcome = row.status === 'won' ? 'won' : 'lost'
  return {
    ...addressOf(context, row),
    cause: `dispute_closed:${toTypeId('dispute', row.id)}:${outcome}`,
    kind: 'dispute_closed',
    facts: { ...factsOf(context, row), outcome },
  }
}

function addressOf(context: EmailContext, row: DisputeRow) {
  const { owner_id: user_id, email: to, language, timezone } = accountOf(context, row)
  return { account_id: row.account_id, user_id, to, language, timezone }
}

function factsOf(context: EmailContext, row: DisputeRow) {
  return {
    account_name: accountOf(context, row).name,
    amount: row.amount,
    currency: row.currency,
    dispute_id: toTypeId('dispute', row.id),
    transaction_id: toTypeId('transaction', row.transaction_id),
  }
}

function accountOf({ accounts }: EmailContext, { account_id }: DisputeRow) {
  const account = accounts.get(account_id)
  if (account === undefined) throw new Error(`account ${account_id} was not loaded`)
  return account
}

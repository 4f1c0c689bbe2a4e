// DELETE /v1/account. Closing touches every noun, so it stands above them; it is one database
// transaction under the account's lock, and it cannot be undone.

import { presentAccount } from '../accounts/account.ts'
import { markClosed } from '../accounts/mark-closed.ts'
import { revokeKeysOfAccount } from '../api-keys/revoke-keys.ts'
import { recordDeed } from '../audit/record-deed.ts'
import { changeOnce } from '../kept-answers/change-once.ts'
import { announce } from '../ledger/account-lock.ts'
import { cancelPendingPayments } from '../payments/cancel-pending-payments.ts'
import type { Db } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'
import { findActingAccount, lockOpenAccount, unknownActing } from '../sessions/acting-account.ts'
import { actorOf } from '../sessions/actor.ts'
import type { Caller } from '../sessions/caller.ts'
import { revokeTokensOfAccount } from '../sessions/revoke-sessions.ts'
import { endSubscriptions } from '../subscriptions/end-subscriptions.ts'
import { cancelPending } from '../transactions/cancel-pending.ts'
import { removeUsersOfAccount } from '../users/owner.ts'
import { endWebhooks } from '../webhooks/end-webhooks.ts'

export interface ClosedAccount {
  id: string
  status: 'closed'
  closed_at: string
  message: string
}

export interface ClosingParts {
  db: Db
  /** Links in the events of what is canceled are under it. */
  public_url: string
}

export async function closeAccount(parts: ClosingParts, caller: Caller): Promise<ClosedAccount> {
  const { db, public_url } = parts
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActing(caller)
  return changeOnce(db, caller.once, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    await endSubscriptions(tx, lock, public_url)
    await cancelPendingPayments(tx, lock, public_url)
    await cancelPending(tx, lock)
    await revokeKeysOfAccount(tx, lock)
    const closed = await markClosed(tx, lock)
    await removeUsersOfAccount(tx, actorOf(caller), lock)
    await revokeTokensOfAccount(tx, account_id)
    const event = { object_id: account_id, data: presentAccount(closed) }
    await announce(tx, lock, { type: 'account.closed', ...event })
    await endWebhooks(tx, lock)
    await recordDeed(tx, actorOf(caller), {
      action: 'account.closed',
      object_id: account_id,
      account_id,
    })
    return {
      id: toTypeId('account', account_id),
      status: 'closed',
      closed_at: toIso(closed.closed_at),
      message: 'The account has been closed. This cannot be undone.',
    } as const
  })
}

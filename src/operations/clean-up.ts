// Ends the open rows of a closed account, in slices. A slice is one transaction under the account's
// lock that changes a bounded number of rows. It writes with the closing time, so all slices
// together leave the same rows as one long transaction. The row in account_closings stores the
// progress, so any process can continue after a crash. account.closed is the last event.

import { presentAccount } from '../accounts/account.ts'
import { findAccounts } from '../accounts/find-accounts.ts'
import { revokeKeysOfAccount } from '../identity/api-keys/revoke-keys.ts'
import { removeUsersOfAccount } from '../identity/users/owner.ts'
import { appendEvent, lockAccountIfExists } from '../ledger/account-lock.ts'
import {
  type Closing,
  type ClosingStage,
  findClosing,
  moveClosing,
  removeClosing,
} from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { cancelPendingPayments } from '../payments/cancel-pending-payments.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { type CountChange, changeCounts } from '../postgres/list-counts.ts'
import type { IdPage } from '../postgres/page-clause.ts'
import { nil_uuid } from '../primitives/ids.ts'
import { cancelPaused } from '../subscriptions/end-subscriptions.ts'
import { cancelPending } from '../transactions/lanes.ts'
import { endWebhooks } from '../webhooks/change-endpoints.ts'

export interface CleanUpParts {
  db: Db
  /** The base URL of payment links in the events of canceled requests. */
  public_url: string
}

// A slice holds the account's lock and one database client for tens of milliseconds.
export const slice_rows_max = 200

// Enough to finish nearly every account before the response; the worker does the rest.
const inline_slices_max = 5
const takeTurn = createFairQueue({ concurrency_max: 2, wait_max_ms: 1_000 })

/** Best effort: the account is closed whether or not this succeeds. */
export async function cleanUpInline(parts: CleanUpParts, account_id: string): Promise<void> {
  try {
    await takeTurn(account_id, async () => {
      for (let left = inline_slices_max; left > 0; left--) {
        if (!(await cleanUpSlice(parts, account_id))) return
      }
    })
  } catch {
    // The worker retries, and logs an error that persists.
  }
}

/** Returns whether slices remain. */
export function cleanUpSlice(
  { db, public_url }: CleanUpParts,
  account_id: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const lock = await lockAccountIfExists(tx, account_id)
    const closing = lock && (await findClosing(tx, account_id))
    if (closing === undefined) return false
    const slice = new Slice(atTime(tx, closing.closed_at), lock!, closing, public_url)
    return slice.run()
  })
}

/** The same transaction, with the closing time as its time. */
function atTime(tx: Tx, now: Date): Tx {
  return {
    now,
    shards: tx.shards,
    known_balances: tx.known_balances,
    rows: (statement) => tx.rows(statement),
    row: (statement) => tx.row(statement),
    count: (statement) => tx.count(statement),
    send: (statement) => tx.send(statement),
    proveBy: (evidence) => tx.proveBy(evidence),
    proveByRow: (account_id) => tx.proveByRow(account_id),
  }
}

/** In the order of their events. */
const stages: ClosingStage[] = [
  'subscriptions',
  'payments',
  'transactions',
  'api_keys',
  'users',
  'account',
]

class Slice {
  readonly #tx: Tx
  readonly #lock: AccountLock
  readonly #closing: Closing
  readonly #public_url: string
  readonly #counts: CountChange[] = []
  /** The slice has enough rows, although the stage returned fewer ids than the limit. */
  #has_more = false

  constructor(tx: Tx, lock: AccountLock, closing: Closing, public_url: string) {
    this.#tx = tx
    this.#lock = lock
    this.#closing = { ...closing }
    this.#public_url = public_url
  }

  /** Runs stages in order until the slice has changed its maximum number of rows. */
  async run(): Promise<boolean> {
    const closing = this.#closing
    let limit = slice_rows_max
    while (limit > 0 && closing.stage !== 'account') {
      const ids = await this.#endSome({ after: closing.after_id, limit })
      if (this.#has_more) break
      const is_stage_done = ids.length < limit
      closing.after_id = is_stage_done ? nil_uuid : ids.at(-1)!
      if (is_stage_done) closing.stage = stages[stages.indexOf(closing.stage) + 1]!
      limit -= ids.length
    }
    const is_done = closing.stage === 'account'
    if (is_done) await this.#end()
    else await moveClosing(this.#tx, closing)
    // Counters are locked last.
    if (this.#counts.length > 0) await changeCounts(this.#tx, this.#counts)
    return !is_done
  }

  /** Returns the ids of the changed rows: fewer than the limit when the stage is finished. */
  #endSome(page: IdPage): Promise<string[]> {
    const tx = this.#tx
    const lock = this.#lock
    switch (this.#closing.stage) {
      case 'subscriptions':
        return cancelPaused(tx, lock, page, this.#public_url)
      case 'payments':
        return cancelPendingPayments(tx, lock, page, this.#public_url)
      case 'transactions':
        return cancelPending(tx, lock, page)
      case 'api_keys':
        return revokeKeysOfAccount(tx, lock, page)
      case 'users':
        return this.#removeUsers(page)
      case 'account':
        throw new Error('stage "account" has no rows')
    }
  }

  async #removeUsers(page: IdPage): Promise<string[]> {
    const { actor_role: role, actor_id, request_id } = this.#closing
    const actor = { role, user_id: actor_id ?? undefined, request_id: request_id ?? undefined }
    const removed = await removeUsersOfAccount(this.#tx, actor, this.#lock, page)
    this.#counts.push(...removed.counts)
    this.#has_more = removed.has_more ?? false
    return removed.ids
  }

  async #end(): Promise<void> {
    const { account_id } = this.#lock
    const [account] = await findAccounts(this.#tx, [account_id])
    if (account === undefined) throw new Error(`${account_id} has a balance but no account`)
    const event = { object_id: account_id, data: presentAccount(account) }
    await appendEvent(this.#tx, this.#lock, { type: 'account.closed', ...event })
    await endWebhooks(this.#tx, this.#lock)
    await removeClosing(this.#tx, account_id)
  }
}

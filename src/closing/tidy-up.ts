// Ends what a closed account had, a slice at a time. A slice is one database transaction under the
// account's lock with at most so many rows, and it writes with the time of the closing: all slices
// together leave what one long transaction would have left. Whoever stops in between loses nothing,
// because the row of the closing says how far it is. account.closed is the last event.

import { presentAccount } from '../accounts/account.ts'
import { findAccounts } from '../accounts/find-accounts.ts'
import { revokeKeysOfAccount } from '../api-keys/revoke-keys.ts'
import { announce, findAccountLock } from '../ledger/account-lock.ts'
import {
  type Closing,
  type ClosingStage,
  findClosing,
  moveClosing,
  removeClosing,
} from '../ledger/closings.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { cancelPendingPayments } from '../payments/cancel-pending-payments.ts'
import type { IdPage } from '../postgres/cursor-edge.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { type CountChange, changeCounts } from '../postgres/list-counts.ts'
import { takeTurns } from '../postgres/turns.ts'
import { first_uuid } from '../primitives/difference.ts'
import { cancelPaused } from '../subscriptions/end-subscriptions.ts'
import { cancelPending } from '../transactions/cancel-pending.ts'
import { removeUsersOfAccount } from '../users/owner.ts'
import { endWebhooks } from '../webhooks/end-webhooks.ts'

export interface TidyParts {
  db: Db
  /** Links in the events of what is canceled are under it. */
  public_url: string
}

// A slice holds the account and one client for some ten milliseconds.
export const slice_rows_max = 200

// Nearly every account is tidied up before its closing is answered; the worker does the rest.
const soon_slices_max = 5
const takeTurn = takeTurns({ at_once_max: 2, wait_max_ms: 1_000 })

/** Nobody may depend on it: the account is closed, whatever becomes of this. */
export async function tidyUpSoon(parts: TidyParts, account_id: string): Promise<void> {
  try {
    await takeTurn(account_id, async () => {
      for (let left = soon_slices_max; left > 0; left--) {
        if (!(await tidyUpSlice(parts, account_id))) return
      }
    })
  } catch {
    // Left to the worker, who also tells when something is wrong.
  }
}

/** Whether there is more to do. */
export function tidyUpSlice({ db, public_url }: TidyParts, account_id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const lock = await findAccountLock(tx, account_id)
    const closing = lock && (await findClosing(tx, account_id))
    if (closing === undefined) return false
    const slice = new Slice(atTime(tx, closing.closed_at), lock!, closing, public_url)
    return slice.run()
  })
}

/** The same transaction, at the time of the closing. */
function atTime(tx: Tx, now: Date): Tx {
  return {
    now,
    rows: (statement) => tx.rows(statement),
    row: (statement) => tx.row(statement),
    count: (statement) => tx.count(statement),
    send: (statement) => tx.send(statement),
  }
}

/** In the order in which their events are numbered. */
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

  constructor(tx: Tx, lock: AccountLock, closing: Closing, public_url: string) {
    this.#tx = tx
    this.#lock = lock
    this.#closing = { ...closing }
    this.#public_url = public_url
  }

  /** One stage after the other, as far as the rows of a slice go. */
  async run(): Promise<boolean> {
    const closing = this.#closing
    let limit = slice_rows_max
    while (limit > 0 && closing.stage !== 'account') {
      const ids = await this.#endSome({ after: closing.after_id, limit })
      const is_stage_done = ids.length < limit
      closing.after_id = is_stage_done ? first_uuid : ids.at(-1)!
      if (is_stage_done) closing.stage = stages[stages.indexOf(closing.stage) + 1]!
      limit -= ids.length
    }
    const is_done = limit > 0
    if (is_done) await this.#end()
    else await moveClosing(this.#tx, closing)
    // Counters are the last thing that is locked.
    if (this.#counts.length > 0) await changeCounts(this.#tx, this.#counts)
    return !is_done
  }

  /** The ids of what it ended: fewer than the limit when nothing is left of this stage. */
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
        throw new Error('the account itself is ended by #end')
    }
  }

  async #removeUsers(page: IdPage): Promise<string[]> {
    const { actor_role: role, actor_id, request_id } = this.#closing
    const actor = { role, user_id: actor_id ?? undefined, request_id: request_id ?? undefined }
    const { ids, counts } = await removeUsersOfAccount(this.#tx, actor, this.#lock, page)
    this.#counts.push(...counts)
    return ids
  }

  async #end(): Promise<void> {
    const { account_id } = this.#lock
    const [account] = await findAccounts(this.#tx, [account_id])
    if (account === undefined) throw new Error(`${account_id} has books and no account`)
    const event = { object_id: account_id, data: presentAccount(account) }
    await announce(this.#tx, this.#lock, { type: 'account.closed', ...event })
    await endWebhooks(this.#tx, this.#lock)
    await removeClosing(this.#tx, account_id)
  }
}

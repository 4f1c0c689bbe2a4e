import { coalesce } from '../postgres/coalesce.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { tooBusy } from '../primitives/refusal.ts'
import { toIso } from '../primitives/time.ts'
import {
  type AccountState,
  type BalanceRow,
  selectAccountStates,
  selectBalances,
} from './queries.ts'

export type { AccountState } from './queries.ts'

export interface Balance {
  account_id: string
  currency: string
  available: number
  incoming: number
  held: number
  owed: number
  updated_at: string
}

export type FindBalance = (account_id: string) => Promise<BalanceRow | undefined>

/** Concurrent lookups share one statement. */
export function balanceFinder(db: Db): FindBalance {
  const limits = { batch_max: 256, queue_max: 4_096 }
  return coalesce((ids: string[]) => findInOrder(db, ids), limits, tooBusy)
}

async function findInOrder(db: Db, ids: string[]): Promise<(BalanceRow | undefined)[]> {
  const rows = await selectBalances(db, ids)
  const by_id = new Map(rows.map((row) => [row.account_id, asClosed(row)]))
  return ids.map((id) => by_id.get(id))
}

/** Pending transactions of a closed account count as canceled, even before a slice cancels them. */
function asClosed(row: BalanceRow): BalanceRow {
  if (row.status !== 'closed' || row.incoming + row.held === 0) return row
  const released = row.available + row.held
  const repaid = Math.min(row.owed, released)
  const rest = { available: released - repaid, owed: row.owed - repaid }
  return { ...row, ...rest, incoming: 0, held: 0, moved_at: row.last_at }
}

/** Status and currency of accounts, read without a lock; unknown ones are left out. */
export async function findAccountStates(
  db: Queryable,
  account_ids: string[],
): Promise<AccountState[]> {
  return account_ids.length === 0 ? [] : selectAccountStates(db, account_ids)
}

/** `updated_at` is the time of the last posting; other changes to the account do not affect it. */
export function presentBalance({ account_id, moved_at, ...row }: BalanceRow): Balance {
  return {
    account_id: toTypeId('account', account_id),
    currency: row.currency,
    available: row.available,
    incoming: row.incoming,
    held: row.held,
    owed: row.owed,
    updated_at: toIso(moved_at ?? timeOfUuid(account_id)),
  }
}

import { findActingAccount, findListedAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import type { TransactionStatus } from '../ledger/posting-rules.ts'
import { newestSettledId } from '../postgres/clock.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import type { Cause } from '../transactions/statement-line.ts'
import { type PayoutRow, type PayoutStatus, readPayoutId, unknownPayout } from './payout.ts'
import { countOpenPayouts, selectPayoutPage, selectPayouts, selectPayoutsById } from './queries.ts'

/** Throws not_found unless the payout belongs to an account that the caller has access to. */
export async function getPayout(
  db: Queryable,
  caller: Caller,
  payout_id: string,
): Promise<PayoutRow> {
  const id = readPayoutId(payout_id)
  const row = await findPayoutOf(db, caller, findActingAccount(caller), id)
  if (row === undefined) throw unknownPayout()
  return row
}

/** Without an account, in all accounts, for admins and platforms. */
export async function findPayoutOf(
  db: Queryable,
  caller: Caller,
  account_id: string | undefined,
  id: string,
): Promise<PayoutRow | undefined> {
  if (account_id !== undefined) return (await selectPayouts(db, [{ account_id, id }]))[0]
  return isAdminOrPlatform(caller) ? (await selectPayoutsById(db, [id]))[0] : undefined
}

interface PayoutListQuery extends CursorQuery {
  status?: PayoutStatus | undefined
}

export async function listPayouts(
  db: Db,
  caller: Caller,
  query: PayoutListQuery,
): Promise<CursorPage<PayoutRow>> {
  const account_id = await findListedAccount(db, caller)
  const no_account = account_id === undefined && !isAdminOrPlatform(caller)
  const filter = { account_id, status: query.status }
  return pageByCursor(query, 'payout', {
    exists: async (id) => (await findPayoutOf(db, caller, account_id, id)) !== undefined,
    select: async (range) => {
      if (no_account) return []
      // Over all accounts ids are not in commit order: a page upward ends before the newest ids.
      const is_upward = account_id === undefined && range.after !== null
      const last_id = is_upward ? await newestSettledId(db) : undefined
      return selectPayoutPage(db, { ...filter, last_id }, range)
    },
  })
}

/** Called when an account is closed: its money could not come back. Requires the account lock. */
export async function requireNoOpenPayouts(tx: Tx, account_id: string): Promise<void> {
  const open = await countOpenPayouts(tx, account_id)
  if (open === 0) return
  throw new Refusal(
    'conflict',
    `The account has ${open === 1 ? 'an open payout' : `${open} open payouts`}. Cancel payouts ` +
      'that are not in transit, and wait until the bank has paid the others.',
  )
}

/** The payouts among these ids, as they appear on a statement. */
export async function findPayoutCauses(
  db: Queryable,
  account_id: string,
  ids: string[],
): Promise<Map<string, Cause>> {
  const rows = await selectPayouts(
    db,
    ids.map((id) => ({ account_id, id })),
  )
  return new Map(
    rows.map(({ id, status, reference }) => [
      id,
      { id: toTypeId('payout', id), type: 'payout', status: statementStatus[status], reference },
    ]),
  )
}

/** A statement has the statuses of transactions. */
const statementStatus: Record<PayoutStatus, TransactionStatus> = {
  pending_approval: 'pending',
  approved: 'pending',
  in_transit: 'pending',
  paid: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  returned: 'failed',
}

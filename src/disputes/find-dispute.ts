import { findActingAccount, findListedAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { newestSettledId } from '../postgres/clock.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, nil_uuid, toTypeId } from '../primitives/ids.ts'
import { type DisputeRow, type DisputeStatus, readDisputeId, unknownDispute } from './dispute.ts'
import { selectDisputePage, selectDisputes, selectDisputesById } from './queries.ts'

/** Throws not_found unless the dispute belongs to an account that the caller has access to. */
export async function getDispute(
  db: Queryable,
  caller: Caller,
  dispute_id: string,
): Promise<DisputeRow> {
  const id = readDisputeId(dispute_id)
  const [row] = await findVisible(db, caller, findActingAccount(caller), id)
  if (row === undefined) throw unknownDispute()
  return row
}

async function findVisible(
  db: Queryable,
  caller: Caller,
  account_id: string | undefined,
  id: string,
): Promise<DisputeRow[]> {
  if (account_id !== undefined) return selectDisputes(db, [{ account_id, id }])
  return isAdminOrPlatform(caller) ? selectDisputesById(db, [id]) : []
}

const openStatuses: DisputeStatus[] = ['needs_response', 'under_review']

interface DisputeListQuery extends CursorQuery {
  status?: DisputeStatus | 'open' | undefined
  transaction_id?: string | undefined
}

export async function listDisputes(
  db: Db,
  caller: Caller,
  query: DisputeListQuery,
): Promise<CursorPage<DisputeRow>> {
  const account_id = await findListedAccount(db, caller)
  const no_account = account_id === undefined && !isAdminOrPlatform(caller)
  const filter = {
    account_id,
    statuses: query.status === 'open' ? openStatuses : query.status && [query.status],
    transaction_id: readTransactionId(query.transaction_id),
  }
  return pageByCursor(query, 'dispute', {
    exists: async (id) => (await findVisible(db, caller, account_id, id)).length > 0,
    select: async (range) => {
      if (no_account) return []
      // Over all accounts ids are not in commit order: a page upward ends before the newest ids.
      const is_upward = account_id === undefined && range.after !== null
      const last_id = is_upward ? await newestSettledId(db) : undefined
      return selectDisputePage(db, { ...filter, last_id }, range)
    },
  })
}

/** An unknown or malformed id matches no dispute. */
function readTransactionId(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (findUuid('transaction', text) ?? nil_uuid)
}

/** The ids of the disputes that await a decision, newest first. */
export async function findOpenDisputeIds(
  db: Queryable,
  account_id: string,
  limit: number,
): Promise<string[]> {
  const newest = { before: null, after: null, limit }
  const rows = await selectDisputePage(db, { account_id, statuses: openStatuses }, newest)
  return rows.map(({ id }) => toTypeId('dispute', id))
}

/** By id alone, in any account; undefined if it does not exist. */
export async function findDisputeById(db: Queryable, id: string): Promise<DisputeRow | undefined> {
  return (await selectDisputesById(db, [id]))[0]
}

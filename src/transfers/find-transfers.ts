import { findActingAccount, findListedAccount } from '../identity/acting-account.ts'
import { type Caller, isAdminOrPlatform } from '../identity/caller.ts'
import { newestSettledId } from '../postgres/clock.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { toTypeId } from '../primitives/ids.ts'
import type { Cause } from '../transactions/statement-line.ts'
import { selectTransferPage, selectTransfers, selectTransfersById } from './queries.ts'
import {
  type directions,
  readTransferId,
  type TransferRow,
  type TransferSide,
  type transferStatuses,
  unknownTransfer,
} from './transfer.ts'

/** Throws not_found unless it is a transfer of an account that the caller has access to. */
export async function getTransfer(
  db: Queryable,
  caller: Caller,
  transfer_id: string,
): Promise<TransferRow> {
  const id = readTransferId(transfer_id)
  const row = await findTransferOf(db, caller, findActingAccount(caller), id)
  if (row === undefined) throw unknownTransfer()
  return row
}

/** As the account has it; without an account, as the source has it, for admins and platforms. */
export async function findTransferOf(
  db: Queryable,
  caller: Caller,
  account_id: string | undefined,
  id: string,
): Promise<TransferRow | undefined> {
  if (account_id === undefined) {
    return isAdminOrPlatform(caller) ? (await selectTransfersById(db, [id]))[0] : undefined
  }
  const [row] = await selectTransfers(db, [{ account_id, id }])
  return row?.status === 'rejected' ? undefined : row
}

/** The transfers among these ids, as they appear on a statement. */
export async function findTransferCauses(
  db: Queryable,
  account_id: string,
  ids: string[],
): Promise<Map<string, Cause>> {
  const rows = await selectTransfers(
    db,
    ids.map((id) => ({ account_id, id })),
  )
  return new Map(
    rows.map(({ id, status, reference }) => [
      id,
      {
        id: toTypeId('transfer', id),
        type: 'transfer',
        status: statementStatus[status],
        reference,
      },
    ]),
  )
}

/** A statement has the statuses of transactions. */
const statementStatus: Record<TransferRow['status'], Cause['status']> = {
  in_transit: 'pending',
  completed: 'succeeded',
  returned: 'failed',
  rejected: 'failed',
}

const sideOf: Record<(typeof directions)[number], TransferSide> = {
  outgoing: 'out',
  incoming: 'in',
  fee: 'fee',
}

interface TransferListQuery extends CursorQuery {
  direction?: (typeof directions)[number] | undefined
  status?: (typeof transferStatuses)[number] | undefined
}

/** Over all accounts, each transfer is listed once, as its source has it. */
export async function listTransfers(
  db: Db,
  caller: Caller,
  query: TransferListQuery,
): Promise<CursorPage<TransferRow>> {
  const account_id = await findListedAccount(db, caller)
  const side = query.direction && sideOf[query.direction]
  const listed = account_id === undefined ? 'out' : side
  const is_visible = account_id !== undefined || isAdminOrPlatform(caller)
  const filter = { account_id, side: listed, status: query.status }
  return pageByCursor(query, 'transfer', {
    exists: async (id) => (await findTransferOf(db, caller, account_id, id)) !== undefined,
    select: async (range) => {
      if (!is_visible || (side !== undefined && side !== listed)) return []
      // Over all accounts ids are not in commit order: a page upward ends before the newest ids.
      const is_upward = account_id === undefined && range.after !== null
      const last_id = is_upward ? await newestSettledId(db) : undefined
      return selectTransferPage(db, { ...filter, last_id }, range)
    },
  })
}

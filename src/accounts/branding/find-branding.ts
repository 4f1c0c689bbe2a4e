// Reads the branding of accounts: for the API, the payment page and emails.

import { getActingAccountId } from '../../identity/acting-account.ts'
import type { Caller } from '../../identity/caller.ts'
import { coalesce } from '../../postgres/coalesce.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { tooBusy } from '../../primitives/refusal.ts'
import { type Branding, type BrandingRow, noBranding, presentBranding } from './branding.ts'
import { selectBranding } from './queries.ts'

export { selectLogo as findLogo } from './queries.ts'

export async function getBranding(db: Db, caller: Caller, public_url: string): Promise<Branding> {
  const account_id = await getActingAccountId(db, caller)
  return presentBranding(await findBranding(db, account_id), public_url)
}

export async function findBranding(db: Queryable, account_id: string): Promise<BrandingRow> {
  const [row] = await selectBranding(db, [account_id])
  return row ?? noBranding(account_id)
}

/** Concurrent lookups share one statement. */
export function brandingFinder(db: Db): (account_id: string) => Promise<BrandingRow> {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const find = coalesce((ids: string[]) => findInOrder(db, ids), limits, tooBusy)
  return async (account_id) => (await find(account_id)) ?? noBranding(account_id)
}

async function findInOrder(db: Db, ids: string[]): Promise<(BrandingRow | undefined)[]> {
  const rows = await selectBranding(db, ids)
  const by_id = new Map(rows.map((row) => [row.account_id, row]))
  return ids.map((id) => by_id.get(id))
}

// Endpoints that do not get what they should: whoever owns them must look.

import type { Queryable } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { selectEndpointPage } from './queries.ts'

export interface TroubledEndpoints {
  /** Enabled, but nothing has succeeded lately. */
  failing: string[]
  /** Turned off by us: the receiver was gone, or failed for days. */
  disabled: string[]
}

// An account has twenty at the most.
const all = { before: null, after: null, limit: 100 }

/** By ids, newest first. One that its owner turned off is as it should be. */
export async function findTroubledEndpoints(
  db: Queryable,
  account_id: string,
): Promise<TroubledEndpoints> {
  const rows = await selectEndpointPage(db, account_id, all)
  const ids = (some: typeof rows) => some.map(({ id }) => toTypeId('webhook_endpoint', id))
  return {
    failing: ids(rows.filter((row) => row.status === 'enabled' && row.failing_since !== null)),
    disabled: ids(rows.filter(({ disabled_reason: why }) => why === 'gone' || why === 'failing')),
  }
}

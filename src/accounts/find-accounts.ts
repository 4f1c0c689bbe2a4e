// Accounts by id, for emails and pages that show the name of the account.

import type { Queryable } from '../postgres/database.ts'
import type { AccountRow } from './account.ts'
import { selectAccounts } from './queries.ts'

export function findAccounts(db: Queryable, ids: string[]): Promise<AccountRow[]> {
  return selectAccounts(db, ids)
}

// Accounts by their ids, for nouns whose emails and pages name who gets paid.

import type { Queryable } from '../postgres/database.ts'
import type { AccountRow } from './account.ts'
import { selectAccounts } from './queries.ts'

export function findAccounts(db: Queryable, ids: string[]): Promise<AccountRow[]> {
  return selectAccounts(db, ids)
}

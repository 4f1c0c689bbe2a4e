// Inserts many new accounts at once, without their owners and balances.

import type { Tx } from '../postgres/database.ts'
import type { CountChange } from '../postgres/list-counts.ts'
import type { AccountRow } from './account.ts'
import { sendNewAccounts } from './queries.ts'

/** Returns the changes of counters, because counters are locked last. */
export function writeAccounts(tx: Tx, rows: AccountRow[]): CountChange[] {
  sendNewAccounts(tx, rows)
  return rows.map(({ id, status, type }) => ({ list: 'accounts', status, type, id, by: 1 }))
}

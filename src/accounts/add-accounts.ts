// Many new accounts at once. Their owners and books are written by those rooms.

import type { Tx } from '../postgres/database.ts'
import type { CountChange } from '../postgres/list-counts.ts'
import type { AccountRow } from './account.ts'
import { sendNewAccounts } from './queries.ts'

/** The counts are given back, because counters are the last thing that a change locks. */
export function writeAccounts(tx: Tx, rows: AccountRow[]): CountChange[] {
  sendNewAccounts(tx, rows)
  return rows.map(({ id, status, type }) => ({ list: 'accounts', status, type, id, by: 1 }))
}

// Accounts by id, for emails and pages.

import type { Queryable } from '../postgres/database.ts'
import type { Recipient } from '../webhooks/sending/disable-endpoint.ts'
import type { AccountRow } from './account.ts'
import { selectAccounts } from './queries.ts'

export function findAccounts(db: Queryable, ids: string[]): Promise<AccountRow[]> {
  return selectAccounts(db, ids)
}

/** The recipient of emails to the owner; undefined for a closed account. */
export async function findRecipient(
  db: Queryable,
  account_id: string,
): Promise<Recipient | undefined> {
  const [account] = await selectAccounts(db, [account_id])
  if (account === undefined || account.status === 'closed') return undefined
  const { email: to, name: account_name, language, timezone } = account
  return { to, account_name, language, timezone }
}

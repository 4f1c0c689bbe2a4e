// The recipient of emails to the owner of an account, for folders that do not import accounts/.

import type { Queryable } from '../postgres/database.ts'
import type { Recipient } from '../webhooks/sending/disable-endpoint.ts'
import { selectAccounts } from './queries.ts'

/** Undefined for a closed account. */
export async function findRecipient(
  db: Queryable,
  account_id: string,
): Promise<Recipient | undefined> {
  const [account] = await selectAccounts(db, [account_id])
  if (account === undefined || account.status === 'closed') return undefined
  const { email: to, name: account_name, language, timezone } = account
  return { to, account_name, language, timezone }
}

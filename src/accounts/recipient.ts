// Who reads an account's mail, for rooms below that write to its owner.

import type { Queryable } from '../postgres/database.ts'
import type { Recipient } from '../webhooks/sending/disable-endpoint.ts'
import { selectAccounts } from './queries.ts'

/** Undefined for an account that is closed: nobody is there to read. */
export async function findRecipient(
  db: Queryable,
  account_id: string,
): Promise<Recipient | undefined> {
  const [account] = await selectAccounts(db, [account_id])
  if (account === undefined || account.status === 'closed') return undefined
  const { email: to, name: account_name, language, timezone } = account
  return { to, account_name, language, timezone }
}

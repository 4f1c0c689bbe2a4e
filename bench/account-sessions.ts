// Accounts with live tokens: demo accounts from `florin seed`, sessions opened directly in the
// database. Logging in through the API would hash a thousand passwords first.

import { openSession } from '../src/identity/sessions/open-session.ts'
import { toTypeId } from '../src/primitives/ids.ts'
import { httpRequest } from './processes.ts'
import { type BenchTarget, withDatabase } from './targets.ts'

export interface AccountSession {
  account_id: string
  currency: string
  token: string
}

interface OwnerRow {
  user_id: string
  account_id: string
  currency: string
}

/** Opens a session for the owner of every active account. */
export function openAccountSessions(target: BenchTarget): Promise<AccountSession[]> {
  return withDatabase(target, async (db) => {
    const owners = await db.pool.query<OwnerRow>(
      `select users.id as user_id, accounts.id as account_id, accounts.currency
       from accounts join users on users.id = accounts.owner_id
       where accounts.status = 'active'`,
    )
    const sessions: AccountSession[] = []
    for (const { user_id, account_id, currency } of owners.rows) {
      const user = { id: user_id, account_id, role: 'owner', created_by_key_id: null } as const
      const origin = { address: '127.0.0.1', user_agent: 'bench' }
      const { access_token } = await db.transaction((tx) => openSession(tx, user, origin))
      sessions.push({ account_id: toTypeId('account', account_id), currency, token: access_token })
    }
    return sessions
  })
}

export function createRequest(session: AccountSession): string {
  const body = JSON.stringify({ account_id: session.account_id, ...itemOf(session) })
  return requestOf(session, 'POST', '/v1/transactions', body)
}

/** Creates this many transactions of the account. */
export function bulkRequest(session: AccountSession, items: number): string {
  const { account_id } = session
  const body = JSON.stringify({ account_id, transactions: Array(items).fill(itemOf(session)) })
  return requestOf(session, 'POST', '/v1/transactions/bulk', body)
}

function itemOf({ currency }: AccountSession) {
  return {
    amount: 7_500,
    currency,
    type: 'payment',
    reference: 'Invoice 2026-114',
    metadata: { order: '114' },
  }
}

export function requestOf(
  session: AccountSession,
  method: string,
  path: string,
  body = '',
): string {
  const headers = [`authorization: Bearer ${session.token}`, 'content-type: application/json']
  return httpRequest(method, path, headers, body)
}

/** Returns Florin's response body, for an echo server of the same size. */
export async function fetchBody(
  port: number,
  session: AccountSession,
  path: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${session.token}` }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text()
}

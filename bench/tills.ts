// Accounts with live tokens for a bench: demo accounts by `florin seed`, sessions by the server's
// own function on its own database. Nobody waits for a thousand passwords to be hashed.

import { spawnSync } from 'node:child_process'
import { openDatabase } from '../src/postgres/database.ts'
import { joinPostgres } from '../src/postgres/open-postgres.ts'
import { toTypeId } from '../src/primitives/ids.ts'
import { openSession } from '../src/sessions/open-session.ts'

export interface Till {
  account_id: string
  currency: string
  token: string
}

export function seed(data_path: string, accounts: number, transactions: number): void {
  const args = ['bin/florin.mjs', 'seed', '--json']
  const amounts = ['--accounts', String(accounts), '--transactions', String(transactions)]
  const env = { ...process.env, FLORIN_DATA: data_path }
  const run = spawnSync(process.execPath, [...args, ...amounts], { env, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`florin seed failed: ${run.stderr}`)
}

interface OwnerRow {
  user_id: string
  account_id: string
  currency: string
}

/** Every account with a session of its owner. */
export async function openTills(data_path: string): Promise<Till[]> {
  const postgres = await joinPostgres({ database_url: undefined, data_path })
  const db = openDatabase(postgres.connection)
  const owners = await db.pool.query<OwnerRow>(
    `select users.id as user_id, accounts.id as account_id, accounts.currency
     from accounts join users on users.id = accounts.owner_id
     where accounts.status = 'active'`,
  )
  const tills: Till[] = []
  for (const { user_id, account_id, currency } of owners.rows) {
    const user = { id: user_id, account_id, role: 'owner' } as const
    const origin = { address: '127.0.0.1', user_agent: 'bench' }
    const { access_token } = await db.transaction((tx) => openSession(tx, user, origin))
    tills.push({ account_id: toTypeId('account', account_id), currency, token: access_token })
  }
  await db.close()
  await postgres.stop()
  return tills
}

export async function connectionOf(data_path: string): Promise<object> {
  return (await joinPostgres({ database_url: undefined, data_path })).connection
}

import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import type { AccountLock, AccountStatus } from './lock-row.ts'

export async function insertBalance(
  tx: Tx,
  balance: { account_id: string; currency: string; at: Date },
): Promise<void> {
  await tx.count(sql`
    insert into balances (account_id, currency, status, available, incoming, held,
      posting_sequence, event_sequence, last_at)
    values (${balance.account_id}, ${balance.currency}, 'active', 0, 0, 0, 0, 0, ${balance.at})`)
}

// Reads balances only: a statement's snapshot is older than the lock it waited for, so a joined
// column could be stale while the locked row is not.
export async function lockBalance(tx: Tx, account_id: string): Promise<AccountLock | undefined> {
  return tx.row(sql`
    select account_id, currency, status, posting_sequence, event_sequence, last_at
    from balances
    where account_id = ${account_id}
    for update`)
}

export async function updateStanding(
  tx: Tx,
  account_id: string,
  standing: { status: AccountStatus; currency: string },
): Promise<void> {
  await tx.count(sql`
    update balances
    set status = ${standing.status}, currency = ${standing.currency}
    where account_id = ${account_id}`)
}

export async function advanceEventSequence(tx: Tx, account_id: string, at: Date): Promise<number> {
  const row = await tx.row<{ event_sequence: number }>(sql`
    update balances
    set event_sequence = event_sequence + 1, last_at = ${at}
    where account_id = ${account_id}
    returning event_sequence`)
  return row!.event_sequence
}

export async function selectBalanceExists(db: Queryable, account_id: string): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from balances
    where account_id = ${account_id}`)
  return found !== undefined
}

import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import type { AccountLock, AccountStatus } from './lock-row.ts'
import type { Posting } from './post.ts'

export async function insertBalance(
  tx: Tx,
  balance: { account_id: string; currency: string; at: Date },
): Promise<void> {
  await tx.count(sql`
    insert into balances (account_id, currency, status, available, incoming, held,
      posting_sequence, event_sequence, last_transaction_id, last_at)
    values (${balance.account_id}, ${balance.currency}, 'active', 0, 0, 0, 0, 0,
      '00000000-0000-0000-0000-000000000000', ${balance.at})`)
}

// Reads balances only: a statement's snapshot is older than the lock it waited for, so a joined
// column could be stale while the locked row is not.
export async function lockBalance(tx: Tx, account_id: string): Promise<AccountLock | undefined> {
  return tx.row(sql`
    select account_id, currency, status, available, incoming, held, posting_sequence,
      event_sequence, last_transaction_id, last_at
    from balances
    where account_id = ${account_id}
    for update`)
}

// In one order for everyone: an unordered lock over many rows gave 163 deadlocks in 600 batches.
export async function lockBalances(tx: Tx, account_ids: string[]): Promise<AccountLock[]> {
  return tx.rows(sql`
    select account_id, currency, status, available, incoming, held, posting_sequence,
      event_sequence, last_transaction_id, last_at
    from balances
    where account_id = any(${account_ids}::uuid[])
    order by account_id
    for update`)
}

export function sendBalances(tx: Tx, locks: AccountLock[]): void {
  tx.send(sql`
    update balances
    set available = it.available, incoming = it.incoming, held = it.held,
      posting_sequence = it.posting_sequence, event_sequence = it.event_sequence,
      last_transaction_id = it.last_transaction_id, last_at = it.last_at
    from json_to_recordset(${JSON.stringify(locks)}) as it (
      account_id uuid, available bigint, incoming bigint, held bigint, posting_sequence bigint,
      event_sequence bigint, last_transaction_id uuid, last_at timestamptz)
    where balances.account_id = it.account_id`)
}

export function sendPostings(tx: Tx, postings: Posting[]): void {
  tx.send(sql`
    insert into postings (account_id, sequence, transaction_id, movement, amount,
      available_after, at)
    select account_id, sequence, transaction_id, movement, amount, available_after, at
    from json_to_recordset(${JSON.stringify(postings)}) as it (
      account_id uuid, sequence bigint, transaction_id uuid, movement text, amount bigint,
      available_after bigint, at timestamptz)`)
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

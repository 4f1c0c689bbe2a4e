import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

export type ClosingStage =
  | 'subscriptions'
  | 'payments'
  | 'transactions'
  | 'api_keys'
  | 'users'
  | 'account'

export interface Closing {
  account_id: string
  closed_at: Date
  stage: ClosingStage
  after_id: string
  actor_role: string
  actor_id: string | null
  request_id: string | null
}

export async function insertClosing(tx: Tx, closing: Closing): Promise<void> {
  await tx.count(sql`
    insert into account_closings (account_id, closed_at, stage, after_id, actor_role, actor_id,
      request_id)
    values (${closing.account_id}, ${closing.closed_at}, ${closing.stage}, ${closing.after_id},
      ${closing.actor_role}, ${closing.actor_id}, ${closing.request_id})`)
}

export async function selectClosing(
  db: Queryable,
  account_id: string,
): Promise<Closing | undefined> {
  return db.row(sql`
    select account_id, closed_at, stage, after_id, actor_role, actor_id, request_id
    from account_closings
    where account_id = ${account_id}`)
}

export async function selectClosingIds(db: Queryable): Promise<{ account_id: string }[]> {
  return db.rows(sql`
    select account_id
    from account_closings`)
}

/** Oldest first. The slot is the last hex digit of the account's id. */
export async function selectClosingsOfSlots(
  db: Queryable,
  slots: number[],
  limit: number,
): Promise<{ account_id: string }[]> {
  return db.rows(sql`
    select account_id
    from account_closings
    where right(account_id::text, 1) = any(${slots.map((slot) => slot.toString(16))}::text[])
    order by closed_at, account_id
    limit ${limit}`)
}

export interface ClosingProgress {
  /** Account closings in progress. */
  open: number
  /** For how long the oldest has been in progress; null when none is. */
  oldest_s: number | null
  /** Those that have made no progress for a while. */
  stalled: number
}

export async function selectClosingProgress(
  db: Queryable,
  stalled_after_ms: number,
): Promise<ClosingProgress> {
  const found = await db.row<ClosingProgress>(sql`
    select count(*) as open,
      extract(epoch from now() - min(started_at))::float8 as oldest_s,
      count(*) filter (
        where progressed_at < now() - ${stalled_after_ms} * interval '1 millisecond') as stalled
    from account_closings`)
  return found!
}

export async function updateClosing(
  tx: Tx,
  closing: Pick<Closing, 'account_id' | 'stage' | 'after_id'>,
): Promise<void> {
  await tx.count(sql`
    update account_closings
    set stage = ${closing.stage}, after_id = ${closing.after_id}, progressed_at = now()
    where account_id = ${closing.account_id}`)
}

export async function deleteClosing(tx: Tx, account_id: string): Promise<void> {
  await tx.count(sql`
    delete from account_closings
    where account_id = ${account_id}`)
}

// last_at is the closing time while open rows remain, which is when callers need it. Later only
// facts of a payment provider, such as disputes, raise it.
export async function selectClosedAt(
  db: Queryable,
  account_ids: string[],
): Promise<{ account_id: string; closed_at: Date }[]> {
  return db.rows(sql`
    select account_id, last_at as closed_at
    from balances
    where account_id = any(${account_ids}::uuid[]) and status = 'closed'`)
}

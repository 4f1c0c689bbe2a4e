// Rows that would take hours of traffic to build up, inserted directly in the shape the API leaves
// them. Account ids are UUIDs.

import type { Db } from '../src/postgres/database.ts'

/** Ids of the current time, numbered by `g`. */
const new_ids = `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' ||
  lpad(to_hex(g / 65536), 3, '0') || '8000' || lpad(to_hex(g % 65536), 12, '0'))::uuid`

/** Postings of payments that were created and canceled. A statement does not show them. */
export async function addHiddenPostings(db: Db, account_id: string, count: number): Promise<void> {
  await db.pool.query(
    `insert into postings
       (account_id, sequence, transaction_id, movement, amount, available_after, at)
     select $1, posting_sequence + g, gen_random_uuid(),
       case when g % 2 = 1 then 'arrive' else 'return' end, 100, available, now()
     from balances, generate_series(1, ${count}) g
     where account_id = $1`,
    [account_id],
  )
  await db.pool.query(
    `update balances set posting_sequence = posting_sequence + ${count} where account_id = $1`,
    [account_id],
  )
  await db.pool.query('analyze postings')
}

export async function addSucceeded(
  db: Db,
  account_id: string,
  { type, amount, count }: { type: 'payment' | 'credit'; amount: number; count: number },
): Promise<void> {
  await db.pool.query(
    `insert into transactions (account_id, id, status, amount, currency, type, updated_at)
     select $1, ${new_ids}, 'succeeded', ${amount}, currency, $2, now()
     from balances, generate_series(1, ${count}) g
     where account_id = $1`,
    [account_id, type],
  )
  await db.pool.query('analyze transactions')
}

/** Used refresh tokens, as hours of renewals left them before renewals were bounded. */
export async function addUsedTokens(db: Db, account_id: string, count: number): Promise<void> {
  await db.pool.query(
    `insert into tokens (token_hash, kind, principal_id, user_id, role, expires_at, used_at)
     select sha256(convert_to(sessions.id::text || g, 'UTF8')), 'refresh', sessions.id,
       sessions.user_id, 'owner', now() + interval '30 days', now()
     from users
     join sessions on sessions.user_id = users.id, generate_series(1, ${count}) g
     where users.account_id = $1`,
    [account_id],
  )
  await db.pool.query('analyze tokens')
}

/** A thousand members for each account. */
export async function addMembers(db: Db, account_ids: string[]): Promise<void> {
  await db.pool.query(
    `with added as (
       insert into users (id, account_id, role, status, email, email_canonical, password_hash,
         search, updated_at)
       select gen_random_uuid(), account_id, 'member', 'active', address, address, password_hash,
         address, now()
       from users, generate_series(1, 1000) g,
         lateral (select 'm' || g || '-' || users.id || '@example.com') as it (address)
       where account_id = any($1) and role = 'owner'
       returning id, email_canonical)
     insert into email_claims (email_canonical, user_id) select email_canonical, id from added`,
    [account_ids],
  )
}

export async function addPaused(db: Db, account_id: string, count: number): Promise<void> {
  await db.pool.query(
    `insert into subscriptions (account_id, id, status, customer_email, amount, currency,
       interval_unit, interval_count, next_period, updated_at)
     select $1, ${new_ids}, 'paused', 's@example.com', 500, currency, 'year', 1, 2, now()
     from balances, generate_series(1, ${count}) g
     where account_id = $1`,
    [account_id],
  )
}

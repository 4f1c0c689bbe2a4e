import type pg from 'pg'

/** Accounts that consist of a balance only: a sweep finds the accounts by their balances. */
export async function addBareAccounts(
  db: Pick<pg.Pool | pg.Client, 'query'>,
  ids: string[],
): Promise<void> {
  await db.query(
    `insert into balances (account_id, currency, status, available, incoming, held,
       posting_sequence, event_sequence, last_transaction_id, last_at)
     select id, 'USD', 'active', 0, 0, 0, 0, 0, id, now()
     from unnest($1::uuid[]) as it (id)`,
    [ids],
  )
}

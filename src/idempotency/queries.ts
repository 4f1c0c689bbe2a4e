import type { Queryable, Tx } from '../postgres/database.ts'
import {
  mentions,
  type ReplacedTable,
  replaced,
  withoutMessages,
} from '../postgres/replace-text.ts'
import { sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { StoredResponse } from './idempotency-key.ts'

export async function selectStoredResponses(
  db: Queryable,
  keys: { scope_id: string; key_hash: Buffer }[],
): Promise<StoredResponse[]> {
  return db.rows(sql`
    select stored.scope_id, stored.key_hash, fingerprint, status, body
    from unnest(${keys.map((key) => key.scope_id)}::uuid[],
      ${keys.map((key) => key.key_hash)}::bytea[]) as it (scope_id, key_hash)
    join idempotency_keys as stored
      on stored.scope_id = it.scope_id and stored.key_hash = it.key_hash
    where stored.scope_id = any(${scopesOf(keys)}::uuid[])`)
}

function scopesOf(keys: { scope_id: string }[]): string[] {
  return [...new Set(keys.map(({ scope_id }) => scope_id))]
}

/** In lanes, where the scope is always an account whose lock is held. */
export function sendStoredResponses(
  tx: Tx,
  responses: StoredResponse[],
  retain_until: string,
): void {
  const [only] = responses
  if (only !== undefined && responses.length === 1) sendStoredResponse(tx, only, retain_until)
  else sendManyResponses(tx, responses, retain_until)
}

function sendStoredResponse(tx: Tx, response: StoredResponse, retain_until: string): void {
  tx.send(sql`
    insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
    values (${response.scope_id}, ${response.key_hash}, ${response.fingerprint},
      ${retain_until}::date, ${response.status}, ${response.body})`)
}

const newResponses = sqlRows(`
  account_id uuid, key_hash bytea, fingerprint bytea, status smallint, body text`)

// Ordered to prevent deadlocks: batches of several lanes may contain keys of one caller.
function sendManyResponses(tx: Tx, responses: StoredResponse[], retain_until: string): void {
  const rows = responses.map(({ scope_id, body, ...response }) => {
    return { ...response, account_id: scope_id, body: body.toString('utf8') }
  })
  tx.send(sql`
    insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
    select account_id, key_hash, fingerprint, ${retain_until}::date, status,
      convert_to(body, 'UTF8')
    from ${newResponses.fromAccounts(rows, tx)}
    order by account_id, key_hash`)
}

/** Waits for a concurrent change with the same key. Returns false if that one was committed. */
export async function insertStoredResponse(tx: Tx, response: StoredResponse): Promise<boolean> {
  const inserted = await tx.count(sql`
    insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
    values (${response.scope_id}, ${response.key_hash}, ${response.fingerprint}, current_date + 30,
      ${response.status}, ${response.body})
    on conflict (scope_id, key_hash) do nothing`)
  return inserted > 0
}

interface StoredKey {
  scope_id: string
  key_hash: Buffer
}

export async function selectExpiredResponses(
  db: Queryable,
  before: string,
  limit: number,
): Promise<StoredKey[]> {
  return db.rows(sql`
    select scope_id, key_hash
    from idempotency_keys
    where retain_until < ${before}::date
    order by retain_until
    limit ${limit}`)
}

// By primary key, not by a subquery: planned without values, a subquery would cause a sequential
// scan. The date is checked again, because a key may have been deleted and used again meanwhile.
export async function deleteExpiredResponses(
  db: Queryable,
  old: StoredKey[],
  before: string,
): Promise<number> {
  return db.count(sql`
    delete from idempotency_keys as stored
    using unnest(${old.map((key) => key.scope_id)}::uuid[],
      ${old.map((key) => key.key_hash)}::bytea[]) as it (scope_id, key_hash)
    where stored.scope_id = it.scope_id and stored.key_hash = it.key_hash
      and stored.scope_id = any(${scopesOf(old)}::uuid[])
      and retain_until < ${before}::date`)
}

// Encrypted responses contain keys and secrets, never customers. Their first byte is 1.
const body_text = sql`case when get_byte(body, 0) = 1 then '' else convert_from(body, 'UTF8') end`

/** Stored responses are changed, not deleted: a retry must not run the request again. */
export const erased_responses: ReplacedTable = {
  table: sql`idempotency_keys`,
  account: sql`scope_id`,
  key: sql`key_hash`,
  key_type: sql`bytea`,
  first: '\\x',
  change: (replacement) => ({
    column: sql`body`,
    value: sql`convert_to(${withoutMessages(replaced(body_text, replacement))}, 'UTF8')`,
  }),
  where: (replacement) => mentions(body_text, replacement),
  // The response of a bulk request may be a megabyte long.
  slice_rows: 200,
}

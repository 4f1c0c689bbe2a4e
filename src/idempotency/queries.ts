import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import type { StoredResponse } from './idempotency-key.ts'

export async function selectStoredResponses(
  db: Queryable,
  keys: { scope_id: string; key_hash: Buffer }[],
): Promise<StoredResponse[]> {
  return db.rows(sql`
    select kept.scope_id, kept.key_hash, fingerprint, status, body
    from unnest(${keys.map((key) => key.scope_id)}::uuid[],
      ${keys.map((key) => key.key_hash)}::bytea[]) as it (scope_id, key_hash)
    join idempotency_keys as kept
      on kept.scope_id = it.scope_id and kept.key_hash = it.key_hash`)
}

// In one order, as accounts are locked: keys of one person may lie in batches of several lanes.
export function sendStoredResponses(
  tx: Tx,
  responses: StoredResponse[],
  retain_until: string,
): void {
  const rows = responses.map((response) => ({
    scope_id: response.scope_id,
    key_hash: response.key_hash.toString('hex'),
    fingerprint: response.fingerprint.toString('hex'),
    status: response.status,
    body: response.body.toString('utf8'),
  }))
  tx.send(sql`
    insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
    select scope_id, decode(key_hash, 'hex'), decode(fingerprint, 'hex'), ${retain_until}::date,
      status, convert_to(body, 'UTF8')
    from json_to_recordset(${JSON.stringify(rows)}) as it (
      scope_id uuid, key_hash text, fingerprint text, status smallint, body text)
    order by scope_id, key_hash`)
}

/** Waits while another change with the same key is under way; false when that one was kept. */
export async function insertStoredResponse(tx: Tx, kept: StoredResponse): Promise<boolean> {
  const inserted = await tx.count(sql`
    insert into idempotency_keys (scope_id, key_hash, fingerprint, retain_until, status, body)
    values (${kept.scope_id}, ${kept.key_hash}, ${kept.fingerprint}, current_date + 30,
      ${kept.status}, ${kept.body})
    on conflict (scope_id, key_hash) do nothing`)
  return inserted > 0
}

interface KeptName {
  scope_id: string
  key_hash: Buffer
}

export async function selectExpiredResponses(
  db: Queryable,
  before: string,
  limit: number,
): Promise<KeptName[]> {
  return db.rows(sql`
    select scope_id, key_hash
    from idempotency_keys
    where retain_until < ${before}::date
    order by retain_until
    limit ${limit}`)
}

// By name, and not by a query inside: planned without its values, that one seems to find so many
// that reading the whole table looks cheaper. What has meanwhile been swept and claimed anew stays.
export async function deleteExpiredResponses(
  db: Queryable,
  old: KeptName[],
  before: string,
): Promise<number> {
  return db.count(sql`
    delete from idempotency_keys as kept
    using unnest(${old.map((name) => name.scope_id)}::uuid[],
      ${old.map((name) => name.key_hash)}::bytea[]) as it (scope_id, key_hash)
    where kept.scope_id = it.scope_id and kept.key_hash = it.key_hash
      and retain_until < ${before}::date`)
}

// Hashes each table of the database, so a test can assert that a rejected request changed nothing,
// and see which table did change.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { checkPoolOf } from './check-pool.ts'
import { runFolder } from './secrets.ts'

export type DatabaseHash = Record<string, string | null>

/**
 * Tables in which a rejected login may leave rows. The only other write after a rejection, the
 * revocation after a reused refresh token, has separate tests.
 */
export const throttleTables = ['login_failures', 'login_addresses']

const statements = new WeakMap<pg.Pool, Promise<string>>()

export async function hashDatabase(
  pool: pg.Pool,
  { except = [] }: { except?: string[] } = {},
): Promise<DatabaseHash> {
  if (!statements.has(pool)) statements.set(pool, writeStatement(pool))
  const text = await statements.get(pool)!
  const found = await checkPoolOf(pool).query({ name: 'hash_database', text })
  const hashes = found.rows.map((row) => [row.name, row.hash] as const)
  return Object.fromEntries(hashes.filter(([name]) => !except.includes(name)))
}

// Request logs and the last use of a key are written asynchronously, so an earlier request may
// still be recorded while a later one is rejected. Jobs write evidence of their changes.
const stable_parts: Record<string, string> = {
  api_keys: `(select id, account_id, user_id, role, name, scopes, last4, revoked_at from api_keys)`,
  request_logs: '(select where false)',
  commit_evidence: '(select where false)',
}

/** Lists the tables that store rows: partitions, but not the tables that consist of them. */
export const list_tables = `
  select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`

async function writeStatement(pool: pg.Pool): Promise<string> {
  const tables = await pool.query(list_tables)
  // A sum does not depend on row order and takes half the time of hashing sorted rows.
  const hashes = tables.rows.map(
    ({ name }) => `select '${name}' as name, count(*) || ' rows, ' ||
      sum(hashtextextended(it::text, 0)::numeric) as hash from ${stable_parts[name] ?? name} as it`,
  )
  return hashes.join(' union all ')
}

const compared = new WeakSet<pg.Pool>()

/** Whether `assertNoChanges` will compare the database, so that a request in it need not. */
export function isCompared(pool: pg.Pool): boolean {
  return compared.has(pool)
}

/** Runs a request that will be rejected and asserts that the database has not changed. */
export async function assertNoChanges<Result>(
  pool: pg.Pool,
  work: () => Promise<Result>,
  options: { except?: string[] } = {},
): Promise<Result> {
  const before = await hashDatabase(pool, options)
  compared.add(pool)
  const result = await work().finally(() => compared.delete(pool))
  assert.deepEqual(
    await hashDatabase(pool, options),
    before,
    'a rejected request changed the database',
  )
  countRefusals(1)
  return result
}

let refusals = 0

/** Counts the rejections checked, for the last test of the run. */
export function countRefusals(count: number): void {
  if (refusals === 0) process.once('exit', writeCount)
  refusals += count
}

function writeCount(): void {
  const folder = runFolder('refusals')
  if (folder !== undefined) writeFileSync(join(folder, String(process.pid)), String(refusals))
}

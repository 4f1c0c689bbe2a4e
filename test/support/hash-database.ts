// What the whole database holds, one hash a table, so that a test can tell that a refused request
// has changed nothing, and which table it was if it has.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { runFolder } from './secrets.ts'

export type DatabaseHash = Record<string, string | null>

/**
 * Where a refused log-in may leave its mark. The third record that a refusal may make, the
 * revocation after a reused refresh token, has tests of its own.
 */
export const throttleTables = ['login_failures', 'login_addresses']

const statements = new WeakMap<pg.Pool, Promise<string>>()

export async function hashDatabase(
  pool: pg.Pool,
  { except = [] }: { except?: string[] } = {},
): Promise<DatabaseHash> {
  if (!statements.has(pool)) statements.set(pool, writeStatement(pool))
  // Planned once for a connection: planning takes 16 ms, the rest of it 2.
  const found = await pool.query({ name: 'hash_database', text: await statements.get(pool)! })
  const hashes = found.rows.map((row) => [row.name, row.hash] as const)
  return Object.fromEntries(hashes.filter(([name]) => !except.includes(name)))
}

// When a key was last used, and what was asked, is written a moment after the answer: an earlier
// request may still be told of while a later one is refused.
const without: Record<string, string> = {
  api_keys: `(select id, account_id, user_id, role, name, scopes, last4, revoked_at from api_keys)`,
  request_logs: '(select where false)',
}

async function writeStatement(pool: pg.Pool): Promise<string> {
  const tables = await pool.query(
    `select format('%I', tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  // A sum needs no order: half the time of hashing the sorted rows.
  const hashes = tables.rows.map(
    ({ name }) => `select '${name}' as name, count(*) || ' rows, ' ||
      sum(hashtextextended(it::text, 0)::numeric) as hash from ${without[name] ?? name} as it`,
  )
  return hashes.join(' union all ')
}

/** Runs something that will be refused, and holds the database against what it was before. */
export async function assertNoChanges<Result>(
  pool: pg.Pool,
  work: () => Promise<Result>,
  options: { except?: string[] } = {},
): Promise<Result> {
  const before = await hashDatabase(pool, options)
  const result = await work()
  assert.deepEqual(await hashDatabase(pool, options), before, 'a refusal changed the database')
  countRefusals(1)
  return result
}

let refusals = 0

/** So that the last test of the run can say how many refusals were held to it. */
export function countRefusals(count: number): void {
  if (refusals === 0) process.once('exit', writeCount)
  refusals += count
}

function writeCount(): void {
  const folder = runFolder('refusals')
  if (folder !== undefined) writeFileSync(join(folder, String(process.pid)), String(refusals))
}

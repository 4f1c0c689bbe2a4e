// Saves what a test leaves in its database. The last test of the run searches it for secrets.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { list_tables } from './hash-database.ts'
import { runFolder } from './secrets.ts'

export async function dumpDatabase(
  query: (text: string) => Promise<pg.QueryResult>,
  name: string,
): Promise<void> {
  const folder = runFolder('dumps')
  if (folder === undefined) return
  const tables = await query(list_tables)
  for (const table of tables.rows) {
    // Webhook secrets sign every delivery, so this table must store them. No other table may.
    const hidden = table.name === 'webhook_endpoints' ? ` - 'secret' - 'previous_secret'` : ''
    const rows = await query(
      `select (to_jsonb(it)${hidden})::text as line from ${table.name} as it`,
    )
    const lines = rows.rows.map((row) => `${table.name} ${row.line}\n`)
    appendFileSync(join(folder, `${name}.txt`), lines.join(''))
  }
}

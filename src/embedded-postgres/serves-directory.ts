import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/**
 * Whether the connected server runs on exactly this directory: it must see a file that was just
 * created there. A system identifier would be the same in a copy of the directory, whose
 * postmaster.pid refers to the server of the original.
 */
export async function servesDirectory(client: pg.Client, cluster_path: string): Promise<boolean> {
  const name = `florin-probe-${randomBytes(8).toString('hex')}`
  const path = join(cluster_path, name)
  await writeFile(path, '', { flag: 'wx', mode: 0o600 })
  try {
    const { rows } = await client.query<{ found: boolean }>(
      'select (pg_stat_file($1, true)).size is not null as found',
      [name],
    )
    return rows[0]?.found === true
  } finally {
    await rm(path, { force: true })
  }
}

import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/**
 * Whether the server at the other end works in this very directory. It is asked for a file that
 * was made a moment ago: a system identifier or a token would be the same in a copy of the
 * directory, and the copy's postmaster.pid leads to the server of the original.
 */
export async function servesDirectory(client: pg.Client, cluster_path: string): Promise<boolean> {
  const name = `florin-asks-${randomBytes(8).toString('hex')}`
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

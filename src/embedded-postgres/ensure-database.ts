import type pg from 'pg'

export const database = 'florin'

/** Creates Florin's database if it is missing. Returns the server version. */
export async function ensureDatabase(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string; present: boolean }>(
    `select current_setting('server_version') as version,
            exists (select from pg_database where datname = $1) as present`,
    [database],
  )
  // No other process can create it concurrently: this connection holds the owner lock.
  if (!rows[0]!.present) await client.query(`create database ${database}`)
  return rows[0]!.version
}

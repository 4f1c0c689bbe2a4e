import type { Config } from '../config.ts'
import type { OpenPostgres } from '../embedded-postgres/open-postgres.ts'
import { connectionOf } from '../postgres/connect.ts'

type DatabaseLocation = Pick<Config, 'database_url' | 'data_path'>

/** `embedded PostgreSQL 18.4, started`, or `PostgreSQL 17.2 at db.example.com:5432/florin`. */
export function describeDatabase(
  settings: DatabaseLocation,
  postgres: Pick<OpenPostgres, 'kind' | 'version' | 'started'>,
): string {
  const { kind, version, started } = postgres
  if (kind === 'external') return `PostgreSQL ${version} at ${databaseLocation(settings)}`
  return `embedded PostgreSQL ${version}, ${states[started]}`
}

const states: Record<OpenPostgres['started'], string> = {
  new: 'created',
  started: 'started',
  adopted: 'running since Florin last exited without stopping it',
  joined: 'running',
}

/** Location of the data. Omits the user and password of DATABASE_URL. */
export function databaseLocation({ database_url, data_path }: DatabaseLocation): string {
  if (database_url === undefined) return data_path
  const { connectionString, other_hosts = [] } = connectionOf(database_url)
  const urls = [connectionString!, ...other_hosts].map((text) => URL.parse(text)!)
  const hosts = urls.map((url) => {
    const host = url.searchParams.get('host') ?? (url.hostname || 'localhost')
    return `${host}:${url.port || 5432}`
  })
  const name = urls[0]!.pathname.slice(1) || urls[0]!.username
  return `${hosts.join(',')}/${name}`
}

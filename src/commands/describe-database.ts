import type { Config } from '../config.ts'
import type { OpenPostgres } from '../postgres/open-postgres.ts'

type Place = Pick<Config, 'database_url' | 'data_path'>

/** `embedded PostgreSQL 18.4, started`, or `PostgreSQL 17.2 at db.example.com:5432/florin`. */
export function describeDatabase(
  place: Place,
  postgres: Pick<OpenPostgres, 'kind' | 'version' | 'started'>,
): string {
  const { kind, version, started } = postgres
  if (kind === 'external') return `PostgreSQL ${version} at ${placeOf(place)}`
  return `embedded PostgreSQL ${version}, ${words[started]}`
}

const words: Record<OpenPostgres['started'], string> = {
  new: 'made just now',
  started: 'started',
  adopted: 'taken over from a Florin that ended without stopping it',
  joined: 'running',
}

/** Where the data is. Of DATABASE_URL only what is harmless: it holds a password. */
export function placeOf({ database_url, data_path }: Place): string {
  if (database_url === undefined) return data_path
  const url = URL.parse(database_url)
  const host = url?.searchParams.get('host') ?? (url?.hostname || 'localhost')
  const name = url?.pathname.slice(1) || url?.username
  return `${host}:${url?.port || 5432}/${name}`
}

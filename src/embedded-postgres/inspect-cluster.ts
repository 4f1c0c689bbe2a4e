import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import { explainHome, type Home } from './prepare-home.ts'

export const markerFile = 'FLORIN'
export const markerText = 'This PostgreSQL cluster was created by Florin and belongs to it.\n'

/** The major version of the PostgreSQL that Florin includes. */
export const major = '18'

// If one of these is missing, PostgreSQL does not start, and its error message is not helpful.
const required_files = [
  'PG_VERSION',
  'global/pg_control',
  'base',
  'pg_wal',
  'pg_xact',
  'postgresql.conf',
]

/** Whether there is a cluster. Rejects one that is foreign, damaged or of another version. */
export async function inspectCluster(home: Home): Promise<'absent' | 'present'> {
  const path = home.cluster_path
  const names = await listNames(home)
  if (names.length === 0) return 'absent'
  if (!names.includes(markerFile)) {
    throw new EmbeddedDatabaseError(
      `${path} was not created by Florin, so Florin does not use it. ` +
        'Move it away, or set FLORIN_DATA to another directory.',
    )
  }
  await rejectDamaged(path)
  const version = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  if (version !== major) {
    throw new EmbeddedDatabaseError(
      `${path} contains data of PostgreSQL ${version}, but this version of Florin includes ` +
        `PostgreSQL ${major}. Start the version of Florin that created it, or set FLORIN_DATA to ` +
        'another directory.',
    )
  }
  return 'present'
}

async function listNames(home: Home): Promise<string[]> {
  try {
    return await readdir(home.cluster_path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    if (codeOf(error) !== 'ENOTDIR') throw await explainHome(home.cluster_path, error)
    throw new EmbeddedDatabaseError(
      `${home.cluster_path} is a file, but the database needs a directory with this name. ` +
        'Move it away, or set FLORIN_DATA to another directory.',
      error,
    )
  }
}

async function rejectDamaged(path: string): Promise<void> {
  for (const name of required_files) {
    const found = await stat(join(path, name)).catch(() => undefined)
    if (found === undefined) throw new EmbeddedDatabaseError(damaged(path, `${name} is missing`))
  }
}

export function damaged(path: string, what: string): string {
  return (
    `The database in ${path} is damaged: ${what}. ` +
    'Restore the directory from a backup, or move it away to start with an empty database.'
  )
}

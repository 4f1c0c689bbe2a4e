import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, EmbeddedDatabaseError } from './embedded-database-error.ts'
import { explainHome, type Home } from './prepare-home.ts'

export const markerFile = 'FLORIN'
export const markerText = 'This PostgreSQL cluster was made by Florin and belongs to it.\n'

/** Of the PostgreSQL that comes with this Florin. */
export const major = '18'

// Without one of these PostgreSQL does not start, and what it says then is no help to a reader.
const filesNeeded = [
  'PG_VERSION',
  'global/pg_control',
  'base',
  'pg_wal',
  'pg_xact',
  'postgresql.conf',
]

/** Whether there is a cluster; refuses one that is not ours, of another version, or damaged. */
export async function inspectCluster(home: Home): Promise<'absent' | 'present'> {
  const path = home.cluster_path
  const names = await listNames(home)
  if (names.length === 0) return 'absent'
  if (!names.includes(markerFile)) {
    throw new EmbeddedDatabaseError(
      `${path} was not made by Florin, and Florin leaves it alone. ` +
        'Move it away, or set FLORIN_DATA to another directory.',
    )
  }
  await refuseDamage(path)
  const version = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  if (version !== major) {
    throw new EmbeddedDatabaseError(
      `${path} holds data of PostgreSQL ${version}, and this Florin brings PostgreSQL ${major}. ` +
        'Start the Florin that wrote it, or set FLORIN_DATA to another directory.',
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
      `${home.cluster_path} is a file, and the database needs a directory of this name. ` +
        'Move it away, or set FLORIN_DATA to another directory.',
      error,
    )
  }
}

async function refuseDamage(path: string): Promise<void> {
  for (const name of filesNeeded) {
    const found = await stat(join(path, name)).catch(() => undefined)
    if (found === undefined) throw new EmbeddedDatabaseError(damaged(path, `${name} is missing`))
  }
}

export function damaged(path: string, what: string): string {
  return (
    `The database in ${path} is damaged: ${what}. ` +
    'Restore the directory from a backup, or move it away to begin with an empty one.'
  )
}

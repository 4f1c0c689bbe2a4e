import { statfsSync } from 'node:fs'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { damaged } from './inspect-cluster.ts'
import { diskFullMessage, type Home } from './prepare-home.ts'

/** Turns PostgreSQL's last words into a sentence that says what to do. */
export function explainFailure(words: string, home: Home): EmbeddedDatabaseError {
  const cause = new Error(words.trim())
  const reason = findReason(words).replaceAll('/proc/self/fd/3', home.cluster_path)
  for (const [pattern, explain] of sentences) {
    if (pattern.test(words)) return new EmbeddedDatabaseError(explain(home, reason), cause)
  }
  if (isDiskFull(home)) return new EmbeddedDatabaseError(diskFullMessage(home.data_path), cause)
  return new EmbeddedDatabaseError(
    `PostgreSQL did not start: ${reason}. Its log is ${home.log_path}.`,
    cause,
  )
}

// One segment of PostgreSQL's log of changes: with less it cannot even begin.
const room_bytes_least = 16 * 1_048_576

/** Its own log lies on the same disk, so on a full one it often cannot say what is wrong. */
export function isDiskFull({ data_path }: Home): boolean {
  try {
    const { bavail, bsize } = statfsSync(data_path)
    return bavail * bsize < room_bytes_least
  } catch {
    return false
  }
}

/** Whether another server holds the data directory, by PostgreSQL's own judgement. */
export function isInUseByAnother(words: string): boolean {
  return /lock file "[^"]*" already exists|pre-existing shared memory block/.test(words)
}

/** The first line that PostgreSQL or initdb marks as the reason, without its mark. */
function findReason(words: string): string {
  // Our own knocking is answered in the log as well: "the database system is starting up".
  const marked = /(?:FATAL|PANIC|ERROR|error): +(?=\S)(?!the database system is)(.+)/.exec(
    words,
  )?.[1]
  const last = words.trim().split('\n').at(-1)
  return (marked ?? (last || 'it said nothing')).replace(/\.$/, '')
}

type Explain = (home: Home, reason: string) => string

// The first that matches wins, so a full disk is told before the damage it looks like.
const sentences: [RegExp, Explain][] = [
  [/No space left on device|Disk quota exceeded/, (home) => diskFullMessage(home.data_path)],
  [
    /insufficient file descriptors|Too many open files|too many open files/,
    () =>
      'PostgreSQL found too few file descriptors. Raise the limit of open files to 1024 or more ' +
      '(ulimit -n 1024, or LimitNOFILE= of systemd), and start again.',
  ],
  [
    /could not (create|map|resize) (anonymous )?shared memory|Cannot allocate memory/,
    (_home, reason) =>
      `PostgreSQL found too little shared memory: ${reason}. ` +
      'Give the machine or the container more memory, or set DATABASE_URL.',
  ],
  [
    /error while loading shared libraries|Library not loaded|GLIBC_[\d.]+' not found/,
    (_home, reason) =>
      `The embedded PostgreSQL does not run on this system: ${reason}. ` +
      'Run npm ci again, or set DATABASE_URL to a PostgreSQL of your own.',
  ],
  [
    /Permission denied|Operation not permitted|Read-only file|wrong ownership|invalid permissions/,
    (home, reason) =>
      `PostgreSQL may not use its files: ${reason}. ` +
      `Check the owner and the mode of ${home.cluster_path}; a disk of another system keeps none.`,
  ],
  [
    new RegExp(
      'incorrect checksum in control file|valid checkpoint record|invalid checkpoint|' +
        'could not (open|read|access) (file|directory) |' +
        'could not find the database system|files are incompatible with server|' +
        'WAL ends before|invalid page|byte ordering mismatch',
    ),
    (home, reason) => damaged(home.cluster_path, reason),
  ],
]

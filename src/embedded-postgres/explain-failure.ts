import { statfsSync } from 'node:fs'
import { install_command } from '../version.ts'
import { EmbeddedDatabaseError } from './errors.ts'
import { damaged } from './inspect-cluster.ts'
import { diskFullMessage, type Home } from './prepare-home.ts'

/** Turns the end of PostgreSQL's log into an error message with advice. */
export function explainFailure(log_tail: string, home: Home): EmbeddedDatabaseError {
  const cause = new Error(log_tail.trim())
  const reason = findReason(log_tail).replaceAll('/proc/self/fd/3', home.cluster_path)
  for (const [pattern, explain] of explanations) {
    if (pattern.test(log_tail)) return new EmbeddedDatabaseError(explain(home, reason), cause)
  }
  if (isDiskFull(home)) return new EmbeddedDatabaseError(diskFullMessage(home.data_path), cause)
  return new EmbeddedDatabaseError(
    `PostgreSQL did not start: ${reason}. Its log is ${home.log_path}.`,
    cause,
  )
}

// One WAL segment: with less, PostgreSQL cannot start.
const free_bytes_min = 16 * 1_048_576

/** PostgreSQL's log is on the same disk, so a full disk often leaves no message there. */
export function isDiskFull({ data_path }: Home): boolean {
  try {
    const { bavail, bsize } = statfsSync(data_path)
    return bavail * bsize < free_bytes_min
  } catch {
    return false
  }
}

/** Whether PostgreSQL reported that another server uses the data directory. */
export function isInUseByAnother(log_tail: string): boolean {
  return /lock file "[^"]*" already exists|pre-existing shared memory block/.test(log_tail)
}

/** The first error line of PostgreSQL or initdb, without its severity. */
function findReason(log_tail: string): string {
  // Florin's probes are logged as errors too: "the database system is starting up".
  const marked = /(?:FATAL|PANIC|ERROR|error): +(?=\S)(?!the database system is)(.+)/.exec(
    log_tail,
  )?.[1]
  const last = log_tail.trim().split('\n').at(-1)
  return (marked ?? (last || 'it logged nothing')).replace(/\.$/, '')
}

type Explain = (home: Home, reason: string) => string

// The first match wins: a full disk must be reported before the damage that it looks like.
const explanations: [RegExp, Explain][] = [
  [/No space left on device|Disk quota exceeded/, (home) => diskFullMessage(home.data_path)],
  [
    /insufficient file descriptors|Too many open files|too many open files/,
    () =>
      'PostgreSQL has too few file descriptors. Raise the limit of open files to 1024 or more ' +
      '(ulimit -n 1024, or LimitNOFILE= in systemd), then start Florin again.',
  ],
  [
    /could not (create|map|resize) (anonymous )?shared memory|Cannot allocate memory/,
    (_home, reason) =>
      `PostgreSQL has too little shared memory: ${reason}. ` +
      'Give the machine or container more memory, or set DATABASE_URL.',
  ],
  [
    /error while loading shared libraries|Library not loaded|GLIBC_[\d.]+' not found/,
    (_home, reason) =>
      `The embedded PostgreSQL does not run on this system: ${reason}. ` +
      `Run \`${install_command}\` again, or set DATABASE_URL to use an external PostgreSQL.`,
  ],
  [
    /Permission denied|Operation not permitted|Read-only file|wrong ownership|invalid permissions/,
    (home, reason) =>
      `PostgreSQL cannot access its files: ${reason}. Check the owner and mode of ` +
      `${home.cluster_path}. File systems of other operating systems may not support them.`,
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

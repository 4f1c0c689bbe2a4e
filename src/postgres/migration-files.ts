// Reads the migrations of this version. Comments at the top of a file state how it is applied:
//
// -- runs alongside: 0009_request_logs   Processes that know this migration, or later ones, may run
//                                        on the schema. Without it, every process must be current.
// -- online                              Runs outside of a transaction while payments continue.
// -- contract: 0.1                       Waits until version 0.1 has replaced every older process.
//
// See docs/decisions/0047-rolling-upgrades.md.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const migrations_path = fileURLToPath(new URL('../../migrations', import.meta.url))

export interface MigrationFile {
  name: string
  statements: string[]
  runs_alongside: string | null
  is_online: boolean
  /** The version that no longer needs what this migration removes. */
  contract_of: string | null
}

/** Oldest first. */
export function readMigrations(): MigrationFile[] {
  return knownMigrations().map((name) =>
    parseMigration(name, readFileSync(`${migrations_path}/${name}.sql`, 'utf8')),
  )
}

/** The names of the migrations of this version, oldest first. */
export function knownMigrations(): string[] {
  const files = readdirSync(migrations_path).filter((file) => file.endsWith('.sql'))
  return files.map((file) => file.slice(0, -'.sql'.length)).sort()
}

export function parseMigration(name: string, text: string): MigrationFile {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  const header = lines.slice(0, end).join('\n')
  const code = lines.filter((line) => !line.trimStart().startsWith('--')).join('\n')
  return {
    name,
    statements: code
      .split(/;\s*(?:\n|$)/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
    runs_alongside: /^-- runs alongside: (\w+)$/m.exec(header)?.[1] ?? null,
    is_online: /^-- online$/m.test(header),
    contract_of: /^-- contract: (\d+\.\d+)$/m.exec(header)?.[1] ?? null,
  }
}

interface PendingMigrations {
  /** To be applied now. */
  next: string[]
  /** To be applied when no process of the previous version is left. */
  waiting: string[]
}

/**
 * Contract migrations wait, unless a later migration of the next version follows: only processes of
 * this version run alongside that one. A new database has no processes to wait for.
 */
export function pendingMigrations(applied: string[]): PendingMigrations {
  const pending = readMigrations().filter(({ name }) => !applied.includes(name))
  const names = pending.map(({ name }) => name)
  if (applied.length === 0) return { next: names, waiting: [] }
  const last = pending.findLastIndex(({ contract_of }) => contract_of === null)
  return { next: names.slice(0, last + 1), waiting: names.slice(last + 1) }
}

// Reports failed commands. Expected failures are one message with the next step; only a bug in
// Florin prints a stack trace.

import type { CommanderError } from 'commander'
import { sqlState, translateFailure } from '../postgres/failure.ts'
import type { Refusal } from '../primitives/refusal.ts'
import { install_command } from '../version.ts'
import { describeFileError, isFileError } from './file-failure.ts'
import { symbols } from './terminal.ts'

/** Invalid command line. Nothing was done. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Ctrl-C was pressed before the command finished. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

export interface Failure {
  error: string
  message: string
  /** The command to run next. */
  next?: string
  /** Status of the response, if a server rejected the request. */
  status?: number
  request_id?: string
}

/** A server rejected the request, or cannot be reached. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

// Matched by name, not by class: importing the classes would load the server, the database driver
// and the migration tool on every `florin --help`.
const expected: Record<string, string> = {
  BackupError: 'backup_error',
  ConfigError: 'config_error',
  DatabaseUnreachable: 'database_unreachable',
  DistributionError: 'distribution_error',
  EmbeddedDatabaseError: 'embedded_database_error',
  Interrupted: 'interrupted',
  ProviderError: 'provider_error',
  SchemaError: 'schema_error',
  StartError: 'start_error',
  UsageError: 'usage_error',
}

interface FailedCommand {
  /** Only then is a lost connection a database failure. */
  opens_database: boolean
}

export function reportFailure(thrown: unknown, options: FailedCommand & { json: boolean }): void {
  const failure = describeFailure(thrown, options)
  if (options.json) {
    process.stderr.write(`${JSON.stringify(failure)}\n`)
  } else if (failure.error === 'internal_error') {
    const stack = thrown instanceof Error ? thrown.stack : String(thrown)
    process.stderr.write(`${stack}\nThis is a bug in Florin. Report it with the lines above.\n`)
  } else {
    const mark = process.stderr.isTTY ? `${symbols.fail} ` : ''
    process.stderr.write(failure.message.replaceAll(/^(?=.)/gm, mark))
    process.stderr.write(failure.next === undefined ? '\n' : `\nNext: ${failure.next}\n`)
  }
}

export function describeFailure(thrown: unknown, { opens_database }: FailedCommand): Failure {
  if (isFileError(thrown)) return { error: 'file_error', message: describeFileError(thrown) }
  const is_expected = thrown instanceof Error && thrown.name in expected
  const may_be_database = opens_database && !is_expected && !isModuleMissing(thrown)
  const error = may_be_database ? translateFailure(thrown) : thrown
  if (!(error instanceof Error)) return { error: 'internal_error', message: String(error) }
  if (error.name === 'ApiFailure') return (error as ApiFailure).failure
  if (error.name === 'Refusal')
    return { error: (error as Refusal).code, message: asSentence(error.message) }
  const known = expected[error.name]
  if (known !== undefined) return { error: known, message: error.message }
  if (sqlState(error) === '42501')
    return { error: 'database_refused', message: missingPrivilege(error) }
  if (isModuleMissing(error) && error.message.startsWith('Cannot find package')) {
    return {
      error: 'packages_missing',
      message: `${error.message.split('\n')[0]}. Run: ${install_command}`,
    }
  }
  return { error: 'internal_error', message: error.message }
}

/**
 * Capitalizes the first word of an API message. Names such as account_id and addresses keep their
 * case.
 */
export function asSentence(message: string): string {
  return message.replace(
    /^"?([a-z]+)"?(?=\s)/,
    (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  )
}

function isModuleMissing(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_MODULE_NOT_FOUND'
}

function missingPrivilege(error: Error): string {
  return (
    `The database user lacks a privilege: ${error.message}. ` +
    'Make it the owner of the database in DATABASE_URL.'
  )
}

/**
 * Validates an option by the rule of the API field with the same name. This happens before any
 * request, so a refusal is a usage error.
 */
export function validateOption<Value>(validate: () => Value): Value {
  try {
    return validate()
  } catch (error) {
    if ((error as Error).name !== 'Refusal') throw error
    throw new UsageError((error as Refusal).message.replace(/^"?(\w+)"?/, '--$1'))
  }
}

/** Turns a message of Commander into the form of all other messages. */
export function explainUsage(error: CommanderError, command: string): UsageError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const sentence = asSentence(first).replace(/[.]?$/, '.')
  const hint = rest.join(' ').replace(/^\(|\)$/g, '')
  const next = `See ${command} --help.`
  return new UsageError([sentence, hint, next].filter((part) => part).join(' '))
}

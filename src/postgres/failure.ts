// Maps database errors for the caller. Failures of the database itself become `unavailable` (503,
// retryable); anything else is a bug in Florin and is passed on unchanged.

import { Refusal } from '../primitives/refusal.ts'

// 08 connection, 53 resources, 57 operator (shutdown, canceled by a timeout), 58 system, 28 and 3D
// access denied, 55P03 lock timeout, 25006 read-only standby, 25P03 and 25P04 transaction timeout,
// 40 serialization failure or deadlock in every attempt.
const unavailableStates = /^(08|53|57|58|28|3D|40|55P03|25006|25P0[34])/

const conflict_states = new Set(['40001', '40P01'])

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  // Every SQLSTATE has a digit; EPIPE, the code of some lost connections, has none.
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

export function isRetryableConflict(error: unknown): boolean {
  return conflict_states.has(sqlState(error) ?? '')
}

// pg reports a lost connection as a plain Error without a SQLSTATE, recognizable only by its text.
// Errors of the operating system (socket, DNS, file) have the name of the system call.
const driverFailure = /connection|timeout|terminated|not queryable|socket/i

export function isDatabaseFailure(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return unavailableStates.test(state)
  if (!(error instanceof Error) || error instanceof Refusal) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined || /^E[A-Z_]+$/.test(code ?? '') || driverFailure.test(error.message)
}

/** Citus does not support the statement: it may lock rows of one shard only. */
export function isUnsupported(error: unknown): boolean {
  return sqlState(error) === '0A000'
}

/** The server no longer accepts writes; another host may. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006'
}

export function unpreparedPooler(cause: unknown): Refusal {
  return new Refusal(
    'unavailable',
    'The connection pooler in front of PostgreSQL does not support prepared statements. ' +
      'Set pool_mode = session, or use PgBouncer 1.21 or newer with max_prepared_statements = 200.',
    { retry_after_s: 5, cause },
  )
}

// PgBouncer uses one SQLSTATE for everything it rejects, and never translates its messages.
function isRejectedParameter(error: unknown): error is Error {
  return sqlState(error) === '08P01' && /startup parameter/.test((error as Error).message)
}

function rejectedParameter(cause: Error): Refusal {
  return new Refusal(
    'unavailable',
    `The connection pooler in front of PostgreSQL rejects a setting: ${cause.message}. ` +
      'Remove it from DATABASE_URL, or add it to ignore_startup_parameters in the pooler.',
    { retry_after_s: 5, cause },
  )
}

export function translateFailure(error: unknown): unknown {
  if (/^(26000|42P05)$/.test(sqlState(error) ?? '')) return unpreparedPooler(error)
  if (isRejectedParameter(error)) return rejectedParameter(error)
  if (error instanceof Refusal || !isDatabaseFailure(error)) return error
  return new Refusal(
    'unavailable',
    'The database cannot be reached right now. Try again shortly.',
    {
      retry_after_s: 1,
      cause: error,
    },
  )
}

/**
 * A row that the previous version would not understand. Constraints with this suffix exist until an
 * upgrade is finished. Not translated here, so that a batch fails only for the entry with the row.
 */
export function isUnfinishedUpgrade(error: unknown): boolean {
  const { constraint } = (error ?? {}) as { constraint?: unknown }
  return sqlState(error) === '23514' && /_until_finished$/.test(String(constraint))
}

export function upgradeUnfinished(): Refusal {
  return new Refusal(
    'unavailable',
    'This is not available until the upgrade of the server is finished. Retry later. ' +
      'The operator finishes it with `florin migrate --finish`.',
    { retry_after_s: 60 },
  )
}

/** The change may or may not have been applied. It must not be repeated without checking. */
export class OutcomeUnknown extends Refusal {
  constructor() {
    super(
      'unavailable',
      'The outcome is unknown. Retry with the same Idempotency-Key, ' +
        'or check whether the change was applied.',
      { retry_after_s: 5 },
    )
  }
}

/** The change was not applied, for a transient reason. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Refusal) || error instanceof OutcomeUnknown) return false
  return error.code === 'unavailable'
}

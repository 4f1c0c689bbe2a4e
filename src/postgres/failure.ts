// What a failing database means for the one who asked. Trouble of the database itself is
// `unavailable` (503, try again); anything else is a fault of ours and stays as it is.

import { Refusal } from '../primitives/refusal.ts'

// 08 connection, 53 resources, 57 operator (shutdown, cancelled by a time-out), 58 system, 28 and
// 3D a database that no longer lets us in, 55P03 a lock not had in time, 25006 a read-only
// stand-by, 25P03 and 25P04 a change that took too long, 40 one that lost against others, each time
// it was tried.
const unavailableStates = /^(08|53|57|58|28|3D|40|55P03|25006|25P0[34])/

const again = new Set(['40001', '40P01'])

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  // Every SQLSTATE has a digit; EPIPE, which a lost connection may give, has not.
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

export function isRetryableConflict(error: unknown): boolean {
  return again.has(sqlState(error) ?? '')
}

// pg reports a lost connection as a plain Error without a SQLSTATE, told by its words; what the
// system refuses (a socket, a name, a file) comes with the name of the system call.
const driverFailure = /connection|timeout|terminated|not queryable|socket/i

export function isDatabaseFailure(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return unavailableStates.test(state)
  if (!(error instanceof Error) || error instanceof Refusal) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined || /^E[A-Z_]+$/.test(code ?? '') || driverFailure.test(error.message)
}

/** The server accepts no writes any more: another host may. */
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

// PgBouncer has the same SQLSTATE for all that it rejects, and translates none of its texts.
function isRejectedParameter(error: unknown): error is Error {
  return sqlState(error) === '08P01' && /startup parameter/.test((error as Error).message)
}

function rejectedParameter(cause: Error): Refusal {
  return new Refusal(
    'unavailable',
    `The connection pooler in front of PostgreSQL rejects a setting: ${cause.message}. ` +
      'Remove it from DATABASE_URL, or add it to ignore_startup_parameters of the pooler.',
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

/** Whether a change was made is not known: it must be looked for, and not be made again blindly. */
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

/** Not done, by no fault of its own: it may work a moment later. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Refusal) || error instanceof OutcomeUnknown) return false
  return error.code === 'unavailable'
}

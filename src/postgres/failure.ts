// What a failing database means for the one who asked. Trouble of the database itself is
// `unavailable` (503, try again); anything else is a fault of ours and stays as it is.

import { Refusal } from '../primitives/refusal.ts'

// 08 connection, 53 resources, 57 operator (shutdown, cancelled by a time-out), 58 system, 28 and
// 3D a database that no longer lets us in, 55P03 a lock not had in time, 25006 a read-only
// stand-by.
const unavailableStates = /^(08|53|57|58|28|3D|55P03|25006)/

const again = new Set(['40001', '40P01'])

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

export function isWorthAnotherTry(error: unknown): boolean {
  return again.has(sqlState(error) ?? '')
}

// pg reports a lost connection as a plain Error without a SQLSTATE, so these are told by what they
// are not: they come from the driver, and a refusal or a fault of our own code never does.
const driverTrouble =
  /connection|timeout|terminated|not queryable|socket|^E(CONN|NOENT|PIPE|TIME|HOST|NOTF|AI_AG)/i

export function isDatabaseTrouble(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return unavailableStates.test(state)
  if (!(error instanceof Error) || error instanceof Refusal) return false
  return (
    driverTrouble.test(error.message) ||
    driverTrouble.test(String((error as { code?: string }).code))
  )
}

export function translateFailure(error: unknown): unknown {
  if (error instanceof Refusal || !isDatabaseTrouble(error)) return error
  return new Refusal(
    'unavailable',
    'The database cannot be reached right now. Try again shortly.',
    {
      retry_after_s: 1,
      cause: error,
    },
  )
}

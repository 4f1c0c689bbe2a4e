// Asserts that rejected requests change nothing: the whole database is hashed before and after each
// request through a watched Florin, unless another request runs at the same time or assertNoChanges
// surrounds it.

import assert from 'node:assert/strict'
import type { Db } from '../../src/postgres/database.ts'
import type { Florin } from './florin.ts'
import { countRefusals, hashDatabase, isCompared, throttleTables } from './hash-database.ts'

/** Returns the same Florin with a watched `call`. */
export function watchRefusals<Target extends Pick<Florin, 'call' | 'db'>>(florin: Target) {
  return { ...florin, call: watchCall(florin.db, florin.call) }
}

/** Returns the same function, watched. */
export function watchCall<Rest extends unknown[], ApiResponse extends { status: number }>(
  { pool }: Db,
  send: (method: string, path: string, ...rest: Rest) => Promise<ApiResponse>,
): typeof send {
  let in_flight = 0
  let disturbed = false
  const sendAlone: typeof send = async (method, path, ...rest) => {
    const options = { except: permittedTables(path) }
    const before = await hashDatabase(pool, options)
    const response = await send(method, path, ...rest)
    if (response.status < 400 || response.status >= 500 || disturbed) return response
    const after = await hashDatabase(pool, options)
    if (disturbed) return response
    assert.deepEqual(after, before, `${method} ${path} was rejected, but changed the database`)
    countRefusals(1)
    return response
  }
  return async (method, path, ...rest) => {
    in_flight += 1
    disturbed = in_flight > 1
    try {
      return await (disturbed || isCompared(pool)
        ? send(method, path, ...rest)
        : sendAlone(method, path, ...rest))
    } finally {
      in_flight -= 1
    }
  }
}

/** The permitted writes: throttle counters, and ending a session whose refresh token was reused. */
function permittedTables(path: string): string[] {
  if (path.startsWith('/v1/auth/refresh')) return ['sessions', 'tokens']
  const checks_password = /^\/(v1\/auth\/login|v1\/accounts|dashboard\/api\/session)/.test(path)
  return checks_password ? throttleTables : []
}

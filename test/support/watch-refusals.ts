// A refused request changes nothing. Whoever asks through a watched Florin is held to it: around
// every request that is refused while no other is under way, the whole database is hashed.

import assert from 'node:assert/strict'
import type { Db } from '../../src/postgres/database.ts'
import type { Florin } from './florin.ts'
import { countRefusals, hashDatabase, throttleTables } from './hash-database.ts'

/** The same Florin, watched. */
export function watchRefusals<Watched extends Pick<Florin, 'call' | 'db'>>(florin: Watched) {
  return { ...florin, call: watchCall(florin.db, florin.call) }
}

/** The same way to ask, watched. */
export function watchCall<Rest extends unknown[], ApiResponse extends { status: number }>(
  { pool }: Db,
  ask: (method: string, path: string, ...rest: Rest) => Promise<ApiResponse>,
): typeof ask {
  let under_way = 0
  let disturbed = false
  const askAlone: typeof ask = async (method, path, ...rest) => {
    const marks = { except: marksOf(path) }
    const before = await hashDatabase(pool, marks)
    const response = await ask(method, path, ...rest)
    if (response.status < 400 || response.status >= 500 || disturbed) return response
    const after = await hashDatabase(pool, marks)
    if (disturbed) return response
    assert.deepEqual(after, before, `${method} ${path} was refused, and changed the database`)
    countRefusals(1)
    return response
  }
  return async (method, path, ...rest) => {
    under_way += 1
    disturbed = under_way > 1
    try {
      return await (disturbed ? ask(method, path, ...rest) : askAlone(method, path, ...rest))
    } finally {
      under_way -= 1
    }
  }
}

/** SPEC §4's records: throttle counters, and the end of a session whose token came twice. */
function marksOf(path: string): string[] {
  if (path.startsWith('/v1/auth/refresh')) return ['sessions', 'tokens']
  const compares = /^\/(v1\/auth\/login|v1\/accounts|dashboard\/api\/session)/.test(path)
  return compares ? throttleTables : []
}

// Helpers for requests that race the closing of an account.

import assert from 'node:assert/strict'
import type { Florin } from '../../support/florin.ts'

/** Asserts that nothing is pending or later than the closing. */
export async function assertNothingLater(
  { db }: Florin,
  uuid: string,
  closed_at: string,
): Promise<void> {
  const late = await db.pool.query(
    `select 'request' as what, id::text from payment_requests
     where account_id = $1 and (status = 'pending' or updated_at > $2)
     union all
     select 'transaction', id::text from transactions
     where account_id = $1 and (status = 'pending' or updated_at > $2)
     union all
     select 'posting', sequence::text from postings where account_id = $1 and at > $2
     union all
     select type, sequence::text from events where account_id = $1 and at > $2`,
    [uuid, closed_at],
  )
  assert.deepEqual(late.rows, [])
  // Events can share a millisecond, but not a sequence number.
  const last = 'select type from events where account_id = $1 order by sequence desc limit 1'
  assert.deepEqual((await db.pool.query(last, [uuid])).rows, [{ type: 'account.closed' }])
}

/** The results of racing requests, before and during the closing. */
export class Race {
  readonly before: string[] = []
  readonly during: string[] = []
  is_closing = false

  /** Repeats a request while it returns `success`; undefined means there is nothing left to do. */
  async repeat(
    success: string,
    request: () => Promise<string | number | undefined>,
  ): Promise<void> {
    for (;;) {
      const returned = await request()
      if (returned === undefined) return
      const result = String(returned)
      if (this.is_closing) this.during.push(result)
      else this.before.push(result)
      if (result !== success) return
    }
  }

  count(result: string): number {
    return [...this.before, ...this.during].filter((one) => one === result).length
  }
}

const rounds_min = 5
const rounds_max = 40

/**
 * Runs at least five rounds, and more until one of them had all these results during the closing:
 * otherwise no request has raced it.
 */
export async function raceUntil(expected: string[], round: () => Promise<Race>): Promise<void> {
  let has_raced = false
  for (let rounds = 0; rounds < rounds_min || !has_raced; rounds++) {
    assert.ok(rounds < rounds_max, `no round of ${rounds_max} had each of ${expected}`)
    const { before, during } = await round()
    for (const result of [...before, ...during]) assert.ok(expected.includes(result), result)
    has_raced ||= expected.every((result) => during.includes(result))
  }
}

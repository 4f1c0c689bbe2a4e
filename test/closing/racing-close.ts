// Races against the end of an account: that there was one, and what is true when it is over.

import assert from 'node:assert/strict'
import type { Florin } from '../support/florin.ts'

/** The database's own account of it: the close is the last thing that happened. */
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
  // Several things share a millisecond, but each has a number of its own.
  const last = 'select type from events where account_id = $1 order by sequence desc limit 1'
  assert.deepEqual((await db.pool.query(last, [uuid])).rows, [{ type: 'account.closed' }])
}

/** What came back to those who raced, apart by whether the close was on its way by then. */
export class Race {
  readonly before: string[] = []
  readonly during: string[] = []
  is_closing = false

  /** Somebody who does it again as long as it goes well, and there is something to do. */
  async line(well: string, doOnce: () => Promise<string | number | undefined>): Promise<void> {
    for (;;) {
      const told = await doOnce()
      if (told === undefined) return
      const word = String(told)
      if (this.is_closing) this.during.push(word)
      else this.before.push(word)
      if (word !== well) return
    }
  }

  count(word: string): number {
    return [...this.before, ...this.during].filter((one) => one === word).length
  }
}

const rounds_least = 5
const rounds_most = 40

/**
 * Five rounds, and more until in one of them all these words were told while the close was on its
 * way: where everybody was served before it, or refused after it, nobody has raced.
 */
export async function raceUntil(wanted: string[], round: () => Promise<Race>): Promise<void> {
  let has_raced = false
  for (let rounds = 0; rounds < rounds_least || !has_raced; rounds++) {
    assert.ok(rounds < rounds_most, `no round of ${rounds_most} had each of ${wanted}`)
    const { before, during } = await round()
    for (const word of [...before, ...during]) assert.ok(wanted.includes(word), word)
    has_raced ||= wanted.every((word) => during.includes(word))
  }
}

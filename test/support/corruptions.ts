// Damages the database in every way that a part of `florin verify` must find, and rolls each back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLocks } from '../../src/ledger/verify-ledger.ts'
import type { Db, Tx } from '../../src/postgres/database.ts'
import type { AccountRange, Difference } from '../../src/postgres/difference.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { max_uuid, nil_uuid } from '../../src/primitives/ids.ts'

export interface Corruption {
  what: string
  /** Statements, separated by semicolons. */
  sql: string
  /** The rules of all differences. */
  rules: string[]
  /** Of the first difference. */
  message?: RegExp
}

type Verify = (
  tx: Tx,
  range: AccountRange,
  locks: Awaited<ReturnType<typeof listLocks>>,
) => Promise<Difference[]>

class RollBack extends Error {}

export function testCorruptions(db: Db, corruptions: Corruption[], verify: Verify): void {
  const differencesAfter = async (damage: string): Promise<Difference[]> => {
    let found: Difference[] = []
    const work = db.transaction(async (tx) => {
      for (const text of damage.split(';')) await tx.rows({ text, values: [] } as unknown as Sql)
      const locks = await listLocks(tx, nil_uuid, 1_000)
      found = await verify(tx, { after: nil_uuid, through: max_uuid }, locks)
      throw new RollBack()
    })
    await assert.rejects(work, RollBack)
    return found
  }
  for (const { what, sql, rules, message } of corruptions) {
    test(`verify finds ${what}`, async () => {
      const found = await differencesAfter(sql)
      assert.deepEqual(found.map(({ rule }) => rule).toSorted(), rules.toSorted())
      if (message === undefined) return
      const [first] = found
      assert.match(`${first!.object}: found ${first!.found}, expected ${first!.expected}`, message)
    })
  }
  test('verify finds nothing in an intact database', async () => {
    assert.deepEqual(await differencesAfter('select 1'), [])
  })
}

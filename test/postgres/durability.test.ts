// Which settings of PostgreSQL could lose acknowledged changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { findUnsafeSettings, repairAdvice } from '../../src/postgres/durability.ts'
import { startFlorin } from '../support/florin.ts'

const { db, connection, database } = await startFlorin()

for (const [value, is_safe] of [
  ['on', true],
  ['remote_apply', true],
  ['remote_write', false],
  ['local', false],
  ['off', false],
] as const) {
  test(`synchronous_commit=${value} is ${is_safe ? 'safe' : 'unsafe'}`, async () => {
    await db.pool.query(`alter database ${database} set synchronous_commit = ${value}`)
    const fresh = openDatabase(connection)
    const found = await findUnsafeSettings(fresh).finally(() => fresh.close())
    assert.equal(found.includes(`synchronous_commit=${value}`), !is_safe, found.join())
  })
}

test('gives different advice for settings and for checksums', () => {
  assert.match(repairAdvice(['fsync=off']), /^Set it to "on" in postgresql\.conf and reload\.$/)
  assert.match(repairAdvice(['data_checksums=off']), /^Checksums: stop .*pg_checksums --enable/)
  assert.match(repairAdvice(['fsync=off', 'data_checksums=off']), /reload\. Checksums: .*--enable/)
})

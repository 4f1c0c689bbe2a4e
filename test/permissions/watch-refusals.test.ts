// Who watches the watcher: a refusal that leaves something behind is caught, whatever it was.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { watchCall } from '../support/watch-refusals.ts'

const florin = await startFlorin()
const { db } = florin
const owner = await florin.people.owner()

const leavings = {
  'a changed row': "update users set name = coalesce(name, '') || 'x'",
  'one more row': "insert into login_failures values ('x', '{}', now())",
  'a row that is gone': 'delete from tokens where kind = (select min(kind) from tokens)',
}

for (const [what, text] of Object.entries(leavings)) {
  test(`${what} after a refusal is caught`, async () => {
    const ask = watchCall(db, async () => {
      await db.pool.query(text)
      return { status: 404 }
    })
    await assert.rejects(ask('GET', '/v1/account'), /was refused, and changed the database/)
    const work = () => db.pool.query(text)
    if (what === 'a changed row') await assert.rejects(assertNoChanges(db.pool, work), /changed/)
  })
}

test('what was allowed may change something, and what was refused did not', async () => {
  const call = watchCall(db, florin.call)
  const { token } = await florin.people.session(owner)
  const renamed = await call('PATCH', '/v1/account', { token, body: { name: 'Another' } })
  assert.equal(renamed.status, 200)
  const refused = await call('PATCH', '/v1/account', { token, body: { name: '' } })
  assert.equal(refused.status, 400)
})

// Tests the watcher itself: it detects any change that a rejected request leaves behind.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { watchCall } from '../support/watch-refusals.ts'

const florin = await startFlorin()
const { db } = florin
const owner = await florin.people.owner()

const changes = {
  'a changed row': "update users set name = coalesce(name, '') || 'x'",
  'an added row': "insert into login_failures values ('x', '{}', now())",
  'a deleted row': 'delete from tokens where kind = (select min(kind) from tokens)',
}

for (const [what, text] of Object.entries(changes)) {
  test(`detects ${what} after a rejected request`, async () => {
    const call = watchCall(db, async () => {
      await db.pool.query(text)
      return { status: 404 }
    })
    await assert.rejects(call('GET', '/v1/account'), /was rejected, but changed the database/)
    const work = () => db.pool.query(text)
    if (what === 'a changed row') await assert.rejects(assertNoChanges(db.pool, work), /changed/)
  })
}

test('allows changes by accepted requests', async () => {
  const call = watchCall(db, florin.call)
  const { token } = await florin.people.session(owner)
  const renamed = await call('PATCH', '/v1/account', { token, body: { name: 'Another' } })
  assert.equal(renamed.status, 200)
  const refused = await call('PATCH', '/v1/account', { token, body: { name: '' } })
  assert.equal(refused.status, 400)
})

// With a Florin-Account header, a request reaches only the users of that account.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const owner = await florin.people.owner()
const stranger = await florin.people.owner()
const lone = await florin.people.lone()

const request = (method: string, who: { token: string }, id: string, account: string) =>
  florin.call(method, `/v1/users/${id}`, {
    token: who.token,
    headers: { 'florin-account': account },
    ...(method === 'PATCH' && { body: { name: 'Changed' } }),
  })

test('returns 404 for a user who is not in the account of the header', async () => {
  const member = await florin.people.member(owner)
  for (const account of [stranger.account_id, 'acct_nope']) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const id of [member.id, lone.id]) {
        const send = () => request(method, admin, id, account)
        const response = await assertNoChanges(florin.db.pool, send)
        assert.deepEqual([response.status, response.body.error], [404, 'not_found'], response.text)
      }
    }
  }
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const response = await request(method, admin, member.id, owner.account_id)
    assert.equal(response.status, 200, response.text)
  }
})

test('rejects access to oneself with the header of another account', async () => {
  for (const who of [owner, lone]) {
    for (const method of ['GET', 'PATCH']) {
      const response = await request(method, who, who.id, stranger.account_id)
      assert.equal(response.status, 404, response.text)
    }
  }
  const deleted = await assertNoChanges(florin.db.pool, () =>
    request('DELETE', lone, lone.id, stranger.account_id),
  )
  assert.equal(deleted.status, 403)
  assert.equal((await request('GET', owner, owner.id, owner.account_id)).status, 200)
})

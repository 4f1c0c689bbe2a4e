// Which callers may settle transactions and move the clock. The expected outcomes are written by
// hand, independently of the code.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { openTransactionFixtures } from '../transactions/transaction-fixtures.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'
import { keysOf } from './shapes.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const transactions = await openTransactionFixtures(florin)

const transactionKeys = [
  'account_id',
  'amount',
  'created_at',
  'currency',
  'id',
  'metadata',
  'reference',
  'status',
  'type',
  'updated_at',
]

async function pendingOf(owner: string): Promise<string> {
  const shop = await fixtures.owner(owner)
  const created = await transactions.create({
    ...shop,
    uuid: findUuid('account', shop.account_id)!,
  })
  assert.equal(created.status, 201, created.text)
  return created.body.id
}

async function ended(): Promise<string> {
  const id = await pendingOf('owner')
  assert.equal((await transactions.settle(id)).status, 200)
  return id
}

async function transactionIds(object: string): Promise<string[]> {
  switch (object) {
    case 'own':
    case 'elsewhere':
      return [await pendingOf('owner')]
    case 'other':
      return [await pendingOf('owner2')]
    case 'ended':
      return [await ended()]
    case 'unknown':
      return [toTypeId('transaction', newUuid(Date.now()))]
    default: {
      const id = await pendingOf('owner')
      return ['x', id.toUpperCase(), id.replace('txn', 'acct'), id.slice(0, -1), `${id}0`]
    }
  }
}

// `elsewhere` is a transaction of the own account, sent with the header of the other.
testGrid(florin, fixtures, {
  endpoint: 'POST /v1/transactions/{id}/settle',
  requests: async (inside, object) => {
    const other = (await inside.owner('owner2')).account_id
    return (await transactionIds(object)).map((id) => ({
      method: 'POST',
      path: `/v1/transactions/${id}/settle`,
      body: { outcome: 'succeeded' },
      headers: object === 'elsewhere' ? { 'florin-account': other } : {},
    }))
  },
  check: (response) => {
    assert.deepEqual(keysOf(response), transactionKeys)
    assert.equal(response.body.status, 'succeeded')
  },
  grid: `
         own   other ended elsewhere unknown badid
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform ok    ok    confl none      none    none
admin    ok    ok    confl none      none    none
key:*    scope
key2:*   scope
platform_key:* ok ok confl none      none    none`,
})

testGrid(florin, fixtures, {
  endpoint: 'POST /v1/sandbox/clock/advance',
  requests: async () => [
    { method: 'POST', path: '/v1/sandbox/clock/advance', body: { seconds: 1 } },
  ],
  check: (response) => assert.deepEqual(keysOf(response), ['now']),
  grid: `
         clock
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform scope
admin    ok
key:*    scope
key2:*   scope
platform_key:* scope`,
})

async function auditEntriesAbout(id: string) {
  const text = 'select * from audit_log where object_id = $1 order by id'
  return (await florin.db.pool.query(text, [findUuid('transaction', id)])).rows
}

test('settling is recorded once in the audit log, with actor and reason', async () => {
  for (const role of ['admin', 'platform']) {
    const { token, id: user_id } = await fixtures.person(role)
    const id = await pendingOf('owner')
    const body = { outcome: 'failed', reason: 'The bank sent it back.' }
    const headers = { 'idempotency-key': `settle-${role}` }
    const path = `/v1/transactions/${id}/settle`
    const response = await florin.call('POST', path, { token, body, headers })
    assert.equal(response.status, 200, response.text)
    const again = await florin.call('POST', path, { token, body, headers })
    assert.equal(again.text, response.text)
    const [entry, ...more] = await auditEntriesAbout(id)
    assert.deepEqual(more, [])
    assert.equal(entry.actor_role, role)
    assert.equal(entry.actor_id, findUuid('user', user_id))
    assert.equal(entry.action, 'transaction.settled')
    assert.equal(entry.account_id, findUuid('account', response.body.account_id))
    assert.equal(entry.request_id, response.headers.get('request-id'))
    const { outcome, reason } = body
    assert.deepEqual(JSON.parse(entry.details), { outcome, reason })
  }
})

test('a rejected settlement and the worker leave no audit entry', async () => {
  const id = await ended()
  const before = await auditEntriesAbout(id)
  await assertNoChanges(florin.db.pool, () => transactions.settle(id, 'failed'))
  assert.deepEqual(await auditEntriesAbout(id), before)
  const due = await pendingOf('owner')
  const { token } = transactions.admin
  await florin.call('POST', '/v1/sandbox/clock/advance', { token, body: { seconds: 60 } })
  const { body } = await transactions.get(transactions.admin, due)
  assert.equal(body.status, 'succeeded')
  assert.deepEqual(await auditEntriesAbout(due), [])
})

test('settling many transactions at once records one audit entry for each', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => pendingOf('owner')))
  await Promise.all(ids.map((id) => transactions.settle(id)))
  for (const id of ids) assert.equal((await auditEntriesAbout(id)).length, 1)
})

test('other changes are recorded only for admins, and only if something changed', async () => {
  const { account_id } = await fixtures.owner('owner')
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const expected: Record<string, string[]> = {
    admin: ['transaction.created', 'transaction.updated', 'transaction.canceled'],
    platform: [],
    owner: [],
  }
  for (const [role, actions] of Object.entries(expected)) {
    const { token } = await fixtures.person(role)
    const created = await florin.call('POST', '/v1/transactions', { token, body })
    const path = `/v1/transactions/${created.body.id}`
    const change = { token, body: { reference: 'once' } }
    for (let time = 0; time < 2; time++) {
      assert.equal((await florin.call('PATCH', path, change)).status, 200)
    }
    assert.equal((await florin.call('DELETE', path, { token })).status, 200)
    const audit_entries = await auditEntriesAbout(created.body.id)
    assert.deepEqual(
      audit_entries.map(({ action }) => action),
      actions,
      role,
    )
  }
})

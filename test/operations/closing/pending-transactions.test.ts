import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import { until } from '../../support/until.ts'
import { assertNothingLater, Race, raceUntil } from './racing-close.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const admin = await florin.people.admin()

async function create(owner: { token: string; account_id: string }, more: object = {}) {
  const body = {
    account_id: owner.account_id,
    amount: 100,
    currency: 'USD',
    type: 'payment',
    ...more,
  }
  const response = await florin.call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function settle(id: string) {
  const request = { token: admin.token, body: { outcome: 'succeeded' } }
  assert.equal((await florin.call('POST', `/v1/transactions/${id}/settle`, request)).status, 200)
}

test('closing cancels pending transactions and keeps the available balance', async () => {
  const owner = await florin.people.owner()
  const paid = await create(owner, { amount: 1_000 })
  await settle(paid.id)
  const refund = await create(owner, { type: 'refund', amount: 300, reference: paid.id })
  const payment = await create(owner)
  const closed = await florin.call('DELETE', '/v1/account', { token: owner.token })
  assert.equal(closed.status, 200)

  const by_admin = { token: admin.token, headers: { 'florin-account': owner.account_id } }
  for (const { id } of [refund, payment]) {
    const response = await florin.call('GET', `/v1/transactions/${id}`, by_admin)
    assert.equal(response.body.status, 'canceled')
    assert.ok(response.body.updated_at <= closed.body.closed_at)
  }
  const balance = await florin.call('GET', '/v1/account/balance', by_admin)
  assert.deepEqual(
    [balance.body.available, balance.body.incoming, balance.body.held],
    [1_000, 0, 0],
  )
})

test('the events of a closing start with cancellations and end with account.closed', async () => {
  const owner = await florin.people.owner()
  await create(owner)
  await create(owner)
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  const events = await florin.db.pool.query(
    'select type from events where account_id = $1 order by sequence desc limit 4',
    [findUuid('account', owner.account_id)],
  )
  assert.deepEqual(
    events.rows.map(({ type }) => type),
    ['account.closed', 'user.deleted', 'transaction.canceled', 'transaction.canceled'],
  )
})

test('payments that race a close leave no pending or later rows', async () => {
  await raceUntil(['201', '401'], async () => {
    const race = new Race()
    const { token, account_id } = await florin.people.owner()
    const body = { account_id, amount: 1, currency: 'USD', type: 'payment' }
    const pay = async () => (await florin.call('POST', '/v1/transactions', { token, body })).status
    const paying = Array.from({ length: 12 }, () => race.repeat('201', pay))
    await until(() => race.before.length >= 30)
    race.is_closing = true
    const closed = await florin.call('DELETE', '/v1/account', { token })
    assert.equal(closed.status, 200, closed.text)
    await Promise.all(paying)
    const uuid = findUuid('account', account_id)!
    await assertNothingLater(florin, uuid, closed.body.closed_at)
    const stored = 'select count(*)::int as n from transactions where account_id = $1'
    assert.equal((await florin.db.pool.query(stored, [uuid])).rows[0].n, race.count('201'))
    return race
  })
})

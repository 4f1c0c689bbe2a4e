import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDesk } from '../payments/desk.ts'
import { Payers } from '../payments/payers.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.another()
const desk = await openDesk(florin)
const payers = new Payers(other.db)

test('closing cancels pending requests with their events, and leaves the others', async () => {
  const shop = await desk.shop()
  const paid = await desk.request(shop)
  await desk.settlePayment(paid)
  const [first, second] = [await desk.request(shop), await desk.request(shop)]
  await desk.create(shop)
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  for (const id of [first, second]) {
    const { body } = await desk.look(desk.admin, id)
    assert.equal(body.status, 'canceled')
    assert.ok(body.updated_at <= closed.body.closed_at)
    assert.equal(await payers.try(shop, id), 'conflict')
  }
  assert.equal((await desk.look(desk.admin, paid)).body.status, 'succeeded')
  assert.deepEqual((await desk.eventTypes(shop)).slice(-5), [
    'payment.canceled',
    'payment.canceled',
    'transaction.canceled',
    'user.deleted',
    'account.closed',
  ])
})

test('fifty requests and fifty payers that race a close leave nothing pending', async () => {
  for (let round = 0; round < 5; round++) {
    const shop = await desk.shop()
    const open = await Promise.all(Array.from({ length: 50 }, () => desk.request(shop)))
    const calls = [florin.call, other.call]
    const asked = Array.from({ length: 50 }, (_, at) =>
      desk.ask(shop, {}, { call: calls[at % 2]! }),
    )
    const tries = open.map((id) => payers.try(shop, id))
    const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
    assert.equal(closed.status, 200, closed.text)
    for (const { status } of await Promise.all(asked)) assert.ok([201, 401].includes(status))
    for (const word of await Promise.all(tries)) {
      assert.ok(['succeeded', 'conflict'].includes(word), word)
    }
    const late = await florin.db.pool.query(
      `select id from payment_requests
       where account_id = $1 and (status = 'pending' or updated_at > $2)
       union all
       select id from transactions
       where account_id = $1 and (status = 'pending' or updated_at > $2)`,
      [shop.uuid, closed.body.closed_at],
    )
    assert.deepEqual(late.rows, [])
  }
})

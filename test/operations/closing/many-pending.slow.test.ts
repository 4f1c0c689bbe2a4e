// Closing an account with more pending rows than fit in one page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPaymentFixtures } from '../../payments/payment-fixtures.ts'
import { startFlorin } from '../../support/florin.ts'
import { cleanUp } from './leftovers.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)

test('closing cancels 1,200 rows of each kind and numbers the events without gaps', async () => {
  const shop = await fixtures.shop(1_000)
  const each = 1_200
  for (let created = 0; created < each; created += 100) {
    const some = Array.from({ length: 100 }, (_, at) => created + at)
    const sent = some.flatMap((at) => [
      fixtures.createPayment(shop, { customer_email: `customer${at}@example.com` }),
      at % 6 === 0 ? fixtures.refund(shop, 1) : fixtures.create(shop),
    ])
    for (const { status, text } of await Promise.all(sent)) assert.equal(status, 201, text)
  }
  const closed = await florin.call('DELETE', '/v1/account', { token: shop.token })
  assert.equal(closed.status, 200, closed.text)
  await cleanUp(florin, shop.uuid)
  const events = await fixtures.eventTypes(shop)
  const count = (type: string) => events.filter((one) => one === type).length
  assert.deepEqual([count('payment.canceled'), count('transaction.canceled')], [each, each])
  assert.equal(events.at(-1), 'account.closed')
  assert.deepEqual(await fixtures.balance(shop), { available: 1_000, incoming: 0, held: 0 })
  const { rows } = await florin.db.pool.query(
    `select (select count(*) from transactions where status = 'pending')::int as transactions,
       (select count(*) from payment_requests where status = 'pending')::int as payments,
       (select max(sequence) - count(*) from events where account_id = $1)::int as gaps`,
    [shop.uuid],
  )
  assert.deepEqual(rows, [{ transactions: 0, payments: 0, gaps: 0 }])
})

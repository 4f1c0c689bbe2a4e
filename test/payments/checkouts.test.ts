import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckoutFixtures } from './checkout-fixtures.ts'

const fixtures = await CheckoutFixtures.open()
const { fake } = fixtures

test('a payer pays at the provider, and the snapshot settles the request', async () => {
  const visit = await fixtures.visit({ amount: 2_000 })
  const session_id = await fixtures.atStripe(visit)
  assert.equal((await fixtures.status(visit.shop, visit.id)).body.status, 'pending')
  const charge = fake.pay(session_id)!
  assert.equal(await fixtures.receive(session_id), 'applied')
  const paid = (await fixtures.getPayment(visit.shop, visit.id)).body
  assert.equal(paid.status, 'succeeded')
  const recorded = await fixtures.chargeOf(paid.transaction_id)
  assert.equal(recorded.charge_id, charge.id)
  assert.equal(recorded.amount, 2_000)
  assert.equal(recorded.fee, 55)
  const [checkout] = await fixtures.checkouts(visit)
  assert.equal(checkout!.state, 'paid')
  assert.equal((await visit.payer.open()).state, 'paid')
})

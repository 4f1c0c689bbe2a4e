import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaymentFixtures } from '../../payments/payment-fixtures.ts'
import { startFlorin } from '../../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const admin = await florin.people.admin()
const desk = new PaymentFixtures(florin, admin)

const getOverview = async () => {
  const response = await florin.call('GET', '/v1/overview', { token: admin.token })
  assert.equal(response.status, 200, response.text)
  return response.body
}

test('the overview adds up all accounts by currency and shows the newest accounts', async () => {
  const empty = await getOverview()
  assert.deepEqual([empty.accounts, empty.volumes, empty.days.length], [0, [], 30])
  const first = await desk.shop()
  const second = await desk.shop()
  await desk.fund(first, 7_500)
  await desk.fund(second, 300)
  const found = await getOverview()
  const volume = { in: 7_800, out: 0, succeeded: 2, failed: 0, previous_in: 0 }
  assert.deepEqual(found.volumes, [{ currency: 'USD', ...volume }])
  assert.deepEqual(found.totals, { accounts_created: 2, succeeded: 2, failed: 0 })
  assert.deepEqual(found.previous, { accounts_created: 0, succeeded: 0, failed: 0 })
  assert.equal(found.accounts, 2)
  const { from, to, ...today } = found.days.at(-1)
  assert.deepEqual(today, found.totals)
  assert.equal(to, found.to)
  assert.deepEqual(
    found.newest_accounts.map(({ id }: { id: string }) => id),
    [second.account_id, first.account_id],
  )
})

test('after the period its transactions and accounts count as the previous period', async () => {
  const before = await getOverview()
  const body = { seconds: 30 * 86_400 }
  const moved = await florin.call('POST', '/v1/sandbox/clock/advance', { token: admin.token, body })
  assert.equal(moved.status, 200, moved.text)
  const after = await getOverview()
  assert.deepEqual(after.previous, before.totals)
  assert.deepEqual(after.totals, { accounts_created: 0, succeeded: 0, failed: 0 })
  assert.equal(after.volumes[0].previous_in, before.volumes[0].in)
})

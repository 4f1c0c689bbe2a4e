// Lists of subscriptions match a plain array, and neither skip nor repeat rows during writes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openSubscriptionFixtures(florin)
const shop = await fixtures.shop()
const stranger = await fixtures.shop()

interface Row {
  id: string
  status: string
}

const rows: Row[] = []
for (let at = 0; at < 25; at++) {
  const id = await fixtures.createSubscription(shop, { reference: `number ${at}` })
  const status = (['active', 'paused', 'canceled'] as const)[at % 3]!
  if (status === 'paused') await fixtures.patchSubscription(shop, id, { status })
  if (status === 'canceled') await fixtures.cancelSubscription(shop, id)
  rows.unshift({ id, status })
}
const foreign = await fixtures.createSubscription(stranger)

const ids = (list: Row[]) => list.map(({ id }) => id)

test('a list is sorted newest first, with twenty rows by default', async () => {
  const { body } = await fixtures.listSubscriptions(shop)
  assert.deepEqual(Object.keys(body), ['object', 'data', 'has_more'])
  assert.deepEqual(ids(body.data), ids(rows.slice(0, 20)))
  assert.equal(body.has_more, true)
  const [first] = body.data
  assert.deepEqual((await fixtures.getSubscription(shop, first.id)).body, first)
  const all = await fixtures.listSubscriptions(shop, '?limit=1000')
  assert.deepEqual(ids(all.body.data), ids(rows))
  assert.equal(all.body.has_more, false)
})

test('both cursors work with every status and limit', async () => {
  for (const status of [undefined, 'active', 'paused', 'canceled']) {
    const of_status = rows.filter((row) => status === undefined || row.status === status)
    const filter = status === undefined ? '' : `&status=${status}`
    for (const limit of [1, 4, 100]) {
      for (const at of [0, 3, of_status.length - 1]) {
        const { id } = of_status[at]!
        const older = await fixtures.listSubscriptions(
          shop,
          `?limit=${limit}&starting_after=${id}${filter}`,
        )
        const behind = of_status.slice(at + 1)
        assert.deepEqual(ids(older.body.data), ids(behind.slice(0, limit)))
        assert.equal(older.body.has_more, behind.length > limit)
        const newer = await fixtures.listSubscriptions(
          shop,
          `?limit=${limit}&ending_before=${id}${filter}`,
        )
        const before = of_status.slice(0, at)
        assert.deepEqual(ids(newer.body.data), ids(before.slice(-limit)))
        assert.equal(newer.body.has_more, before.length > limit)
      }
    }
  }
})

test('an invalid filter, a foreign cursor or two cursors return 400', async () => {
  const wrong = [
    '?status=pending',
    '?status=',
    '?limit=0',
    '?limit=x',
    '?starting_after=x',
    `?starting_after=${foreign}`,
    `?starting_after=${rows[0]!.id.replace('sub_', 'pay_')}`,
    `?starting_after=${rows[0]!.id}&ending_before=${rows[1]!.id}`,
  ]
  for (const query of wrong) {
    const response = await fixtures.listSubscriptions(shop, query)
    assert.equal(response.status, 400, query)
    assert.equal(response.body.error, 'invalid_request')
  }
})

test('paging to newer rows while two servers write returns each once, in order', async () => {
  const busy = await fixtures.shop()
  const calls = [florin.call, other.call]
  const first = await fixtures.createSubscription(busy)
  const writing = Promise.all(
    Array.from({ length: 60 }, (_, at) => fixtures.subscribe(busy, {}, { call: calls[at % 2]! })),
  )
  const seen: string[] = []
  let cursor = first
  let is_written = false
  writing.then(() => {
    is_written = true
  })
  for (;;) {
    const is_last = is_written
    const { body } = await fixtures.listSubscriptions(busy, `?limit=7&ending_before=${cursor}`)
    seen.push(...ids(body.data).reverse())
    cursor = seen.at(-1) ?? first
    if (is_last && body.data.length === 0) break
  }
  const created = (await writing).map(({ body }) => body.id)
  assert.deepEqual(seen, created.toSorted())
})

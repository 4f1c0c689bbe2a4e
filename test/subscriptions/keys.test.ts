// Idempotency-Key on changes to subscriptions: one effect, one response.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { tally } from '../transactions/transaction-fixtures.ts'
import { openSubscriptionFixtures } from './subscription-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openSubscriptionFixtures(florin)
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

test('a change sent twice with one key happens once, and its response is replayed', async () => {
  const shop = await fixtures.shop()
  const created = await fixtures.subscribe(shop, {}, withKey('create'))
  const { id } = created.body
  const patch = { status: 'paused', metadata: { once: 1 } }
  const changes: [string, () => ReturnType<typeof fixtures.subscribe>][] = [
    ['POST', () => fixtures.subscribe(shop, {}, withKey('create'))],
    ['PATCH', () => fixtures.patchSubscription(shop, id, patch, withKey('patch'))],
    ['DELETE', () => fixtures.cancelSubscription(shop, id, withKey('stop'))],
  ]
  for (const [name, change] of changes) {
    const first = name === 'POST' ? created : await change()
    assert.ok(first.status < 300, `${name}: ${first.text}`)
    const second = await assertNoChanges(florin.db.pool, change)
    assert.equal(second.status, first.status, name)
    assert.equal(second.text, first.text, name)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
  }
  assert.equal((await fixtures.listSubscriptions(shop)).body.data.length, 1)
  assert.equal((await fixtures.requests(shop, id)).length, 1)
})

test('a key sent with a different request returns 422', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.subscribe(shop, {}, withKey('k'))).body
  const responses = [
    await fixtures.subscribe(shop, { amount: 101 }, withKey('k')),
    await fixtures.patchSubscription(shop, id, { status: 'paused' }, withKey('k')),
    await fixtures.cancelSubscription(shop, id, withKey('k')),
  ]
  for (const { status, body } of responses) {
    assert.deepEqual([status, body.error], [422, 'idempotency_conflict'])
  }
})

test('fifty parallel requests with one key over two servers create one subscription', async () => {
  const shop = await fixtures.shop()
  const calls = [florin.call, other.call]
  const sent = Array.from({ length: 50 }, (_, at) =>
    fixtures.subscribe(shop, {}, { ...withKey('fifty'), call: calls[at % 2]! }),
  )
  const responses = await Promise.all(sent)
  const counts = tally(responses)
  assert.equal((counts['201'] ?? 0) + (counts['409 idempotency_conflict'] ?? 0), 50)
  const texts = new Set(responses.filter(({ status }) => status === 201).map(({ text }) => text))
  assert.equal(texts.size, 1)
  assert.equal((await fixtures.listSubscriptions(shop)).body.data.length, 1)
  assert.equal((await fixtures.list(shop)).body.data.length, 1)
})

test('errors are not stored: the request is decided again', async () => {
  const shop = await fixtures.shop()
  await fixtures.setStatus(shop, 'suspended')
  assert.equal((await fixtures.subscribe(shop, {}, withKey('later'))).status, 400)
  await fixtures.setStatus(shop, 'active')
  assert.equal((await fixtures.subscribe(shop, {}, withKey('later'))).status, 201)
})

// Payment files: which payouts they contain, and that a payout is in one file only.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { debtor, iban, openPayoutFixtures } from './payout-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPayoutFixtures(florin)
const { token } = fixtures.admin

const fileOf = (id: string) => florin.call('GET', `/v1/payout_exports/${id}/file`, { token })

test('an export contains the approved payouts of all accounts, and a second one none', async () => {
  const shops = [await fixtures.payable(), await fixtures.payable()]
  const ids = [
    (await fixtures.approved(shops[0]!, 120)).id,
    (await fixtures.approved(shops[1]!, 230)).id,
  ]
  const pending = await fixtures.created(await fixtures.payable())
  const execute_on = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const { status, body } = await fixtures.export(fixtures.admin, { execute_on })
  const { id, created_at, ...rest } = body
  assert.deepEqual(
    [status, rest],
    [201, { currency: 'USD', payouts: 2, refunds: 0, amount: 350, created_by: fixtures.admin.id }],
  )
  const read = await florin.call('GET', `/v1/payout_exports/${id}`, { token })
  assert.deepEqual(read.body, body)
  const list = await florin.call('GET', '/v1/payout_exports?limit=1', { token })
  assert.deepEqual(list.body.data, [body])

  const file = await fileOf(id)
  assert.equal(file.headers.get('content-type'), 'application/xml; charset=utf-8')
  assert.match(file.text, /pain\.001\.001\.09/)
  assert.match(file.text, new RegExp(`<MsgId>${id.replace('_', '-')}</MsgId>`))
  assert.match(file.text, /<CtrlSum>3.50<\/CtrlSum>/)
  assert.ok(file.text.includes(execute_on))
  const ends = [...file.text.matchAll(/<EndToEndId>(.*?)<\/EndToEndId>/g)].map(([, end]) => end)
  assert.deepEqual(ends.sort(), ids.map((one) => one.replace('_', '-')).sort())
  assert.deepEqual(
    [file.text.includes(iban), file.text.includes(debtor.iban)],
    [true, true],
    'both bank accounts are in the file',
  )

  const second = await fixtures.export()
  assert.deepEqual([second.status, second.body.error], [409, 'conflict'])
  assert.equal((await fixtures.read(fixtures.admin, pending.id)).body.status, 'pending_approval')
})

test('the text of a transfer ends with its id, which some statements name only there', async () => {
  const shop = await fixtures.payable()
  await fixtures.approved(shop, 1)
  const created = async (reference: string | null) => {
    const body = { amount: 10, reference }
    return (await fixtures.payOut(shop, 10, { body })).body.id.replace('_', '-')
  }
  const references = ['Week 47', 'ä'.repeat(140), null, 'RF18539007547034']
  const ids: string[] = []
  for (const reference of references) ids.push(await created(reference))
  const { body } = await fixtures.export()
  const { text } = await fileOf(body.id)
  const elements = text.matchAll(/<(?:Ustrd|Ref)>(.*?)<\//g)
  const written = [...elements].map(([, one]) => one)
  assert.deepEqual(written.slice(1), [
    `Week 47 ${ids[0]}`,
    `${'ae'.repeat(55)} ${ids[1]}`,
    ids[2],
    'RF18539007547034',
  ])
})

test('of simultaneous exports, each payout is in exactly one', async () => {
  const ids: string[] = []
  for (let count = 0; count < 4; count++) {
    ids.push((await fixtures.approved(await fixtures.payable())).id)
  }
  const exports = await Promise.all(Array.from({ length: 4 }, () => fixtures.export()))
  const done = exports.filter(({ status }) => status === 201)
  assert.ok(done.length > 0)
  assert.ok(exports.every(({ status }) => status === 201 || status === 409))
  assert.equal(
    done.reduce((sum, { body }) => sum + body.payouts, 0),
    ids.length,
  )
})

test('a payout cannot be both canceled and exported', async () => {
  const shop = await fixtures.payable()
  const { id } = await fixtures.approved(shop)
  const [canceled, exported] = await Promise.all([
    fixtures.change(shop, id, 'cancel'),
    fixtures.export(),
  ])
  assert.deepEqual([canceled.status, exported.status].sort(), [
    canceled.status === 200 ? 200 : 201,
    409,
  ])
})

test('payouts of a suspended account wait', async () => {
  const shop = await fixtures.payable()
  const { id } = await fixtures.approved(shop)
  const setStatus = (status: string) =>
    florin.call('PATCH', `/v1/accounts/${shop.account_id}`, { token, body: { status } })
  assert.equal((await setStatus('suspended')).status, 200)
  assert.equal((await fixtures.export()).status, 409)
  assert.equal((await setStatus('active')).status, 200)
  assert.equal((await fixtures.export()).status, 201)
  assert.equal((await fixtures.read(shop, id)).body.status, 'in_transit')
})

test('an export with invalid details changes nothing', async () => {
  const shop = await fixtures.payable()
  const { id } = await fixtures.approved(shop)
  for (const body of [
    { debtor: { ...debtor, iban: 'FR00' } },
    { execute_on: '2026-13-01' },
    { currency: 'XXX' },
    { debtor: undefined },
  ]) {
    const response = await fixtures.export(fixtures.admin, body)
    assert.equal(response.status, 400, response.text)
  }
  assert.equal((await fixtures.read(shop, id)).body.status, 'approved')
})

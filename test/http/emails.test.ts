// GET /v1/emails and GET /v1/emails/{id}, for admins only.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { queueReceipt } from '../email/outbox.ts'
import { Fixtures } from '../permissions/fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const fixtures = new Fixtures(florin)
const admin = await florin.people.admin()

async function uuidOf(name: string): Promise<string> {
  return findUuid('account', (await fixtures.owner(name)).account_id)!
}

function get(path: string, headers: Record<string, string> = {}) {
  return florin.call('GET', path, { token: admin.token, headers })
}

const listedKeys = [
  'id',
  'account_id',
  'kind',
  'state',
  'to',
  'subject',
  'cause',
  'attempts',
  'created_at',
  'sent_at',
  'error',
]

test('returns a stored email with its links', async () => {
  const account_id = await uuidOf('owner')
  const cause = await queueReceipt(florin.db, { account_id, to: 'Ann@example.com' })
  const list = await get('/v1/emails')
  assert.equal(list.status, 200)
  assert.deepEqual([list.body.object, list.body.has_more], ['list', false])
  const [listed] = list.body.data
  assert.deepEqual(Object.keys(listed), listedKeys)
  const { body: email } = await get(`/v1/emails/${listed.id}`)
  const { text, html, ...rest } = email
  assert.deepEqual(rest, listed)
  assert.match(email.id, /^eml_/)
  assert.deepEqual(
    [email.account_id, email.kind, email.state, email.to, email.cause],
    [toTypeId('account', account_id), 'payment_receipt', 'stored', 'Ann@example.com', cause],
  )
  assert.deepEqual([email.attempts, email.sent_at, email.error], [0, null, null])
  assert.equal(email.subject, '[Sandbox] Receipt: $75.00 to Acme Ltd')
  for (const content of [text, html]) assert.match(content, /https:\/\/pay\.example\.com\/pay\/x/)
})

test('pages by cursor in both directions and filters', async () => {
  const account_id = await uuidOf('owner2')
  for (let n = 0; n < 5; n++) {
    await queueReceipt(florin.db, { account_id, to: `walk-${n}@example.com` })
  }
  const header = { 'florin-account': (await fixtures.owner('owner2')).account_id }
  const all = (await get('/v1/emails', header)).body.data
  assert.deepEqual(
    all.map((email: { to: string }) => email.to),
    [4, 3, 2, 1, 0].map((n) => `walk-${n}@example.com`),
  )
  const older = (await get(`/v1/emails?limit=2&starting_after=${all[1].id}`, header)).body
  assert.deepEqual([older.data, older.has_more], [[all[2], all[3]], true])
  // Paging toward newer entries excludes the most recent ones, as in every list across
  // accounts.
  const newer = (await get(`/v1/emails?ending_before=${all[4].id}`, header)).body
  assert.deepEqual(newer.data, [])
  await florin.call('POST', '/v1/sandbox/clock/advance', {
    token: admin.token,
    body: { seconds: 11 },
  })
  const settled = (await get(`/v1/emails?ending_before=${all[4].id}`, header)).body
  assert.deepEqual(settled.data, all.slice(0, 4))

  assert.deepEqual((await get('/v1/emails?to=WALK-3@example.com')).body.data, [all[1]])
  assert.deepEqual((await get('/v1/emails?to=walk%25@example.com')).body.data, [])
  assert.deepEqual((await get('/v1/emails?state=sent')).body.data, [])
  assert.equal((await get('/v1/emails?state=stored', header)).body.data.length, 5)
})

test('filters emails by payment request', async () => {
  const { account_id, token } = await fixtures.owner('owner')
  const request = async () => {
    const body = { account_id, amount: 100, currency: 'USD', customer_email: 'kim@example.com' }
    return (await florin.call('POST', '/v1/payments', { token, body })).body.id as string
  }
  const act = (path: string, body = {}) =>
    florin.call('POST', `/v1/payments/${path}`, { token: admin.token, body })
  const [paid, other] = [await request(), await request()]
  await act(`${paid}/send`)
  await act(`${paid}/settle`, { outcome: 'succeeded' })
  const about = async (id: string, header = {}) => {
    const { body } = await get(`/v1/emails?payment=${id}`, header)
    return body.data.map(({ kind }: { kind: string }) => kind)
  }
  assert.deepEqual(await about(paid), ['payment_receipt', 'payment_request', 'payment_request'])
  assert.deepEqual(await about(other), ['payment_request'])
  const elsewhere = { 'florin-account': (await fixtures.owner('owner2')).account_id }
  assert.deepEqual(await about(paid, elsewhere), [])
  assert.deepEqual(await about(toTypeId('payment', newUuid(Date.now()))), [])
})

test('rejects invalid parameters and unknown cursors', async () => {
  const other = (await get('/v1/emails?to=walk-0@example.com')).body.data[0].id
  const header = { 'florin-account': (await fixtures.owner('owner')).account_id }
  for (const query of [
    'state=lost',
    'to=ann',
    'payment=',
    'payment=txn_x',
    'limit=0',
    'starting_after=eml_x',
    `starting_after=${toTypeId('email', newUuid(Date.now()))}`,
    `starting_after=${other}&ending_before=${other}`,
  ]) {
    const response = await get(`/v1/emails?${query}`)
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], query)
  }
  assert.equal((await get(`/v1/emails?starting_after=${other}`, header)).status, 400)
  const unknown = { 'florin-account': toTypeId('account', newUuid(Date.now())) }
  assert.equal((await get('/v1/emails', unknown)).status, 404)
})

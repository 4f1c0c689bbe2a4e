// Reusable payment links: the API, the page, and the exact count of uses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyDatabase } from '../../src/operations/verify-database.ts'
import type { Difference } from '../../src/postgres/difference.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Customer, cards, hiddenFields } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPaymentFixtures(florin)

function create(shop: Shop, body: object) {
  return florin.call('POST', '/v1/payment_links', { token: shop.token, body })
}

async function created(shop: Shop, body: object) {
  const response = await create(shop, { title: 'Pottery class', ...body })
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function get(shop: Shop, id: string) {
  const response = await florin.call('GET', `/v1/payment_links/${id}`, { token: shop.token })
  assert.equal(response.status, 200, response.text)
  return response.body
}

function patch(shop: Shop, id: string, body: object) {
  return florin.call('PATCH', `/v1/payment_links/${id}`, { token: shop.token, body })
}

const usesOf = async (shop: Shop, id: string) => {
  const { uses, reserved } = await get(shop, id)
  return { uses, reserved }
}

/** A payer without scripts. */
class Payer {
  readonly #path: string

  constructor(url: string) {
    this.#path = url.slice(url.lastIndexOf('/l/'))
  }

  async open(query = '') {
    const response = await fetch(florin.url + this.#path + query)
    const text = await response.text()
    return { status: response.status, text, state: /data-state="(\w+)"/.exec(text)?.[1] }
  }

  async send(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(florin.url + this.#path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    })
    const text = await response.text()
    const state = /data-state="(\w+)"/.exec(text)?.[1]
    return { status: response.status, text, state, location: response.headers.get('location') }
  }

  /** Opens the page and submits its form. */
  async start(fields: Record<string, string> = {}) {
    const { text } = await this.open()
    return this.send({ ...hiddenFields(text), email: 'ann@example.com', ...fields })
  }
}

async function requestsOf(shop: Shop, id: string): Promise<{ id: string; payment_url: string }[]> {
  const response = await fixtures.list(shop, `?payment_link=${id}&limit=100`)
  assert.equal(response.status, 200, response.text)
  return response.body.data
}

test('a payer enters an email address, pays, and the link counts one use', async () => {
  const shop = await fixtures.shop()
  const link = await created(shop, { amount: 7_500, metadata: { course: 'b' } })
  assert.match(link.url, /\/l\/[A-Za-z0-9_-]{16}$/)
  const payer = new Payer(link.url)
  await assertNoChanges(florin.db.pool, async () => {
    const page = await payer.open()
    assert.deepEqual([page.status, page.state], [200, 'link'])
    assert.match(page.text, /Pottery class/)
    assert.match(page.text, /\$75\.00/)
    assert.equal((await payer.start({ email: 'nonsense' })).state, 'link')
  })
  const started = await payer.start()
  assert.equal(started.status, 303, started.text)
  assert.deepEqual(await usesOf(shop, link.id), { uses: 0, reserved: 1 })
  const [request] = await requestsOf(shop, link.id)
  const { body } = await florin.call('GET', `/v1/payment_requests/${request!.id}`, {
    token: shop.token,
  })
  assert.equal(body.payment_link_id, link.id)
  assert.deepEqual(body.metadata, { course: 'b', payment_link: link.id })
  assert.deepEqual([body.reference, body.sends, body.reminder_at], ['Pottery class', 0, null])
  assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 3_600_000)
  const customer = new Customer(florin.url, started.location!)
  assert.equal((await customer.pay(cards.good)).status, 303)
  assert.deepEqual(await usesOf(shop, link.id), { uses: 1, reserved: 0 })
  const emails = await florin.call('GET', `/v1/payments/${request!.id}/emails`, {
    token: shop.token,
  })
  assert.deepEqual(
    emails.body.data.map(({ kind }: { kind: string }) => kind),
    ['payment_receipt'],
  )
})

test('submitting a form twice creates one request, and other content another', async () => {
  const shop = await fixtures.shop()
  const link = await created(shop, { amount: 100, max_uses: 5 })
  const payer = new Payer(link.url)
  const fields = { ...hiddenFields((await payer.open()).text), email: 'ann@example.com' }
  const all = await Promise.all(Array.from({ length: 8 }, () => payer.send(fields)))
  assert.equal(new Set(all.map(({ location }) => location)).size, 1)
  assert.ok(all[0]!.location !== null)
  const other = await payer.send({ ...fields, email: 'bob@example.com' })
  assert.notEqual(other.location, all[0]!.location)
  assert.deepEqual(await usesOf(shop, link.id), { uses: 0, reserved: 2 })
  // After the request has ended unpaid, the form starts another one.
  const [, first] = await requestsOf(shop, link.id)
  await fixtures.cancelPayment(shop, first!.id)
  const again = await payer.send(fields)
  assert.notEqual(again.location, all[0]!.location)
})

test('100 parallel payers of a link with ten uses get exactly ten requests', async () => {
  const shop = await fixtures.shop()
  const link = await created(shop, { amount: 100, max_uses: 10 })
  const payer = new Payer(link.url)
  const fields = hiddenFields((await payer.open()).text)
  const started = await Promise.all(
    Array.from({ length: 100 }, (_, n) => payer.send({ ...fields, email: `p${n}@example.com` })),
  )
  const paid = started.filter(({ status }) => status === 303)
  const others = started.filter(({ status }) => status !== 303)
  assert.equal(paid.length, 10)
  assert.deepEqual([...new Set(others.map(({ state }) => state))], ['link_end'])
  assert.deepEqual(await usesOf(shop, link.id), { uses: 0, reserved: 10 })
  const requests = await requestsOf(shop, link.id)
  assert.equal(requests.length, 10)
  // Four are paid, three canceled and one fails: four uses are left.
  await Promise.all([
    ...requests.slice(0, 4).map(async ({ payment_url }) => {
      assert.equal((await new Customer(florin.url, payment_url).pay(cards.good)).status, 303)
    }),
    ...requests.slice(4, 7).map(({ id }) => fixtures.cancelPayment(shop, id)),
    fixtures.settlePayment(requests[7]!.id, 'failed'),
  ])
  assert.deepEqual(await usesOf(shop, link.id), { uses: 4, reserved: 2 })
  const more = await Promise.all(Array.from({ length: 20 }, () => payer.start()))
  assert.equal(more.filter(({ status }) => status === 303).length, 4)
  assert.deepEqual(await usesOf(shop, link.id), { uses: 4, reserved: 6 })
})

test('an expired request returns its use', async () => {
  const shop = await fixtures.shop()
  const link = await created(shop, { amount: 100, max_uses: 1 })
  const payer = new Payer(link.url)
  assert.equal((await payer.start()).status, 303)
  const full = await payer.open()
  assert.equal(full.state, 'link_end')
  assert.match(full.text, /No payments left at the moment/)
  await florin.call('POST', '/v1/sandbox/clock/advance', {
    token: fixtures.admin.token,
    body: { seconds: 3_601 },
  })
  assert.deepEqual(await usesOf(shop, link.id), { uses: 0, reserved: 0 })
  assert.equal((await payer.start({ email: 'bob@example.com' })).status, 303)
})

test('the payer chooses an amount within the bounds of the link', async () => {
  const shop = await fixtures.shop()
  const bounds = { amount_min: 500, amount_max: 10_000, amount_suggested: 2_000 }
  const link = await created(shop, { title: 'Tip <b>', ...bounds })
  const payer = new Payer(link.url)
  const page = await payer.open()
  assert.match(page.text, /value="20\.00"/)
  assert.match(page.text, /Tip &lt;b&gt;/)
  assert.match(page.text, /From \$5\.00 to \$100\.00\./)
  for (const amount of ['', '4.99', '100.01', '1,000', 'ten']) {
    const refused = await payer.start({ amount })
    assert.deepEqual([refused.status, refused.state], [200, 'link'], amount)
    assert.match(refused.text, /Enter an amount from \$5\.00 to \$100\.00, such as 20\.00\./)
  }
  assert.equal((await payer.start({ amount: '12,5' })).status, 303)
  const [request] = await requestsOf(shop, link.id)
  assert.equal((await fixtures.getPayment(shop, request!.id)).body.amount, 1_250)
  const german = await payer.open('?lang=de')
  assert.match(german.text, /Von 5,00\s\$ bis 100,00\s\$\./)
  assert.match(german.text, /Weiter zur Zahlung/)
})

test('a form of another site or without the token of the page starts nothing', async () => {
  const shop = await fixtures.shop()
  const payer = new Payer((await created(shop, { amount: 100 })).url)
  const fields = { ...hiddenFields((await payer.open()).text), email: 'ann@example.com' }
  await assertNoChanges(florin.db.pool, async () => {
    const cross_site = await payer.send(fields, { 'sec-fetch-site': 'cross-site' })
    assert.deepEqual([cross_site.status, cross_site.state], [403, 'link'])
    for (const missing of [{ form_token: '' }, { form_id: 'short' }]) {
      const refused = await payer.send({ ...fields, ...missing })
      assert.deepEqual([refused.status, refused.state], [403, 'link'])
      assert.match(refused.text, /value="ann@example\.com"/)
    }
  })
})

test('an inactive or expired link, and one of a suspended account, accept nothing', async () => {
  const shop = await fixtures.shop()
  const link = await created(shop, { amount: 100 })
  const payer = new Payer(link.url)
  const started = await payer.start()
  assert.equal((await patch(shop, link.id, { active: false })).body.active, false)
  assert.match((await payer.open()).text, /This payment link has ended/)
  const refused = await payer.start({ email: 'bob@example.com' })
  assert.deepEqual([refused.status, refused.state], [200, 'link_end'])
  // Who has started can still pay.
  assert.equal((await new Customer(florin.url, started.location!).pay(cards.good)).status, 303)
  await patch(shop, link.id, { active: true, max_uses: 1 })
  assert.match((await payer.open()).text, /This payment link has ended/)
  await patch(shop, link.id, { max_uses: null })
  assert.equal((await payer.open()).state, 'link')
  const status = (value: string) =>
    florin.call('PATCH', `/v1/accounts/${shop.account_id}`, {
      token: fixtures.admin.token,
      body: { status: value },
    })
  await status('suspended')
  assert.match((await payer.open()).text, /can(&#39;|')t accept payments right now/)
  await status('active')
  await payer.start({ email: 'bob@example.com' })
  assert.equal((await florin.call('DELETE', '/v1/account', { token: shop.token })).status, 200)
  assert.match((await payer.open()).text, /can(&#39;|')t accept payments right now/)
  assert.equal((await new Payer('/l/0000000000000000').open()).status, 404)
})

test('a date as expiry is the last day in the time zone of the account', async () => {
  const shop = await fixtures.shop()
  const settings = { timezone: 'America/New_York' }
  await florin.call('PATCH', '/v1/account', { token: shop.token, body: { settings } })
  const link = await created(shop, { amount: 500, expires_at: '2040-07-01' })
  assert.equal(link.expires_at, '2040-07-02T03:59:59.000Z')
  const { body } = await patch(shop, link.id, { expires_at: '2040-12-24' })
  assert.equal(body.expires_at, '2040-12-25T04:59:59.000Z')
})

test('the API validates amounts, records events and rejects unknown ids', async () => {
  const shop = await fixtures.shop()
  const bad = [
    {},
    { amount: 100, amount_min: 1 },
    { amount_min: 5 },
    { amount_min: 5, amount_max: 4 },
    { amount_min: 5, amount_max: 9, amount_suggested: 10 },
    { amount: 100, expires_at: '2020-01-01' },
    { amount: 100, max_uses: 0 },
    { amount: 0 },
  ]
  for (const body of bad) {
    const response = await create(shop, { title: 'Tip', ...body })
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'])
  }
  const { id } = await created(shop, { amount: 100 })
  await patch(shop, id, { title: 'Tip', metadata: { a: 1 } })
  assert.deepEqual(await fixtures.eventTypes(shop, 'payment_link.%'), [
    'payment_link.created',
    'payment_link.updated',
  ])
  const listed = await florin.call('GET', '/v1/payment_links', { token: shop.token })
  assert.deepEqual(listed.body.data, [await get(shop, id)])
  const unknown = id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  assert.equal((await patch(shop, unknown, { active: true })).status, 404)
  for (const filter of ['', 'lnk_1', shop.account_id]) {
    const { status, body } = await fixtures.list(shop, `?payment_link=${filter}`)
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
    assert.ok(body.message.endsWith(`must be a payment link id such as "lnk_…"; got "${filter}".`))
  }
})

test('florin verify reports uses that differ from the requests', async () => {
  const shop = await fixtures.shop()
  const { id, url } = await created(shop, { amount: 100 })
  await new Payer(url).start()
  const change = (by: number) =>
    florin.db.pool.query('update link_uses set paid = paid + $2 where link_id = $1', [
      findUuid('payment_link', id),
      by,
    ])
  const differences: Difference[] = []
  await change(1)
  await verifyDatabase(florin.db, { onDifference: (one) => differences.push(one) })
  await change(-1)
  assert.deepEqual(
    differences.map(({ rule, object, found }) => [rule, object, found]),
    [['links_count_their_uses', id, '1 reserved and 1 paid uses']],
  )
})

// The payment page over HTTP: the response of each state, and what is paid.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceOfPayment } from '../../src/bank/creditor-reference.ts'
import { makeFormToken } from '../../src/pages/form-token.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { wait } from '../transactions/due.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { Customer, cards, hiddenFields, type PageResponse, realCard } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin()
const other = await florin.startSecondServer()
const fixtures = await openPaymentFixtures(florin)

async function customerOf(shop: Shop, body: object = {}, url = florin.url) {
  const { id, payment_url } = (await fixtures.createPayment(shop, body)).body
  return { id, payment_url, customer: new Customer(url, payment_url) }
}

function expectPage(page: PageResponse, status: number, state: string): void {
  assert.deepEqual([page.status, page.state], [status, state], page.text.slice(0, 2_000))
}

test('the page shows the request, and opening it changes nothing', async () => {
  const shop = await fixtures.shop()
  const { customer } = await customerOf(shop, { amount: 7_500, reference: 'Invoice 114' })
  await assertNoChanges(florin.db.pool, async () => {
    const page = await customer.open()
    expectPage(page, 200, 'form')
    assert.match(page.text, /Acme Ltd/)
    assert.match(page.text, /75\.00/)
    assert.match(page.text, /Invoice 114/)
    const head = await customer.open('HEAD')
    assert.deepEqual([head.status, head.text], [200, ''])
  })
})

test('a good card pays, and the page shows the receipt', async () => {
  const shop = await fixtures.shop()
  const { id, customer } = await customerOf(shop, { amount: 4_200 })
  const sent = await customer.pay(cards.good)
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, customer.path])
  const page = await customer.open()
  expectPage(page, 200, 'paid')
  const { status, transaction_id } = (await fixtures.getPayment(shop, id)).body
  assert.equal(status, 'succeeded')
  assert.ok(page.text.includes(transaction_id))
  assert.equal((await fixtures.balance(shop)).available, 4_200)
})

test('selecting a test card pays without expiry and security code', async () => {
  const { customer } = await customerOf(await fixtures.shop())
  const { form_token } = hiddenFields((await customer.open()).text)
  const fields = { form_token: form_token!, card: '4242424242424242' }
  assert.equal((await customer.send(fields)).status, 303)
})

test('declined cards show the form again and are counted', async () => {
  const shop = await fixtures.shop()
  const { id, customer } = await customerOf(shop)
  expectPage(await customer.pay(cards.declined), 200, 'form')
  const poor = await customer.pay(cards.poor)
  expectPage(poor, 200, 'form')
  assert.ok(!poor.text.includes('9995') || !poor.text.includes('value="4000 0000 0000 9995"'))
  const text = 'select declines from payment_requests where account_id = $1'
  assert.equal((await florin.db.pool.query(text, [shop.uuid])).rows[0].declines, 2)
  for (let more = 3; more < 10; more++) expectPage(await customer.pay(cards.declined), 200, 'form')
  expectPage(await customer.pay(cards.declined), 200, 'failed')
  expectPage(await customer.open(), 200, 'failed')
  assert.equal((await fixtures.getPayment(shop, id)).body.status, 'failed')
  const { body } = await fixtures.attempts(shop, id)
  assert.deepEqual([body.object, body.has_more, body.data.length], ['list', false, 10])
  const [newest] = body.data
  const second = body.data.at(-2)
  assert.deepEqual(newest, {
    number: 10,
    created_at: newest.created_at,
    outcome: 'declined',
    decline_code: 'card_declined',
    card: { brand: 'visa', last4: '0002' },
  })
  assert.deepEqual([second.decline_code, second.card.last4], ['insufficient_funds', '9995'])
  const { rows } = await florin.db.pool.query('select * from payment_attempts')
  assert.doesNotMatch(JSON.stringify(rows), /40000000|4000 0000/)
})

test('the card that pays is stored as the last attempt', async () => {
  const shop = await fixtures.shop()
  const { id, customer } = await customerOf(shop)
  assert.deepEqual((await fixtures.attempts(shop, id)).body.data, [])
  await customer.pay(cards.declined)
  await customer.pay(cards.good)
  const { data } = (await fixtures.attempts(shop, id)).body
  assert.deepEqual(
    data.map(({ number, outcome, decline_code, card }: Record<string, { last4: string }>) => [
      number,
      outcome,
      decline_code,
      card!.last4,
    ]),
    [
      [2, 'succeeded', null, '4242'],
      [1, 'declined', 'card_declined', '0002'],
    ],
  )
  assert.equal(data[0].created_at, (await fixtures.getPayment(shop, id)).body.updated_at)
})

test('real cards and invalid forms change nothing', async () => {
  const { customer } = await customerOf(await fixtures.shop())
  await assertNoChanges(florin.db.pool, async () => {
    const card = realCard()
    const refused = await customer.pay(card)
    expectPage(refused, 200, 'form')
    assert.ok(!refused.text.includes(card), 'the number is not returned')
    for (const fault of [{ number: '' }, { number: '12' }, { expires: '13/80' }, { csc: 'x' }]) {
      const page = await customer.pay(cards.good, fault)
      expectPage(page, 200, 'form')
      assert.match(page.text, /aria-invalid="true"/)
      assert.ok(!page.text.includes('value="4242 4242'), 'the number is not returned')
    }
    expectPage(await customer.pay(cards.good, { expires: '01 / 20' }), 200, 'form')
  })
})

test('cross-site requests and invalid form tokens return 403', async () => {
  const { customer, payment_url } = await customerOf(await fixtures.shop())
  const hidden = hiddenFields((await customer.open()).text)
  const card = { number: cards.good, expires: '12 / 80', csc: '123' }
  const link_token = payment_url.split('/').at(-1)!
  const old = makeFormToken(link_token, Date.now() - 25 * 3_600_000)
  await assertNoChanges(florin.db.pool, async () => {
    for (const site of ['cross-site', 'same-site', 'nonsense']) {
      const sent = await customer.send({ ...hidden, ...card }, { 'sec-fetch-site': site })
      expectPage(sent, 403, 'form')
    }
    for (const form_token of ['', 'x', old, makeFormToken('another', Date.now())]) {
      expectPage(await customer.send({ form_token, ...card }), 403, 'form')
    }
    expectPage(await customer.send(card, { 'sec-fetch-site': 'none' }), 403, 'form')
  })
  // With referrer policy no-referrer, browsers send this origin; it must be accepted.
  const origin = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  assert.equal((await customer.send(card, origin)).status, 303)
})

test('a form as JSON returns 415', async () => {
  const { customer } = await customerOf(await fixtures.shop())
  const response = await florin.call('POST', customer.path, { body: { number: cards.good } })
  assert.equal(response.status, 415)
})

test('GET and POST of an ended request show its state', async () => {
  const shop = await fixtures.shop()
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['canceled', (id) => fixtures.cancelPayment(shop, id)],
    ['failed', (id) => fixtures.settlePayment(id, 'failed')],
    ['expired', () => wait(florin, 31 * 86_400)],
  ]
  for (const [state, end] of ends) {
    const { id, customer } = await customerOf(shop)
    const hidden = hiddenFields((await customer.open()).text)
    await end(id)
    expectPage(await customer.open(), 200, state)
    const card = { number: cards.good, expires: '12 / 99', csc: '123' }
    expectPage(await customer.send({ ...hidden, ...card }), 200, state)
  }
  assert.equal(await fixtures.count(shop), 0)
})

test('a request settled as failed does not mention declined cards', async () => {
  const shop = await fixtures.shop()
  const { id, customer } = await customerOf(shop)
  await fixtures.settlePayment(id, 'failed')
  const { text } = await customer.open()
  assert.match(text, /It can no longer be paid\./)
  assert.doesNotMatch(text, /declined/)
})

test('an expired request stays expired after the worker cancels it', async () => {
  const { customer } = await customerOf(await fixtures.shop())
  const { token } = fixtures.admin
  const body = { seconds: 31 * 86_400 }
  await florin.call('POST', '/v1/sandbox/clock/advance', { token, body })
  expectPage(await customer.open(), 200, 'expired')
})

test('paying a paid request shows the receipt and charges nothing', async () => {
  const shop = await fixtures.shop()
  const { customer } = await customerOf(shop)
  const hidden = hiddenFields((await customer.open()).text)
  await customer.pay(cards.good)
  const again = { ...hidden, number: cards.good, expires: '12 / 99', csc: '123' }
  expectPage(await customer.send(again), 200, 'already_paid')
  assert.equal((await fixtures.balance(shop)).available, 100)
})

test('fifty parallel payments over two servers pay once', async () => {
  const shop = await fixtures.shop()
  const { payment_url } = await customerOf(shop)
  const tabs = Array.from({ length: 50 }, (_, at) => {
    return new Customer([florin.url, other.url][at % 2]!, payment_url)
  })
  const hidden = hiddenFields((await tabs[0]!.open()).text)
  const card = { ...hidden, number: cards.good, expires: '12 / 99', csc: '123' }
  const pages = await Promise.all(tabs.map((tab) => tab.send(card)))
  assert.equal(pages.filter(({ status }) => status === 303).length, 1)
  assert.equal(pages.filter(({ state }) => state === 'already_paid').length, 49)
  assert.equal((await fixtures.balance(shop)).available, 100)
  assert.equal(await fixtures.count(shop), 1)
})

for (const status of ['suspended', 'pending']) {
  test(`the page of a ${status} account accepts no payments`, async () => {
    const shop = await fixtures.shop()
    const { customer } = await customerOf(shop)
    const hidden = hiddenFields((await customer.open()).text)
    const { token } = fixtures.admin
    const body = { status }
    await florin.call('PATCH', `/v1/accounts/${shop.account_id}`, { token, body })
    expectPage(await customer.open(), 200, 'unavailable')
    const card = { ...hidden, number: cards.good, expires: '12 / 99', csc: '123' }
    expectPage(await customer.send(card), 200, 'unavailable')
    assert.equal(await fixtures.count(shop), 0)
  })
}

test('an unknown link returns 404 in the language of the browser', async () => {
  for (const token of ['x', 'a'.repeat(43), '%00', `${'a'.repeat(43)}/`, '..%2f']) {
    const unknown = new Customer(florin.url, `/pay/${token}`)
    const page = await unknown.open('GET', { 'accept-language': 'de-CH,de;q=0.9' })
    assert.equal(page.status, 404)
    assert.equal((await unknown.send({ number: cards.good })).status, 404)
  }
  // The first supported language, not the first in the header.
  for (const languages of ['de', 'pl, de;q=0.8']) {
    const headers = { 'accept-language': languages }
    const page = await new Customer(florin.url, '/pay/x').open('GET', headers)
    expectPage(page, 404, 'not_found')
    assert.match(page.text, /<html lang="de"/, languages)
  }
})

test('a customer can choose the language of the page', async () => {
  const shop = await fixtures.shop()
  const body = { settings: { language: 'de-CH' } }
  await florin.call('PATCH', '/v1/account', { token: shop.token, body })
  const { customer } = await customerOf(shop)
  const shownIn = async (query: string) => {
    const page = await new Customer(florin.url, customer.path + query).open()
    expectPage(page, 200, 'form')
    return [/<html lang="(..)"/.exec(page.text)![1], /action="([^"]+)"/.exec(page.text)![1]]
  }
  // Unsupported languages are ignored and do not appear in URLs.
  for (const query of [
    '',
    '?lang=pl',
    '?lang=toString',
    '?lang=',
    '?lang=fr&lang=es',
    '?lang=FR',
  ]) {
    assert.deepEqual(await shownIn(query), ['de', customer.path], query)
  }
  const french = new Customer(florin.url, `${customer.path}?lang=fr`)
  assert.deepEqual(await shownIn('?lang=fr'), ['fr', french.path])
  const { text } = await french.open()
  const nav = /<nav [\s\S]*<\/nav>/.exec(text)![0]
  assert.match(nav, /<span lang="fr" aria-current="true">Français<\/span>/)
  const links = nav.matchAll(/href="([^"]+)"/g).map(([, href]) => href!)
  const others = ['en', 'de', 'es', 'ja', 'pt'].map((lang) => `${customer.path}?lang=${lang}`)
  assert.deepEqual([...links], others)
  // Choosing the account's language keeps its region for amounts.
  const german = await new Customer(florin.url, `${customer.path}?lang=de`).open()
  const button = /id="pay">([^<]+)</
  assert.equal(button.exec(german.text)![1], button.exec((await customer.open()).text)![1])
  expectPage(await french.pay(cards.declined), 200, 'form')
  const paid = await french.pay(cards.good)
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, french.path])
  const receipt = await french.open()
  expectPage(receipt, 200, 'paid')
  assert.match(receipt.text, /<html lang="fr"/)
  const disconnected = await florin.startSecondServer({}, { host: '/nowhere' })
  const away = await new Customer(disconnected.url, french.path).open('GET', {
    'accept-language': 'es',
  })
  expectPage(away, 503, 'away')
  assert.match(away.text, /<html lang="fr"/)
  assert.ok(away.text.includes(`href="${french.path}"`), away.text)
})

test('the language is that of the link, the browser, or the account, in this order', async () => {
  const shop = await fixtures.shop()
  const body = { settings: { language: 'de-CH' } }
  await florin.call('PATCH', '/v1/account', { token: shop.token, body })
  const { customer } = await customerOf(shop, { amount: 123_456 })
  const shownIn = async (query: string, accept_language: string) => {
    const link = new Customer(florin.url, customer.path + query)
    const { text } = await link.open('GET', { 'accept-language': accept_language })
    const button = /id="pay">([^<]+)</.exec(text)![1]!
    return [/<html lang="(..)"/.exec(text)![1], button.replaceAll(/[\u00a0\u202f]/g, ' ')]
  }
  assert.deepEqual(await shownIn('?lang=es', 'fr'), ['es', 'Pagar 1234,56 US$'])
  assert.deepEqual(await shownIn('', 'fr'), ['fr', 'Payer 1 234,56 $US'])
  assert.deepEqual(await shownIn('', 'pl, en-GB;q=0.9, fr;q=0.8'), ['en', 'Pay US$1,234.56'])
  assert.deepEqual(await shownIn('?lang=pl', 'ja'), ['ja', '$1,234.56 を支払う'])
  // The region of the account formats the amounts if its language is the browser's.
  const swiss = ['de', '$ 1&#39;234.56 zahlen']
  for (const unsupported of ['pl', '*', '', 'x'.repeat(300), 'de-DE']) {
    assert.deepEqual(await shownIn('', unsupported), swiss, unsupported)
  }
  const paid = await customer.pay(cards.good)
  assert.equal(paid.headers.get('location'), customer.path)
})

test('with the manual processor the page shows instructions and accepts no card', async () => {
  const manual = await florin.startSecondServer({
    FLORIN_PROCESSOR: 'manual',
    FLORIN_PAYMENT_INSTRUCTIONS: 'Transfer to <b>DE02</b>',
  })
  const shop = await fixtures.shop()
  const { id, customer } = await customerOf(shop, {}, manual.url)
  const page = await customer.open()
  expectPage(page, 200, 'manual')
  assert.match(page.text, /Transfer to &lt;b&gt;DE02/)
  const code = referenceOfPayment(findUuid('payment', id)!)
  assert.ok(page.text.includes(`data-copy="${code}"`), 'the code for the transfer')
  assert.ok(!page.text.includes(id), 'an id of 30 characters')
  expectPage(
    await customer.send({ number: cards.good, expires: '12/99', csc: '123' }),
    200,
    'manual',
  )
  assert.equal((await fixtures.settlePayment(id)).body.status, 'succeeded')
  expectPage(await customer.open(), 200, 'paid')
})

test('without instructions the page refers to the account, in its language', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const cases = [
    ['en', 'Ask \u2068Acme Ltd\u2069 how to pay.'],
    ['de-AT', 'Fragen Sie \u2068Acme Ltd\u2069, wie Sie zahlen können.'],
    ['ja', 'お支払い方法については \u2068Acme Ltd\u2069 にお問い合わせください。'],
    ['pl', 'Ask \u2068Acme Ltd\u2069 how to pay.'],
  ] as const
  for (const [language, sentence] of cases) {
    const shop = await fixtures.shop()
    const body = { settings: { language } }
    await florin.call('PATCH', '/v1/account', { token: shop.token, body })
    const { customer } = await customerOf(shop, {}, manual.url)
    const page = await customer.open()
    expectPage(page, 200, 'manual')
    assert.ok(page.text.includes(`>${sentence}</p>`), page.text)
  }
})

test('without a database the page shows an outage with a link to retry', async () => {
  const disconnected = await florin.startSecondServer({}, { host: '/nowhere' })
  const { customer } = await customerOf(await fixtures.shop(), {}, disconnected.url)
  const page = await customer.open()
  expectPage(page, 503, 'away')
  assert.match(page.headers.get('retry-after') ?? '', /^\d+$/)
  const sent = await customer.send({ number: cards.good })
  expectPage(sent, 503, 'away')
  // A link, because reloading after a POST would submit the form again.
  for (const { text } of [page, sent]) {
    assert.ok(text.includes(`<a class="primary" href="${customer.path}">Try again</a>`), text)
  }
})

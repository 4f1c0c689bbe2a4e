// The payment page in a real browser, from the link in the email to the receipt.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { cards, realCard } from './customer.ts'
import { openPaymentFixtures } from './payment-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPaymentFixtures(florin)

interface PaymentLink {
  shop: Shop
  id: string
  link: string
}

async function createLink(body: object = {}): Promise<PaymentLink> {
  const shop = await fixtures.shop()
  const payment = (await fixtures.createPayment(shop, body)).body
  const path = new URL(payment.payment_url).pathname
  return { shop, id: payment.id, link: florin.url + path }
}

async function fill(page: Page, number: string): Promise<void> {
  await page.fill('[autocomplete="cc-number"]', number)
  await page.fill('[autocomplete="cc-exp"]', '12 / 80')
  await page.fill('[autocomplete="cc-csc"]', '123')
}

function payButton(page: Page) {
  return page.locator('form').first().locator('button').first()
}

async function stateOf(page: Page): Promise<string | null> {
  return page.locator('body').getAttribute('data-state')
}

async function balanceOf(shop: Shop): Promise<number> {
  const response = await florin.call('GET', '/v1/account/balance', { token: shop.token })
  return response.body.available
}

test('after a declined card, a good card pays once and shows a receipt', {
  skip: no_browser,
}, async () => {
  const { shop, id, link } = await createLink({ amount: 7_500, reference: 'Invoice 114' })
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  await page.goto(link)
  await fill(page, cards.declined)
  await Promise.all([page.waitForEvent('load'), payButton(page).click()])
  assert.equal(await stateOf(page), 'form')
  await eventually(() => page.locator('[role=alert]').innerText(), /declined/i)
  await eventually(
    () => page.inputValue('[autocomplete="cc-number"]'),
    '',
    'the card number is not returned',
  )
  assert.deepEqual(await axeViolations(page), [])
  await fill(page, cards.good)
  await Promise.all([page.waitForEvent('load'), payButton(page).click()])
  assert.equal(await stateOf(page), 'paid')
  assert.deepEqual(await axeViolations(page), [])
  const { status, transaction_id } = (await fixtures.getPayment(shop, id)).body
  assert.equal(status, 'succeeded')
  await eventually(() => page.locator('main').innerText(), new RegExp(transaction_id))
  assert.equal(await balanceOf(shop), 7_500)
})

test('a double click pays once', { skip: no_browser }, async () => {
  const { shop, link } = await createLink({ amount: 300 })
  const page = await openPage()
  await page.goto(link)
  await fill(page, cards.good)
  await payButton(page).dblclick({ noWaitAfter: true })
  await page.locator('body[data-state=paid]').waitFor()
  assert.equal(await balanceOf(shop), 300)
})

test('of two tabs, one pays and the other shows the paid state', { skip: no_browser }, async () => {
  const { shop, link } = await createLink({ amount: 400 })
  const [one, two] = [await openPage(), await openPage()]
  for (const page of [one, two]) {
    await page.goto(link)
    await fill(page, cards.good)
  }
  await Promise.all([one.waitForEvent('load'), payButton(one).click()])
  await Promise.all([two.waitForEvent('load'), payButton(two).click()])
  assert.equal(await stateOf(one), 'paid')
  assert.match((await stateOf(two))!, /^(already_)?paid$/)
  assert.equal(await balanceOf(shop), 400)
})

test('the form works without JavaScript', { skip: no_browser }, async () => {
  const { shop, link } = await createLink({ amount: 500 })
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(link)
  await fill(page, cards.good)
  await payButton(page).click()
  await page.locator('body[data-state=paid]').waitFor()
  assert.equal(await balanceOf(shop), 500)
})

test('the form keeps its input while offline and pays when online', {
  skip: no_browser,
}, async (t) => {
  const { shop, link } = await createLink({ amount: 600 })
  const page = await openPage()
  await page.goto(link)
  if (!(await page.evaluate('navigator.onLine'))) return t.skip('this machine is always offline')
  await fill(page, cards.good)
  await page.context().setOffline(true)
  await payButton(page).click()
  assert.equal(await stateOf(page), 'form')
  assert.notEqual(await page.inputValue('[autocomplete="cc-csc"]'), '', 'the input is still there')
  assert.equal(await balanceOf(shop), 0)
  await page.context().setOffline(false)
  await Promise.all([page.waitForEvent('load'), payButton(page).click()])
  assert.equal(await stateOf(page), 'paid')
  assert.equal(await balanceOf(shop), 600)
})

test('the number of a real card never leaves the browser', { skip: no_browser }, async () => {
  const { link } = await createLink()
  const page = await openPage()
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  await page.goto(link)
  await assertNoChanges(florin.db.pool, async () => {
    await fill(page, realCard())
    await payButton(page).click()
    assert.equal(await stateOf(page), 'form')
  })
  assert.deepEqual(sent, [])
})

// Forty XSS payloads: tags, attributes and URLs, after sequences that close a tag, an attribute, a
// comment, a script or a title.
const openings = ['', '"', "'", '"><', "'><", '</title>', '</script>', '--><', ']]><', '\u2028']
const payloads = [
  '<script>window.hit=1</script>',
  '<img src=x onerror=window.hit=1>',
  '<svg/onload=window.hit=1>',
  'javascript:window.hit=1',
]
const scripts = openings.flatMap((open) => payloads.map((payload) => open + payload))

test('forty XSS payloads in name, reference and metadata do not run', {
  skip: no_browser,
}, async () => {
  assert.equal(scripts.length, 40)
  const page = await openPage()
  const alarms: string[] = []
  page.on('dialog', (dialog) => void alarms.push(dialog.message()))
  for (const script of scripts) {
    const clean = script.replaceAll('\u2028', ' ')
    const { shop, link } = await createLink({ reference: clean, metadata: { note: script } })
    const named = await florin.call('PATCH', '/v1/account', {
      token: shop.token,
      body: { name: clean },
    })
    assert.equal(named.status, 200, named.text)
    await page.goto(link)
    await eventually(() => page.evaluate('window.hit'), undefined, script)
    assert.ok((await page.locator('main').innerText()).length > 0)
  }
  assert.deepEqual(alarms, [])
})

// Layout and accessibility of the payment page in every state, width and theme.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PaymentView } from '../../src/pages/payment-view.ts'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { page_variants } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { servePaymentPages } from '../support/payment-server.ts'
import { paymentViews, transferView, wide_facts } from '../support/payment-views.ts'

const server = await servePaymentPages()
after(() => server.close())

for (const [name, view] of paymentViews) server.show(`/${name}`, view)

for (const { colorScheme, width, share } of page_variants) {
  test(`axe finds no violations at ${width} px, ${colorScheme}`, { skip: no_browser }, async () => {
    const page = await openPage({ viewport: { width, height: 844 }, colorScheme })
    for (const name of share([...paymentViews.keys()])) {
      await page.goto(`${server.url}/${name}`)
      assert.deepEqual(await axeViolations(page), [], name)
    }
    await page.context().close()
  })
}

const is_long = Boolean(process.env.FLORIN_LONG)
// One width per layout, the narrowest of each.
const widths = is_long ? [320, 360, 390, 481, 761, 1280] : [320, 481, 761]

test('no page scrolls horizontally, whatever the content', { skip: no_browser }, async () => {
  const page = await openPage()
  for (const [name, view] of extremeViews()) {
    server.show('/extreme', view)
    await page.goto(`${server.url}/extreme`)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      assert.equal(wide, width, `${name} at ${width}`)
    }
  }
})

/** Every view with the widest text, and with one other extreme. FLORIN_LONG tests all. */
function* extremeViews(): Generator<[name: string, view: PaymentView]> {
  const others = [
    { language: 'de', currency: 'IDR', amount: 999_999_999_999 },
    { language: 'fr', account_name: 'متجر الزهور', reference: 'فاتورة رقم 114' },
    { language: 'ja', currency: 'CLF', amount: 999_999_999_999 },
  ]
  for (const [at, [name, view]] of [...paymentViews].entries()) {
    const extremes = [wide_facts, ...(is_long ? others : [others[at % others.length]!])]
    for (const facts of extremes) yield [name, { ...view, ...facts } as PaymentView]
  }
}

test('touch targets are at least 44 px high', { skip: no_browser }, async () => {
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  const with_return = ['form-with-return', 'paid-with-return', 'expired-with-return']
  for (const name of ['form', 'confirm', 'manual', 'paid', 'away', ...with_return]) {
    await page.goto(`${server.url}/${name}`)
    const targets = page.locator(':is(main, footer) :is(button, a, input):visible')
    for (const target of await targets.all()) {
      assert.ok(
        (await target.boundingBox())!.height >= 44,
        `${await target.innerText()} in ${name}`,
      )
    }
  }
})

test('the receipt prints black on white without buttons', { skip: no_browser }, async () => {
  const page = await openPage({ colorScheme: 'dark' })
  await page.goto(`${server.url}/paid-with-return`)
  await eventually(() => page.locator('#print').isVisible(), true)
  await page.emulateMedia({ media: 'print' })
  // Only the email address of the account stays.
  await eventually(
    () => page.locator(':is(button, a):visible').allInnerTexts(),
    ['billing@acme.example'],
  )
  const colors = await page.evaluate(
    '[document.body, document.querySelector(".card")]' +
      '.map((one) => [getComputedStyle(one).color, getComputedStyle(one).boxShadow].join())',
  )
  assert.deepEqual(colors, ['rgb(0, 0, 0),none', 'rgb(0, 0, 0),none'])
  for (const text of ['$75.00', 'Acme Ltd', 'Invoice 2026-114', '4f0e8a6b2c11', 'Sandbox']) {
    assert.ok((await page.locator('body').innerText()).includes(text), text)
  }
  assert.ok((await page.pdf({ format: 'A4' })).length > 1_000)
})

test('amounts do not wrap', { skip: no_browser }, async () => {
  const page = await openPage({ viewport: { width: 320, height: 700 } })
  const amounts = [
    ['en', 'USD', 999_999_999_999],
    ['de', 'IDR', 999_999_999_999],
    ['fr', 'CHF', 12_345_678_900],
    ['ja', 'JPY', 999_999_999_999],
    ['en', 'KWD', 999_999_999_999],
  ] as const
  for (const [language, currency, amount] of amounts) {
    const view = { ...paymentViews.get('form')!, language, currency, amount } as PaymentView
    server.show('/amount', view)
    await page.goto(`${server.url}/amount`)
    const lines = await page.evaluate(`{
      const range = document.createRange()
      range.selectNode(document.querySelector('.amount').firstChild)
      range.getClientRects().length
    }`)
    assert.equal(lines, 1, `${amount} ${currency} in ${language}`)
  }
})

test('the transfer code does not wrap', { skip: no_browser }, async () => {
  const page = await openPage()
  for (const language of ['de', 'en', 'ja']) {
    server.show('/transfer', transferView(language))
    await page.goto(`${server.url}/transfer`)
    for (const width of [320, 360, 390, 760, 800, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const lines = await page.evaluate(`{
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('.quoted'))
        range.getClientRects().length
      }`)
      assert.equal(lines, 1, `${language} at ${width}`)
    }
  }
})

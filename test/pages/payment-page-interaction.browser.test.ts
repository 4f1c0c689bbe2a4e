// Using the payment page: by keyboard, without scripts, offline, with repeated clicks.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { epcQrText } from '../../src/bank/epc-qr.ts'
import type { PaymentView } from '../../src/pages/payment-view.ts'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { servePaymentPages } from '../support/payment-server.ts'
import {
  formView,
  page_path,
  paymentViews,
  transfer_code,
  transferView,
} from '../support/payment-views.ts'
import { until } from '../support/until.ts'

const server = await servePaymentPages()
after(() => server.close())

const card = { number: '4242 4242 4242 4242', expires: '12 / 29', csc: '123' }
const no_script = { javaScriptEnabled: false }

// The largest QR code that the page can show.
const wide_transfer = {
  name: 'Ä'.repeat(70),
  iban: 'MT84MALT011000012345MTLCAST001S',
  bic: 'MALTMTMTXXX',
  amount: 99_999_999_999,
  currency: 'EUR',
}

/** Opens the form and records submissions. Each submission gets the named view in response. */
async function openForm(response: string, options = {}) {
  const sent: Record<string, string>[] = []
  server.show(page_path, formView())
  server.onForm((fields) => {
    sent.push(fields)
    return paymentViews.get(response)
  })
  const page = await openPage(options)
  await page.goto(server.url + page_path)
  return { page, sent }
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [id, text] of Object.entries(fields)) await page.fill(`#${id}`, text)
}

function stateOf(page: Page): Promise<string | null> {
  return page.getAttribute('body', 'data-state')
}

const focused = '(document.activeElement.id || document.activeElement.tagName)'

test('pays by keyboard alone', { skip: no_browser }, async () => {
  const { page, sent } = await openForm('paid')
  await page.keyboard.press('Tab')
  await eventually(() => page.evaluate(focused), 'number')
  await page.keyboard.type('4242424242424242')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1229')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Tab')
  await eventually(() => page.evaluate(focused), 'pay')
  await page.keyboard.press('Enter')
  await page.waitForSelector('body[data-state="paid"]')
  assert.deepEqual(sent, [{ ...card, form_token: 'token-of-the-form' }])
})

test('without scripts, the form and the test card buttons submit a payment', {
  skip: no_browser,
}, async () => {
  const { page, sent } = await openForm('paid', no_script)
  await fill(page, card)
  await page.click('#pay')
  assert.equal(await stateOf(page), 'paid')
  assert.ok(await page.locator('#print').isHidden())
  await page.goto(server.url + page_path)
  await page.click('text=Declined')
  assert.deepEqual(sent, [
    { ...card, form_token: 'token-of-the-form' },
    { card: '4000000000000002', form_token: 'token-of-the-form' },
  ])
})

test('with scripts, a test card button fills the form', { skip: no_browser }, async () => {
  const { page, sent } = await openForm('form-declined')
  await page.click('text=Declined')
  await eventually(() => page.evaluate(focused), 'pay')
  assert.equal(sent.length, 0)
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=The card was declined.')
  assert.equal(sent.at(-1)?.number, '4000 0000 0000 0002')
})

test('the error has the focus, with and without scripts', { skip: no_browser }, async () => {
  for (const options of [{}, no_script]) {
    for (const [response, id] of [
      ['form-declined', 'notice'],
      ['form-malformed', 'number'],
    ] as const) {
      const { page } = await openForm(response, options)
      await fill(page, card)
      await page.click('#pay')
      await page.waitForSelector('[autofocus]')
      const focused_element = page.locator(`#${id}:focus`)
      await focused_element.waitFor({ timeout: 5_000 })
    }
  }
})

test('does not submit a card that is not a test card', { skip: no_browser }, async () => {
  const { page, sent } = await openForm('paid')
  await fill(page, { ...card, number: '5555 5555 5555 4444' })
  await page.click('#pay')
  await page.waitForSelector('text=This is not a test card.')
  await eventually(() => page.evaluate(focused), 'notice')
  assert.deepEqual(await axeViolations(page), [])
  await fill(page, { number: '4242', expires: '13 / 29', csc: '' })
  await page.click('#pay')
  await eventually(() => page.evaluate(focused), 'number')
  await eventually(
    () => page.locator('.fault:visible').allInnerTexts(),
    [
      'Check the card number. It has 12 to 19 digits.',
      'Enter the month and year, such as 04 / 29.',
      'Enter the security code.',
    ],
  )
  assert.deepEqual(await axeViolations(page), [])
  assert.equal(sent.length, 0)
})

test('repeated clicks submit the form once, and going back re-enables it', {
  skip: no_browser,
}, async () => {
  const { page, sent } = await openForm('never')
  await fill(page, card)
  // In one script: Playwright blocks while the page waits for the response.
  const pressed = await page.evaluate(`{
    const form = document.querySelector('#card-form')
    const button = form.querySelector('#pay')
    let submits = 0
    form.addEventListener('submit', (event) => { if (!event.defaultPrevented) submits++ })
    for (let n = 0; n < 3; n++) button.click()
    form.requestSubmit()
    const pressed = [submits, button.disabled, button.textContent]
    window.dispatchEvent(new Event('pageshow'))
    ;[...pressed, button.disabled, button.textContent]
  }`)
  assert.deepEqual(pressed, [1, true, 'Processing…', false, 'Pay $75.00'])
  // Closed earlier, the page could still submit the form, to the next test.
  await until(() => sent.length > 0, 'no form was submitted')
  await page.close()
  assert.equal(sent.length, 1)
})

test('offline, shows a notice, submits nothing and preserves the input', {
  skip: no_browser,
}, async (t) => {
  const { page, sent } = await openForm('paid')
  if (!(await page.evaluate('navigator.onLine'))) return t.skip('this machine is always offline')
  await fill(page, card)
  await page.context().setOffline(true)
  await page.waitForSelector('text=You are offline.')
  await page.click('#pay')
  await eventually(() => page.evaluate(focused), 'notice')
  await eventually(() => page.inputValue('#number'), card.number)
  assert.equal(sent.length, 0)
  await page.context().setOffline(false)
  await page.waitForSelector('#notice', { state: 'hidden' })
  await page.click('#pay')
  await page.waitForSelector('body[data-state="paid"]')
  assert.equal(sent.length, 1)
})

test('formats digits as they are typed', { skip: no_browser }, async () => {
  const { page } = await openForm('paid')
  const typed = async (id: string, text: string) => {
    await page.fill(`#${id}`, '')
    await page.locator(`#${id}`).pressSequentially(text)
    return page.inputValue(`#${id}`)
  }
  assert.equal(await typed('number', '4000000000009995'), '4000 0000 0000 9995')
  assert.equal(await typed('number', '４２４２x4242-4'), '4242 4242 4')
  assert.equal(await typed('expires', '429'), '04 / 29')
  assert.equal(await typed('expires', '12/29'), '12 / 29')
  await page.fill('#expires', '12/2029')
  await eventually(() => page.inputValue('#expires'), '12 / 29')
  await page.locator('#expires').press('Backspace')
  await page.locator('#expires').press('Backspace')
  await page.locator('#expires').press('Backspace')
  await eventually(() => page.inputValue('#expires'), '12 /')
})

test('polls a processing payment until it is paid', { skip: no_browser }, async () => {
  for (const options of [{}, no_script]) {
    server.show(page_path, paymentViews.get('processing')!)
    const page = await openPage(options)
    await page.goto(server.url + page_path)
    assert.equal(await stateOf(page), 'processing')
    server.show(page_path, paymentViews.get('paid')!)
    await page.waitForSelector('body[data-state="paid"]', { timeout: 10_000 })
  }
})

test('the copy button copies the transfer code and confirms it', { skip: no_browser }, async () => {
  server.show('/manual', transferView('de'))
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${server.url}/manual`)
  await page.click('text=Code kopieren')
  await page.waitForSelector('text=Kopiert')
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), transfer_code)
  assert.deepEqual(await axeViolations(page), [])
})

test('each part of the bank account is copied in electronic form', {
  skip: no_browser,
}, async () => {
  server.show('/bank', paymentViews.get('bank-transfer')!)
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${server.url}/bank`)
  for (const [name, text] of [
    ['Copy Recipient', 'Acme Payments GmbH'],
    ['Copy IBAN', 'DE89370400440532013000'],
    ['Copy Transfer code', transfer_code],
  ] as const) {
    await page.getByRole('button', { name }).click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), text)
  }
  assert.deepEqual(await axeViolations(page), [])
})

test('without scripts, one click selects a whole part of the bank account', {
  skip: no_browser,
}, async () => {
  server.show('/bank', paymentViews.get('bank-transfer')!)
  const page = await openPage(no_script)
  await page.goto(`${server.url}/bank`)
  await eventually(() => page.locator('button[data-copy]:visible').count(), 0)
  await page.getByText('DE89 3704').click()
  assert.equal(await page.evaluate('getSelection().toString()'), 'DE89 3704 0044 0532 0130 00')
})

const zbarimg = spawnSync('zbarimg', ['--version'])
const no_reader =
  no_browser ||
  (zbarimg.error !== undefined && 'zbarimg (zbar-tools) is not installed: see CONTRIBUTING.md')

test('a reader of QR codes reads the transfer from the page', { skip: no_reader }, async () => {
  const view = paymentViews.get('bank-transfer') as Extract<PaymentView, { state: 'manual' }>
  const wide = epcQrText({ ...wide_transfer, creditor_reference: transfer_code })!
  for (const qr_text of [view.bank_account!.qr_text!, wide]) {
    const bank_account = { ...view.bank_account!, qr_text }
    server.show('/qr', { ...view, bank_account })
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage({ viewport: { width: 360, height: 844 }, colorScheme })
      await page.goto(`${server.url}/qr`)
      const input = await page.screenshot({ fullPage: true })
      const { stdout } = spawnSync('zbarimg', ['--quiet', '--raw', '-Sbinary', '-'], { input })
      assert.equal(String(stdout).trimEnd(), qr_text)
    }
  }
})

test('next to a provider, the payer chooses the transfer', { skip: no_browser }, async () => {
  server.show('/choice', paymentViews.get('checkout-bank-transfer')!)
  for (const options of [{}, no_script]) {
    const page = await openPage(options)
    await page.goto(`${server.url}/choice`)
    const iban = page.getByText('DE89 3704 0044 0532 0130 00')
    assert.ok(await iban.isHidden())
    assert.ok(await page.getByRole('button', { name: 'Pay €75.00' }).isVisible())
    await page.locator('summary').focus()
    await page.keyboard.press('Enter')
    await eventually(() => iban.isVisible(), true)
    if (options !== no_script) assert.deepEqual(await axeViolations(page), [])
  }
})

test('hides the copy button without scripts or clipboard', {
  skip: no_browser,
}, async () => {
  server.show('/manual', transferView('en'))
  const without_script = await openPage(no_script)
  await without_script.goto(`${server.url}/manual`)
  assert.ok(await without_script.locator('button[data-copy]').isHidden())
  // Browsers provide the clipboard only on HTTPS and localhost.
  const without_clipboard = await openPage()
  await without_clipboard.addInitScript(
    'Object.defineProperty(navigator, "clipboard", { value: undefined })',
  )
  await without_clipboard.goto(`${server.url}/manual`)
  await without_clipboard.waitForLoadState('load')
  assert.ok(await without_clipboard.locator('button[data-copy]').isHidden())
})

test('shows times in the time zone of the payer, with its name', { skip: no_browser }, async () => {
  const shown = async (view: string, language: string, options: object) => {
    server.show(page_path, { ...paymentViews.get(view)!, language } as PaymentView)
    const page = await openPage(options)
    await page.goto(server.url + page_path)
    const times = await page.locator('time').allInnerTexts()
    await page.context().close()
    return times.map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '))
  }
  const tokyo = { timezoneId: 'Asia/Tokyo' }
  const new_york = ['December 14, 2026 at 6:00 PM EST']
  assert.deepEqual(await shown('form', 'en', tokyo), ['December 15, 2026 at 8:00 AM GMT+9'])
  assert.deepEqual(await shown('expired', 'de', tokyo), ['15. Dezember 2026 um 08:00 GMT+9'])
  assert.deepEqual(await shown('form', 'en', { timezoneId: 'America/New_York' }), new_york)
  // Without scripts, the account's time zone.
  assert.deepEqual(await shown('form', 'en', { ...tokyo, ...no_script }), new_york)
  const refunded = await shown('refunded', 'en', tokyo)
  assert.deepEqual(refunded, [
    'November 15, 2026 at 7:42 PM GMT+9',
    'November 19, 2026 at 12:03 AM GMT+9',
  ])
})

test('each button of the confirmation submits its value once', { skip: no_browser }, async () => {
  server.show(page_path, paymentViews.get('confirm')!)
  server.onForm(() => undefined)
  for (const [name, value] of Object.entries({ Confirm: 'confirmed', Reject: 'rejected' })) {
    const page = await openPage()
    await page.goto(server.url + page_path)
    await page.getByRole('button', { name: `${name} payment` }).waitFor()
    // In one script: Playwright blocks while the page waits for the response.
    const submitted = await page.evaluate(`{
      const form = document.querySelector('#confirm-form')
      const submitted = []
      form.addEventListener('submit', (event) => {
        if (event.defaultPrevented) return
        const fields = new FormData(form, event.submitter)
        submitted.push([fields.get('confirmation'), fields.get('card')])
      })
      for (let n = 0; n < 3; n++) form.querySelector('[value=${value}]').click()
      submitted
    }`)
    assert.deepEqual(submitted, [[value, '4000002760003184']])
    await page.close()
  }
})

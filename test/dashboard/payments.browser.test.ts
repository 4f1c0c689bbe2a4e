// Payment requests in the browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, unfold } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }

async function request(owner: Owner, amount: number, reference: string) {
  const body = {
    account_id: owner.account_id,
    amount,
    currency: 'USD',
    customer_email: 'ann@example.com',
    reference,
  }
  const response = await call('POST', '/v1/payments', { token: owner.token, body })
  assert.equal(response.status, 201)
  return response.body as { id: string; payment_url: string }
}

async function emailsAbout(id: string): Promise<string[]> {
  const { token } = await people.admin()
  const mail = await call('GET', '/v1/emails?limit=100', { token })
  return mail.body.data
    .filter(({ cause }: { cause: string }) => cause.includes(id))
    .map(({ kind }: { kind: string }) => kind)
}

/** Decodes the drawn QR code, with four pixels for each module. */
async function readDrawnCode(page: Page): Promise<string> {
  const drawing = page.getByRole('img', { name: 'QR code of the payment link' })
  const width = 4 * Number((await drawing.getAttribute('viewBox'))!.split(' ')[3])
  const path = (await drawing.locator('path').getAttribute('d'))!
  const data = new Uint8Array(4 * width * width).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < 4; row++) {
      const start = 4 * ((4 * Number(y) + row) * width + 4 * Number(x))
      for (let pixel = 0; pixel < 4; pixel++) {
        data.set([18, 33, 27, 255], start + 4 * pixel)
      }
    }
  }
  return decodeQR({ data, width, height: width })
}

test('requests a payment, copies its link and reads its QR code', options, async () => {
  const owner = await people.owner()
  const renamed = { token: owner.token, body: { name: '🦊 Acme Ltd' } }
  await call('PATCH', '/v1/account', renamed)
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments`)
  await page.getByText('No payment requests yet').waitFor()
  await unfold(page, 'API request')
  await page.getByText(`"account_id":"${owner.account_id}"`).waitFor()
  await page.getByRole('button', { name: 'Request a payment' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer email').fill('ann')
  await dialog.getByLabel('Amount in USD').fill('12.345')
  await dialog.getByRole('button', { name: 'Request payment' }).click()
  await dialog.getByText('Enter an email address, for example ann@example.com.').waitFor()
  await dialog.getByText('12.345 is ambiguous. Enter 12345 or 12345.00.').waitFor()
  await dialog.getByText('We’ll email the payment link to the customer.').waitFor()
  // The first invalid field has the focus.
  await eventually(() => page.evaluate('document.activeElement.type'), 'email')
  await dialog.getByLabel('Customer email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('75')
  await dialog.getByLabel('Reference').fill('Invoice 2026-114')
  await dialog.getByRole('button', { name: 'Request $75.00' }).click()

  await page.getByRole('heading', { name: '$75.00' }).waitFor()
  await page.getByText('We’ll email the payment link to ann@example.com.').waitFor()
  const payments = await call('GET', '/v1/payments', { token: owner.token })
  assert.equal(payments.body.data.length, 1)
  const { id, payment_url, amount, reference, customer_email } = payments.body.data[0]
  assert.deepEqual(
    [amount, reference, customer_email],
    [7_500, 'Invoice 2026-114', 'ann@example.com'],
  )
  assert.equal(new URL(page.url()).pathname, `/dashboard/payments/${id}`)
  assert.equal(await readDrawnCode(page), payment_url)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await eventually(() => page.evaluate('navigator.clipboard.readText()'), payment_url)
  const preview = page.getByRole('link', { name: /^Preview of the payment page/ })
  await eventually(() => preview.textContent(), /🦊🦊 Acme Ltd\$75\.00Invoice 2026-114$/u)
  assert.equal(await preview.getAttribute('href'), payment_url)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const titles = timeline.locator('li span.font-medium')
  // The email and the event can have the same time.
  const sorted = async () => (await titles.allTextContents()).sort()
  await eventually(sorted, ['Expires', 'Payment link email', 'Reminder', 'Requested'])
  await timeline.getByText('From ann@example.com.', { exact: true }).waitFor()
  await timeline.getByText('We’ll email the customer if it is not paid by then.').waitFor()
  await page.goBack()
  await page.getByText('1 result').waitFor()
  await eventually(() => page.getByLabel('Customer email').count(), 0, 'the form is closed')
  assert.equal(new URL(page.url()).search, '')
  await page.context().close()
})

test('shows a payment made on the payment page without a reload', options, async () => {
  const owner = await people.owner()
  const { id, payment_url } = await request(owner, 7_500, 'Invoice 2026-115')
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments/${id}`)
  const link = page.getByRole('link', { name: 'Open page in a new tab' })
  await eventually(() => link.getAttribute('href'), payment_url)
  await eventually(() => link.getAttribute('target'), '_blank')
  const hosted = await page.context().newPage()
  // The public URL is not served in tests, so the path is opened on the test server.
  await hosted.goto(url + new URL(payment_url).pathname)
  await hosted.fill('[autocomplete="cc-number"]', '4242 4242 4242 4242')
  await hosted.fill('[autocomplete="cc-exp"]', '12 / 80')
  await hosted.fill('[autocomplete="cc-csc"]', '123')
  await hosted.getByRole('button', { name: 'Pay $75.00' }).click()
  await hosted.locator('body[data-state="paid"]').waitFor()
  await page.bringToFront()
  await page.getByText('Paid', { exact: true }).waitFor({ timeout: 30_000 })
  await eventually(() => page.getByRole('button', { name: 'Cancel request' }).count(), 0)
  const paid = await call('GET', `/v1/payments/${id}`, { token: owner.token })
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('link', { name: /^txn_/ }).click()
  await page.waitForURL(`${url}/dashboard/transactions/${paid.body.transaction_id}`)
  await page.context().close()
})

test('resends the email, and cancels a request after confirmation', options, async () => {
  const owner = await people.owner()
  const { id } = await request(owner, 4_200, 'Invoice 2026-116')
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments/${id}`)
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.getByText('We’ll email it to ann@example.com. The link stays the same.').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resend email' }).click()
  await page.getByText('Payment link sent to ann@example.com').waitFor()
  assert.deepEqual(await emailsAbout(id), ['payment_request', 'payment_request'])
  await page.getByRole('button', { name: 'Cancel request' }).click()
  await page.getByRole('button', { name: 'Don’t cancel' }).click()
  // The dialog has a button of the same name until it is closed.
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  const pending = await call('GET', `/v1/payments/${id}`, { token: owner.token })
  assert.equal(pending.body.status, 'pending')
  await page.getByRole('button', { name: 'Cancel request' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel request' }).click()
  await page.getByText('Request for $42.00 canceled').waitFor()
  const canceled = await call('GET', `/v1/payments/${id}`, { token: owner.token })
  assert.equal(canceled.body.status, 'canceled')
  await eventually(() => page.getByRole('img', { name: /QR/ }).count(), 0, 'the link is hidden')
  await page.context().close()
})

test(
  'an admin settles a request with a reason and sees its emails; an owner cannot',
  options,
  async () => {
    const owner = await people.owner()
    const admin = await people.admin()
    const { id } = await request(owner, 9_900, 'Invoice 2026-117')
    const page = await openPage()
    await logInToDashboard(page, url, admin)
    await page.goto(`${url}/dashboard/payments/${id}?account=${owner.account_id}`)
    await page.getByText('Payment link email').waitFor()
    await page.getByRole('button', { name: 'Settle' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Reason').fill('Paid by bank transfer')
    await dialog.getByRole('button', { name: 'Mark $99.00 as paid' }).click()
    await page.getByText('$99.00 marked as paid').waitFor()
    await page.getByText('Receipt email').waitFor()
    const log = await call('GET', '/v1/audit_log?limit=20', { token: admin.token })
    assert.ok(log.text.includes('Paid by bank transfer'))
    await page.context().close()
    const other = await openPage()
    await logInToDashboard(other, url, owner)
    const open = await request(owner, 100, 'still open')
    await other.goto(`${url}/dashboard/payments/${open.id}`)
    await other.getByRole('button', { name: 'Resend email' }).waitFor()
    await eventually(() => other.getByRole('button', { name: 'Settle' }).count(), 0)
    await other.context().close()
  },
)

test('without cards a failed request does not mention taken money', options, async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const owner = await people.owner()
  const { id } = await request(owner, 9_900, 'Invoice 2026-118')
  const { token } = await people.admin()
  const failed = { token, body: { outcome: 'failed' } }
  assert.equal((await call('POST', `/v1/payments/${id}/settle`, failed)).status, 200)
  const page = await openPage()
  await logInToDashboard(page, manual.url, owner)
  await page.goto(`${manual.url}/dashboard/payments/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('The operator of this service marked it as failed.').waitFor()
  await eventually(() => timeline.getByText('The customer was not charged.').count(), 0)
  await page.context().close()
})

test('stores list filters in the URL and appends further pages', options, async () => {
  const owner = await people.owner()
  for (let at = 1; at <= 22; at++) await request(owner, at * 100, `order-${at}`)
  const last = await request(owner, 5_000, 'to cancel')
  await call('POST', `/v1/payments/${last.id}/cancel`, { token: owner.token })
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments?status=pending`)
  const rows = page.getByRole('table', { name: 'Payment requests' }).locator('tbody tr')
  await page.getByText(/^1–20 of 2\d$/).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('1–22 of 22').waitFor()
  await eventually(() => rows.count(), 22)
  await page.getByLabel('Status').selectOption('canceled')
  await page.getByText('1 result').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'canceled')
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No payment requests match these filters').waitFor()
  await page.reload()
  await page.getByText('No payment requests match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText(/^1–20 of 2\d$/).waitFor()
  await page.getByLabel('Customer or reference').fill('TO CANC')
  await page.getByText('1 result').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('search'), 'TO CANC')
  await page.context().close()
})

test('an admin must choose an account to request a payment', options, async () => {
  const owner = await people.owner()
  const { id } = await request(owner, 12_300, 'seen by the admin')
  const page = await openPage()
  await logInToDashboard(page, url, await people.admin())
  await page.goto(`${url}/dashboard/payments`)
  await page.getByRole('link', { name: '$123.00' }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Request a payment' }).count(), 0)
  await page.getByRole('link', { name: '$123.00' }).click()
  await page.waitForURL(`${url}/dashboard/payments/${id}`)
  await page.getByText('Requested', { exact: true }).waitFor()
  await page.goto(`${url}/dashboard/payments?account=${owner.account_id}&create=yes`)
  await page.getByRole('dialog').getByLabel('Amount in USD').waitFor()
  await page.context().close()
})

test('shows the reason why an email was suppressed', options, async () => {
  const owner = await people.owner()
  const reference = 'A reference as long as it may be '.repeat(7)
  const { id } = await request(owner, 12_300, reference.trim())
  const page = await openPage({ viewport: { width: 390, height: 800 } })
  await logInToDashboard(page, url, await people.admin())
  const suppressed = { state: 'suppressed', error: 'Suppressed: it had been paid.' }
  await page.route('**/v1/emails?*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({ json: { ...rest, data: [{ ...data[0], ...suppressed }] } })
  })
  await page.goto(`${url}/dashboard/payments/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Suppressed: it had been paid.').waitFor()
  // Long values wrap without horizontal scrolling.
  await unfold(page, 'Developer details')
  const json = page.getByRole('region', { name: 'Payment request as JSON' })
  const hidden = (node: { scrollWidth: number; clientWidth: number }) =>
    node.scrollWidth - node.clientWidth
  assert.equal(await json.evaluate(hidden as never), 0, 'the JSON is cut off')
  await page.context().close()
})

test('discards a draft when the account changes', options, async () => {
  const [first, second] = [await people.owner(), await people.owner()]
  const page = await openPage()
  await logInToDashboard(page, url, await people.admin())
  await page.goto(`${url}/dashboard/payments?account=${first.account_id}&create=yes`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('75')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByLabel('Name, email or ID').fill(second.account_id)
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(second.account_id))
  await page.getByRole('button', { name: 'Request a payment' }).click()
  await dialog.getByLabel('Amount in USD').waitFor()
  await eventually(() => dialog.getByLabel('Customer email').inputValue(), '')
  await eventually(() => dialog.getByLabel('Amount in USD').inputValue(), '')
  await page.context().close()
})

test("interprets filter days in the account's time zone", options, async () => {
  const owner = await people.owner()
  const body = { settings: { timezone: 'Pacific/Kiritimati' } }
  await call('PATCH', '/v1/account', { token: owner.token, body })
  const requested: string[] = []
  const page = await openPage()
  page.on('request', (request) => requested.push(decodeURIComponent(request.url())))
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments?date_from=2026-01-02&date_to=2026-01-02`)
  await page.getByText('No payment requests match these filters').waitFor()
  const lists = requested.filter(
    (one) => one.includes('date_from') && one.includes('/v1/payments?'),
  )
  assert.equal(lists.length, 1)
  // Fourteen hours ahead of UTC.
  assert.match(lists[0]!, /date_from=2026-01-01T10:00:00.000Z&date_to=2026-01-02T09:59:59.999Z/)
  await page.context().close()
})

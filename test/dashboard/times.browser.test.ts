// Relative and absolute times: past events never appear in the future, and accounts in other
// languages get no American dates.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }

test('shows new rows as "now" and due dates in the future', options, async () => {
  const owner = await people.owner()
  const { token, account_id } = owner
  const payment = { account_id, amount: 7_500, currency: 'USD', customer_email: 'ann@example.com' }
  assert.equal((await call('POST', '/v1/payments', { token, body: payment })).status, 201)
  const { currency, customer_email } = payment
  const body = { amount: 500, currency, customer_email, interval: 'day', interval_count: 1 }
  assert.equal((await call('POST', '/v1/subscriptions', { token, body })).status, 201)
  const page = await openPage()
  // The browser's clock is behind, so the rows seem to be in the future.
  await page.clock.setFixedTime(Date.now() - 25_000)
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments`)
  const requests = page.getByRole('table', { name: 'Payment requests' })
  await requests.getByRole('row').nth(1).waitFor()
  const created = requests.locator('tbody tr').first().locator('td').last()
  await eventually(() => created.textContent(), 'now')
  await page.goto(`${url}/dashboard/subscriptions`)
  const row = page.getByRole('table', { name: 'Subscriptions' }).locator('tbody tr').first()
  await eventually(() => row.textContent(), /in 24 hr|\d{1,2} [A-Z]|[A-Z][a-z]{2} \d/)
  await page.context().close()
})

test('a German account gets 24-hour times', options, async () => {
  const owner = await people.owner()
  const settings = { language: 'de-DE', timezone: 'Europe/Berlin' }
  await call('PATCH', '/v1/account', { token: owner.token, body: { settings } })
  const page = await openPage()
  await page.clock.setFixedTime(Date.now() + 3 * 86_400_000)
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/sessions`)
  const times = page.getByRole('table').locator('time')
  // Shortly after New Year the date includes the year.
  await eventually(
    () => times.first().textContent(),
    /^\d{1,2} [A-Z][a-z]{2,3}( \d{4})?, \d\d:\d\d$/,
  )
  const title = /^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d(:\d\d)? \(Europe\/Berlin\)$/
  await eventually(() => times.first().getAttribute('title'), title)
  await page.context().close()
})

test('one module formats every date and time', async () => {
  const folder = join(import.meta.dirname, '../../web/dashboard/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const formatting = files.filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      /DateTimeFormat|RelativeTimeFormat|toLocale(Date|Time)/.test(
        readFileSync(join(folder, name), 'utf8'),
      ),
  )
  assert.deepEqual(formatting, ['parts/time-text.ts'])
})

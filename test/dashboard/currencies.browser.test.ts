// Amounts with the number of decimals of their currency (none for JPY, three for KWD): formatted,
// typed, and exported as CSV.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()

const currencies = [
  {
    currency: 'JPY',
    language: 'en',
    wrong: '75.5',
    error: 'JPY has no digits after the decimal point.',
    typed: '7500',
    filed: '7500',
    amount: 7_500,
    text: /^¥7,500$/,
    one: 1,
  },
  {
    currency: 'EUR',
    language: 'de',
    wrong: '1.234',
    error: '1.234 is ambiguous. Enter 1234 or 1234,00.',
    typed: '1234,56',
    filed: '1234.56',
    amount: 123_456,
    text: /^1\.234,56\s€$/,
    one: 100,
  },
  {
    currency: 'KWD',
    language: 'en',
    wrong: '1.2345',
    error: 'KWD has 3 digits after the decimal point.',
    typed: '1.234',
    filed: '1.234',
    amount: 1_234,
    text: /^KWD\s1\.234$/,
    one: 1_000,
  },
]

for (const { currency, language, wrong, error, ...right } of currencies) {
  const { typed, filed, amount, text, one } = right
  test(`requests, lists, exports and refunds amounts in ${currency}`, options, async () => {
    const owner = await people.owner()
    const settings = { currency, language }
    await call('PATCH', '/v1/account', { token: owner.token, body: { settings } })
    const page = await openPage()
    await logInToDashboard(page, url, owner)
    await page.goto(`${url}/dashboard/payments`)
    await page.getByRole('button', { name: 'Request a payment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Customer email').fill('ann@example.com')
    const field = dialog.getByLabel(`Amount in ${currency}`)
    await field.fill(wrong)
    await dialog.getByRole('button', { name: 'Request payment' }).click()
    await dialog.getByText(error).waitFor()
    await field.fill(typed)
    await dialog.getByRole('button', { name: /^Request / }).click()
    await page.waitForURL(/\/payments\/pay_/)
    const payments = await call('GET', '/v1/payments', { token: owner.token })
    const [payment] = payments.body.data
    assert.deepEqual([payment.amount, payment.currency], [amount, currency])
    const body = { account_id: owner.account_id, amount, currency, type: 'payment' }
    const { id } = (await call('POST', '/v1/transactions', { token: owner.token, body })).body
    const settled = { token: admin.token, body: { outcome: 'succeeded' } }
    await call('POST', `/v1/transactions/${id}/settle`, settled)
    await page.goto(`${url}/dashboard/transactions`)
    const row = page.getByRole('table', { name: 'Transactions' }).locator('tbody').getByRole('link')
    await eventually(() => row.first().textContent(), text)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const [, line] = parseCsv(readFileSync(await file.path(), 'utf8'))
    assert.deepEqual(line!.slice(7, 9), [currency, filed])
    await row.first().click()
    await page.getByRole('button', { name: 'Refund' }).click()
    await eventually(() => page.getByLabel(`Amount in ${currency}`).inputValue(), typed)
    await page.getByLabel(`Amount in ${currency}`).fill('1')
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Refund / })
      .click()
    await page.getByText(/^Refund of .* created$/).waitFor()
    const refunds = await call('GET', '/v1/transactions?type=refund', { token: owner.token })
    assert.equal(refunds.body.data[0].amount, one)
    await page.context().close()
  })
}

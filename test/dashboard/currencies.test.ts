// Amounts with the digits of their currency: none for the yen, two for the dollar, three for the
// Kuwaiti dinar; as they are written, as they are typed, and as they stand in a file.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseAmount } from '../../web/dashboard/src/parts/parse-amount.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { signIn } from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { shown } from '../support/shown.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()

test('what is typed is an amount in the digits of its currency, or none', () => {
  const amounts: [text: string, currency: string, amount: number | undefined][] = [
    ['75', 'USD', 7_500],
    ['75.5', 'USD', 7_550],
    ['75,50', 'USD', 7_550],
    [' 0.01 ', 'USD', 1],
    ['0.001', 'USD', undefined],
    ['0', 'USD', undefined],
    ['-5', 'USD', undefined],
    ['1e3', 'USD', undefined],
    ['1,000.00', 'USD', undefined],
    ['', 'USD', undefined],
    ['7500', 'JPY', 7_500],
    ['7500.', 'JPY', undefined],
    ['75.5', 'JPY', undefined],
    ['1.234', 'KWD', 1_234],
    ['1.2', 'KWD', 1_200],
    ['1.2345', 'KWD', undefined],
    ['9999999999.99', 'USD', 999_999_999_999],
    ['99999999999999', 'USD', undefined],
  ]
  for (const [text, currency, amount] of amounts) {
    assert.equal(parseAmount(text, currency), amount, `${text} ${currency}`)
  }
})

const currencies = [
  { currency: 'JPY', wrong: '75.5', typed: '7500', amount: 7_500, text: /^¥7,500$/, one: 1 },
  {
    currency: 'KWD',
    wrong: '1.2345',
    typed: '1.234',
    amount: 1_234,
    text: /^KWD\s1\.234$/,
    one: 1_000,
  },
]

for (const { currency, wrong, typed, amount, text, one } of currencies) {
  test(`${currency} is asked for, listed, refunded and saved as it is`, options, async () => {
    const owner = await people.owner()
    const settings = { currency }
    await call('PATCH', '/v1/account', { token: owner.token, body: { settings } })
    const page = await openPage()
    await signIn(page, url, owner)
    await page.goto(`${url}/dashboard/payments`)
    await page.getByRole('button', { name: 'Request a payment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Customer’s email').fill('ann@example.com')
    const field = dialog.getByLabel(`Amount in ${currency}`)
    await field.fill(wrong)
    await dialog.getByRole('button', { name: 'Request payment' }).click()
    await dialog.getByText('Write an amount such as').waitFor()
    await field.fill(typed)
    await dialog.getByRole('button', { name: /^Request / }).click()
    await page.waitForURL(/\/payments\/pay_/)
    const asked = await call('GET', '/v1/payments', { token: owner.token })
    assert.deepEqual([asked.body.data[0].amount, asked.body.data[0].currency], [amount, currency])
    const body = { account_id: owner.account_id, amount, currency, type: 'payment' }
    const { id } = (await call('POST', '/v1/transactions', { token: owner.token, body })).body
    const settled = { token: admin.token, body: { outcome: 'succeeded' } }
    await call('POST', `/v1/transactions/${id}/settle`, settled)
    await page.goto(`${url}/dashboard/transactions`)
    const row = page.getByRole('table', { name: 'Transactions' }).locator('tbody').getByRole('link')
    await shown(() => row.first().textContent(), text)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const [, line] = parseCsv(readFileSync(await file.path(), 'utf8'))
    assert.deepEqual(line!.slice(4, 6), [typed, currency])
    await row.first().click()
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel(`Amount in ${currency}`).fill('1')
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Refund / })
      .click()
    await page.getByText('is being refunded.').waitFor()
    const refunds = await call('GET', '/v1/transactions?type=refund', { token: owner.token })
    assert.equal(refunds.body.data[0].amount, one)
    await page.context().close()
  })
}

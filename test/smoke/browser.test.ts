// One way through all pages that take money: a customer pays, and the owner sees the payment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards } from '../payments/customer.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInThroughPage } from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

test('a customer pays on the payment page, and the dashboard shows the payment', {
  skip: no_browser,
}, async () => {
  const owner = await florin.people.owner()
  const { account_id, token } = owner
  const body = { account_id, amount: 7_500, currency: 'USD', customer_email: 'ann@example.com' }
  const created = await florin.call('POST', '/v1/payments', { token, body })
  assert.equal(created.status, 201, created.text)

  const page = await openPage()
  await page.goto(florin.url + new URL(created.body.payment_url).pathname)
  await page.fill('[autocomplete="cc-number"]', cards.good)
  await page.fill('[autocomplete="cc-exp"]', '12 / 80')
  await page.fill('[autocomplete="cc-csc"]', '123')
  await page.locator('form').first().locator('button').first().click()
  await page.locator('body[data-state=paid]').waitFor()

  await logInThroughPage(page, florin.url, owner)
  await page.getByRole('link', { name: 'Payment requests' }).click()
  await page.getByRole('link', { name: '$75.00' }).first().click()
  await page.getByRole('heading', { name: '$75.00' }).waitFor()
  await page.getByText('Succeeded').first().waitFor()
  await page.context().close()
})

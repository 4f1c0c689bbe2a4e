// From an empty machine to a paid request, without a terminal after "florin start": everything is
// done in the browser, on a server process with an empty data folder. The test calls no API. With
// FLORIN_TEST_SCREENSHOTS=<folder> it records each step as a picture.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeInstallation } from '../cli/florin-process.ts'
import { cards } from '../payments/customer.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { newPassword } from '../support/secrets.ts'

let steps = 0

async function record(page: Page, name: string): Promise<void> {
  const folder = process.env.FLORIN_TEST_SCREENSHOTS
  steps += 1
  if (folder) await page.screenshot({ path: join(folder, `${steps}-${name}.png`), fullPage: true })
}

test('from the start page to a paid request', { skip: no_browser }, async (t) => {
  const installation = await makeInstallation(t)
  const { url, ready, florin } = await installation.start()
  const page = await openPage()

  await page.goto(url)
  await page.getByText('Ready', { exact: true }).waitFor()
  await record(page, 'start-page')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Business or personal name').fill('Corner Shop')
  await page.getByLabel('Email').fill('owner@shop.example')
  await page.getByLabel('Password', { exact: true }).fill(newPassword())
  await record(page, 'sign-up')
  await page.getByRole('button', { name: 'Create account' }).click()

  await page.waitForURL(`${url}/dashboard`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await record(page, 'dashboard')
  await requestPayment(page)
  const link = page.getByRole('link', { name: 'Open page in a new tab' })
  const [payer] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await pay(payer)

  // The owner's page updates without a reload.
  await page.getByText('Succeeded').first().waitFor()
  await record(page, 'paid')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByText('$75.00').first().waitFor()
  await record(page, 'home')
  await page.context().close()

  await t.test('the setup link creates the first admin without scripts', async () => {
    const operator = await openPage({ javaScriptEnabled: false })
    await operator.goto(ready.setup_url!)
    await operator.getByLabel('Email').fill('admin@shop.example')
    await operator.getByLabel('Password').fill(newPassword())
    await operator.getByRole('button', { name: 'Create admin' }).click()
    await operator.waitForURL(`${url}/dashboard`)
    await operator.goto(url)
    await eventually(() => operator.getByText('Create the first admin').count(), 0)
    await operator.context().close()
  })

  assert.equal((await florin.stop()).code, 0)
})

async function requestPayment(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Payment requests' }).click()
  await page.getByRole('button', { name: 'Request a payment' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('75')
  await dialog.getByLabel('Reference').fill('Invoice 2026-114')
  await record(page, 'request')
  await dialog.getByRole('button', { name: 'Request $75.00' }).click()
  await page.getByRole('heading', { name: '$75.00' }).waitFor()
  await record(page, 'requested')
}

async function pay(payer: Page): Promise<void> {
  await payer.getByText('Corner Shop').first().waitFor()
  await payer.fill('[autocomplete="cc-number"]', cards.good)
  await payer.fill('[autocomplete="cc-exp"]', '12 / 80')
  await payer.fill('[autocomplete="cc-csc"]', '123')
  await record(payer, 'payment-page')
  await payer.locator('form').first().locator('button').first().click()
  await payer.locator('body[data-state=paid]').waitFor()
}

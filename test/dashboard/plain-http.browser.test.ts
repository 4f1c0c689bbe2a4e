// The dashboard over plain HTTP on a host other than localhost, where browsers disable randomUUID
// and the clipboard; and a page that throws while the rest keeps working.

import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()

async function openPlain(who: { email: string; password: string }): Promise<Page> {
  const page = await openPage()
  await page.addInitScript(`
    delete Crypto.prototype.randomUUID
    delete Navigator.prototype.clipboard`)
  await logInToDashboard(page, url, who)
  return page
}

test('requests, copies and refunds work without HTTPS', options, async () => {
  const owner = await people.owner()
  const page = await openPlain(owner)
  await page.goto(`${url}/dashboard/subscriptions`)
  await page.getByRole('heading', { name: 'Subscriptions', level: 1 }).waitFor()
  await page.goto(`${url}/dashboard/payments?create=yes`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('75')
  await dialog.getByRole('button', { name: 'Request $75.00' }).click()
  await page.waitForURL(/\/payments\/pay_/)
  const payments = await call('GET', '/v1/payments', { token: owner.token })
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('dialog', { name: 'Copy manually' }).waitFor()
  await eventually(
    () => page.evaluate('getSelection().toString()'),
    payments.body.data[0].payment_url,
  )
  await assertAccessible(page, 'the copy dialog')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const body = { account_id: owner.account_id, amount: 900, currency: 'USD', type: 'payment' }
  const { id } = (await call('POST', '/v1/transactions', { token: owner.token, body })).body
  const settled = { token: admin.token, body: { outcome: 'succeeded' } }
  await call('POST', `/v1/transactions/${id}/settle`, settled)
  await page.goto(`${url}/dashboard/transactions/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('button', { name: 'Refund $9.00' }).click()
  await page.getByText('Refund of $9.00 created').waitFor()
  await page.context().close()
})

test('a secret is shown selected when the clipboard is unavailable', options, async () => {
  const owner = await people.owner()
  const page = await openPlain(owner)
  await page.goto(`${url}/dashboard/api-keys`)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Till')
  await form.getByRole('checkbox').first().check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const code = form.locator('code').first()
  await code.waitFor()
  const secret = (await code.textContent())!
  recordSecret(secret)
  await form.getByRole('button', { name: 'Copy API key' }).click()
  await page.getByRole('dialog', { name: 'Copy manually' }).waitFor()
  await eventually(() => page.evaluate('getSelection().toString()'), secret)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Copy manually' }).waitFor({ state: 'detached' })
  await eventually(() => code.count(), 1, 'the secret is still there')
  await page.context().close()
})

test('navigation keeps working when a page throws', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, await people.owner())
  await page.route('**/v1/events?*', (route) =>
    route.fulfill({ json: { data: [{ id: 'evt_1' }], has_more: false } }),
  )
  await page.goto(`${url}/dashboard/events`)
  await page.getByRole('alert').getByText('Something went wrong').waitFor()
  await eventually(() => page.getByRole('main').count(), 1)
  await assertAccessible(page, 'the broken page')
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.context().close()
})

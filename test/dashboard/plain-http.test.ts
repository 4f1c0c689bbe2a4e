// The dashboard on plain http at a name that is not localhost, where browsers keep randomUUID and
// the clipboard from pages; and a page that breaks, which takes nothing down with it.

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

test('money is asked for, copied by hand and given back without https', options, async () => {
  const owner = await people.owner()
  const page = await openPlain(owner)
  await page.goto(`${url}/dashboard/subscriptions`)
  await page.getByRole('heading', { name: 'Subscriptions', level: 1 }).waitFor()
  await page.goto(`${url}/dashboard/payments?create=yes`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer’s email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('75')
  await dialog.getByRole('button', { name: 'Request $75.00' }).click()
  await page.waitForURL(/\/payments\/pay_/)
  const made = await call('GET', '/v1/payments', { token: owner.token })
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('dialog', { name: 'Copy it by hand' }).waitFor()
  await eventually(() => page.evaluate('getSelection().toString()'), made.body.data[0].payment_url)
  await assertAccessible(page, 'what is copied by hand')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const body = { account_id: owner.account_id, amount: 900, currency: 'USD', type: 'payment' }
  const { id } = (await call('POST', '/v1/transactions', { token: owner.token, body })).body
  const settled = { token: admin.token, body: { outcome: 'succeeded' } }
  await call('POST', `/v1/transactions/${id}/settle`, settled)
  await page.goto(`${url}/dashboard/transactions/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('button', { name: 'Refund $9.00' }).click()
  await page.getByText('$9.00 is being refunded.').waitFor()
  await page.context().close()
})

test('a secret that no button may copy is shown selected over its dialog', options, async () => {
  const owner = await people.owner()
  const page = await openPlain(owner)
  await page.goto(`${url}/dashboard/api-keys`)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByLabel('Name').fill('Till')
  await form.getByRole('checkbox').first().check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const code = form.locator('code').first()
  await code.waitFor()
  const secret = (await code.textContent())!
  recordSecret(secret)
  await form.getByRole('button', { name: /^Copy the / }).click()
  await page.getByRole('dialog', { name: 'Copy it by hand' }).waitFor()
  await eventually(() => page.evaluate('getSelection().toString()'), secret)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Copy it by hand' }).waitFor({ state: 'detached' })
  await eventually(() => code.count(), 1, 'the secret is still there')
  await page.context().close()
})

test('a page that breaks leaves the navigation standing', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, await people.owner())
  await page.route('**/v1/events?*', (route) =>
    route.fulfill({ json: { data: [{ id: 'evt_1' }], has_more: false } }),
  )
  await page.goto(`${url}/dashboard/events`)
  await page.getByRole('alert').getByText('This page has broken.').waitFor()
  await eventually(() => page.getByRole('main').count(), 1)
  await assertAccessible(page, 'the broken page')
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.context().close()
})

// Checks the admin pages with axe in both themes, and for horizontal scrolling at 360 px.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import {
  assertAccessible,
  checkPages,
  logInToDashboard,
  page_variants,
} from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()
const owner = await people.owner()
const long_name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
await call('PATCH', '/v1/account', { token: owner.token, body: { name: long_name } })
for (const status of ['suspended', 'active']) {
  const path = `/v1/accounts/${owner.account_id}`
  await call('PATCH', path, { token: admin.token, body: { status } })
}
const payment = {
  account_id: owner.account_id,
  amount: 999_999_999_999,
  currency: 'USD',
  customer_email: 'a-customer-with-a-rather-long-address@customers.of.our.customers.example',
  reference: 'A reference that is as long as people make them, without-a-single-break-in-it',
}
await call('POST', '/v1/payments', { token: owner.token, body: payment })
await call('POST', '/v1/sandbox/clock/advance', { token: admin.token, body: { seconds: 90_061 } })
const mail = await call('GET', '/v1/emails', { token: admin.token })
assert.equal(mail.body.data.length, 1)

const paths = [
  '/users',
  '/users?search=no-such-user',
  `/users/${owner.id}`,
  '/accounts',
  '/accounts?status=closed',
  `/accounts/${owner.account_id}`,
  '/audit',
  '/audit?actor=nonsense',
  '/health',
  '/emails',
  '/emails?state=failed',
  `/emails/${mail.body.data[0].id}`,
  '/clock',
]

for (const { colorScheme, width, share } of page_variants) {
  test(`admin pages have no axe violations in ${colorScheme} at ${width} px`, options, async () => {
    const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
    await logInToDashboard(page, url, admin)
    await checkPages(page, url, share(paths))
    await page.context().close()
  })
}

test('forms and dialogs of admin pages have no axe violations', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/users`)
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'the form')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('option').first().waitFor()
  await assertAccessible(page, 'the switcher')
  await page.keyboard.press('Escape')
  await page.goto(`${url}/dashboard/accounts/${owner.account_id}`)
  await page.getByRole('button', { name: 'Close account' }).click()
  await page.getByRole('alertdialog').waitFor()
  await assertAccessible(page, 'the dialog')
  await page.context().close()
})

// Payouts: the owner sets a destination and creates a payout, an admin approves and exports it, and
// both see what the bank did.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openPayoutFixtures } from '../payouts/payout-fixtures.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, checkPages, find, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'

const florin = await startFlorin()
const { url } = florin
const options = { skip: no_browser }
const fixtures = await openPayoutFixtures(florin)

async function open(who: Person, path: string, more: Parameters<typeof openPage>[0] = {}) {
  const page = await openPage(more)
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

test('an owner creates a payout, and an admin approves and exports it', options, async () => {
  const shop = await fixtures.shop(100_000)
  const page = await open(shop, '/payouts')
  await page.getByText('No payouts yet').waitFor()
  await page.getByRole('button', { name: 'Set destination' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder').fill('Acme Ltd')
  await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01')
  await dialog.getByRole('button', { name: 'Save destination' }).click()
  await dialog.getByText('"iban" has wrong check digits').waitFor()
  await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
  await assertAccessible(page, 'the destination')
  await dialog.getByRole('button', { name: 'Save destination' }).click()
  await page.getByText('The next payout, because the destination is new').waitFor()

  await page.getByRole('button', { name: 'Create payout' }).click()
  await dialog.getByText('$1,000.00 is available.').waitFor()
  await dialog.getByLabel('Amount in USD').fill('1000.01')
  await dialog.getByRole('button', { name: 'Pay out $1,000.01' }).click()
  await dialog.getByLabel('Amount in USD').fill('600')
  await dialog.getByLabel('Reference').fill('Week 47')
  await florin.db.pool.query(
    `update sessions set authenticated_at = now() - interval '11 minutes'
     where user_id = (select owner_id from accounts where id = $1)`,
    [shop.uuid],
  )
  await dialog.getByRole('button', { name: 'Pay out $600.00' }).click()
  await page.getByLabel('Password').fill(shop.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/payouts/po_*')
  const id = page.url().split('/').at(-1)!
  const main = page.getByRole('main')
  await main.getByText('Another person must approve it').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Approve' }).count(), 0)

  const admin = await open(fixtures.admin, `/payouts/${id}`)
  await admin.getByRole('button', { name: 'Approve' }).click()
  await admin.getByText('IBAN DE89 3704 0044 0532 0130 00').waitFor()
  await admin.getByRole('button', { name: 'Approve payout' }).click()
  await main.getByText('Approved', { exact: true }).waitFor()
  await admin.goto(`${url}/dashboard/payouts`)
  await admin.getByRole('button', { name: 'Export for the bank' }).click()
  const form = admin.getByRole('dialog')
  await form.getByLabel('Currency').fill('usd')
  await form.getByLabel('Your name at the bank').fill('Florin Operations')
  await form.getByLabel('IBAN to pay from').fill('FR1420041010050500013M02606')
  const saving = admin.waitForEvent('download')
  await form.getByRole('button', { name: 'Create file' }).click()
  const file = readFileSync((await (await saving).path())!, 'utf8')
  assert.match(file, new RegExp(`<EndToEndId>${id.replace('_', '-')}</EndToEndId>`))
  const again = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Download' }).click()
  assert.equal(readFileSync((await (await again).path())!, 'utf8'), file)
  await main.getByText('In transit', { exact: true }).waitFor()

  await admin.goto(`${url}/dashboard/payouts/${id}`)
  await admin.getByRole('button', { name: 'Mark as paid' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Mark as paid' }).click()
  await main.getByText('Paid', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByRole('heading', { name: 'Statement', level: 1 }).waitFor()
  await main.getByRole('link', { name: 'Payout' }).first().click()
  await page.waitForURL(`**/payouts/${id}`)
  await admin.context().close()
  await page.context().close()
})

test('lists and details are accessible at all widths', options, async () => {
  const shop = await fixtures.payable(10_000)
  const { id } = await fixtures.created(shop, 1_000)
  await fixtures.paid(await fixtures.payable(10_000), 2_500)
  const widths = [360, 1920]
  for (const [at, who] of [shop, fixtures.admin].entries()) {
    const viewport = { width: widths[at]!, height: 800 }
    const page = await open(who, '/payouts', { viewport, colorScheme: at === 0 ? 'dark' : 'light' })
    await checkPages(page, url, [`/payouts/${id}`, '/payouts'])
    await find(page, id)
    await page.waitForURL(`**/payouts/${id}*`)
    await page.context().close()
  }
})

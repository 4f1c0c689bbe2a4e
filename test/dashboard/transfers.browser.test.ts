// Transfers: the form for those who may send money, the list and a transfer from each side.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, checkPages, find, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { openTransferFixtures } from '../transfers/transfer-fixtures.ts'

const florin = await startFlorin()
const { url } = florin
const options = { skip: no_browser }
const fixtures = await openTransferFixtures(florin)

async function open(who: Person, path: string, more: Parameters<typeof openPage>[0] = {}) {
  const page = await openPage(more)
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

test('an owner sends a transfer after a confirmed login, and sees it arrive', options, async () => {
  const [source, target] = [await fixtures.shop(10_000), await fixtures.shop()]
  const platform = await fixtures.shop()
  const fee = { fee_account_id: platform.account_id, basis_points: 150, fixed_amount: 30 }
  const headers = { 'florin-account': source.account_id }
  const { token } = fixtures.admin
  await florin.call('POST', '/v1/account/transfer_fee', { token, headers, body: fee })
  const page = await open(source, '/transfers')
  await page.getByText('No transfers yet').waitFor()
  await page.getByRole('button', { name: 'Create transfer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Includes the platform’s fee of 1.5 % + $0.30.').waitFor()
  await dialog.getByLabel('To account').fill(source.account_id)
  await dialog.getByRole('button', { name: 'Create transfer' }).click()
  await dialog.getByText('Enter another account: this one is the source.').waitFor()
  await dialog.getByLabel('To account').fill(target.account_id)
  await dialog.getByLabel('Amount in USD').fill('100.01')
  await dialog.getByLabel('Reference').fill('Order 114')
  await assertAccessible(page, 'the form')
  await dialog.getByRole('button', { name: 'Transfer $100.01' }).click()
  await dialog.getByText('"amount" must be at most 10000').waitFor()
  await dialog.getByLabel('Amount in USD').fill('42.00')
  await florin.db.pool.query(
    `update sessions set authenticated_at = now() - interval '11 minutes'
     where user_id = (select owner_id from accounts where id = $1)`,
    [source.uuid],
  )
  await dialog.getByRole('button', { name: 'Transfer $42.00' }).click()
  await page.getByLabel('Password').fill(source.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('$42.00 is in transit.').waitFor()
  await page.waitForURL('**/transfers/tr_*')
  const main = page.getByRole('main')
  // Only on the page of a transfer: the address changes before the list is replaced.
  const money = page.getByRole('region', { name: 'Money' })
  await money.waitFor()
  await main.getByText('In transit', { exact: true }).waitFor()
  await fixtures.complete()
  await main.getByText('Completed', { exact: true }).waitFor()
  await eventually(() => money.textContent(), /Amount sent\$42\.00.*Fee\$0\.93/)
  assert.deepEqual(await fixtures.available(source, target, platform), [5_800, 4_107, 93])
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByRole('link', { name: 'Transfer out' }).click()
  await money.waitFor()
  await main.getByText('Completed', { exact: true }).waitFor()
  const [{ id }] = (await florin.call('GET', '/v1/transfers', { token: target.token })).body.data
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.getByRole('link', { name: 'Transfer out' }).waitFor()
  await find(page, id)
  await page.waitForURL(`**/transfers/${id}`)
  await page.context().close()
})

test('the target sees what it received, and why money was returned', options, async () => {
  const [source, target] = [await fixtures.shop(10_000), await fixtures.shop()]
  const fee = { fee_amount: 20, fee_account_id: (await fixtures.shop()).account_id }
  await fixtures.transfer(source, target, 1_000, { ...fee, reference: 'Rent' })
  await fixtures.complete()
  const { id } = await fixtures.transfer(source, target, 700, { reference: 'Again' })
  await fixtures.setStatus(target, 'suspended')
  await fixtures.complete()
  await fixtures.setStatus(target, 'active')
  const received = await open(target, '/transfers')
  const rows = received.getByRole('table', { name: 'Transfers' }).locator('tbody tr')
  await eventually(() => rows.count(), 1)
  await eventually(() => rows.first().textContent(), /\$9\.80.*Completed.*Received.*Rent/)
  await received.context().close()
  const page = await open(source, '/transfers')
  await page.getByLabel('Status').selectOption('Returned')
  const sent = page.getByRole('table', { name: 'Transfers' }).locator('tbody tr')
  await eventually(() => sent.count(), 1)
  await page.getByRole('link', { name: '$7.00 Again' }).click()
  await page.getByText('Everything was returned: the receiving account is not active.').waitFor()
  await checkPages(page, url, ['/transfers', `/transfers/${id}`])
  await page.context().close()
})

test('admins send from the account that they have chosen, members do not', options, async () => {
  const [source, target] = [await fixtures.shop(10_000), await fixtures.shop()]
  await fixtures.transfer(source, target, 999, { reference: 'Over all accounts' })
  const page = await open(fixtures.admin, '/transfers', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  })
  await page.getByRole('link', { name: '$9.99 Over all accounts' }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Create transfer' }).count(), 0)
  await checkPages(page, url, ['/transfers'])
  await page.goto(`${url}/dashboard/transfers?account=${source.account_id}&create=yes`)
  await page.getByLabel('To account').fill(target.account_id)
  await page.getByLabel('Amount in USD').fill('1')
  await assertAccessible(page, 'the form on a phone')
  await page.getByRole('button', { name: 'Transfer $1.00' }).click()
  await page.getByText('$1.00 is in transit.').waitFor()
  await page.context().close()
  const member = await florin.people.member(source)
  const read = await open(member, '/transfers')
  await read.getByRole('link', { name: '$9.99 Over all accounts' }).waitFor()
  await eventually(() => read.getByRole('button', { name: 'Create transfer' }).count(), 0)
  await read.context().close()
})

test('an admin sets, changes and removes the fee of an account', options, async () => {
  const [source, platform] = [await fixtures.shop(10_000), await fixtures.shop()]
  const page = await open(fixtures.admin, `/accounts/${source.account_id}`)
  const card = page.getByRole('region', { name: 'Fee of transfers' })
  const dialog = page.getByRole('dialog', { name: 'Fee of transfers' })
  const save = dialog.getByRole('button', { name: 'Save fee' })
  await card.getByText('Transfers from this account have no fee.').waitFor()
  await card.getByRole('button', { name: 'Set fee' }).click()
  await dialog.getByLabel('Account that gets the fee').fill('acme')
  await dialog.getByLabel('Percent of the amount').fill('101')
  await dialog.getByLabel('Fixed amount in USD').fill('0.305')
  await save.click()
  await dialog.getByText('Enter an account ID that starts with acct_.').waitFor()
  await dialog.getByText(/Enter a percentage from 0 to 100/).waitFor()
  await dialog.getByText(/USD has 2 digits after the decimal point/).waitFor()
  await assertAccessible(page, 'the form of the fee')
  await dialog.getByLabel('Percent of the amount').fill('1,5')
  await dialog.getByLabel('Fixed amount in USD').fill('0.30')
  await dialog.getByLabel('Account that gets the fee').fill(source.account_id)
  await save.click()
  await dialog.getByText('"fee_account_id" must be another account').waitFor()
  await dialog.getByLabel('Account that gets the fee').fill(platform.account_id)
  await save.click()
  await card.getByText('1.5 % + $0.30').waitFor()
  const { id } = await fixtures.transfer(source, await fixtures.shop(), 4_200)
  const read = () => florin.call('GET', `/v1/transfers/${id}`, { token: source.token })
  assert.equal((await read()).body.fee_amount, 93)
  await card.getByRole('button', { name: 'Change fee' }).click()
  await eventually(() => dialog.getByLabel('Percent of the amount').inputValue(), '1.5')
  await dialog.getByLabel('Percent of the amount').fill('')
  await save.click()
  await card.getByText('$0.30', { exact: true }).waitFor()
  await checkPages(page, url, [`/accounts/${source.account_id}`])
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove fee' }).click()
  await card.getByText('Transfers from this account have no fee.').waitFor()
  await page.context().close()
})

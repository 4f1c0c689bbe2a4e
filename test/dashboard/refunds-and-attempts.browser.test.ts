// Refunds and declined cards on the pages of payments, transactions and Home.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { Payers } from '../payments/payers.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }
const payers = new Payers(florin.db)

async function request(owner: Owner, amount: number): Promise<string> {
  const { token, account_id } = owner
  const body = { account_id, amount, currency: 'USD', customer_email: 'ann@example.com' }
  const created = await call('POST', '/v1/payments', { token, body })
  assert.equal(created.status, 201, created.text)
  return created.body.id
}

async function tryCard(owner: Owner, id: string, is_paid: boolean): Promise<string> {
  const uuid = findUuid('account', owner.account_id)!
  return payers.attempt({ uuid } as Shop, id, is_paid)
}

test('refunds a paid request on its page, and shows the refund everywhere', options, async () => {
  const owner = await people.owner()
  const id = await request(owner, 4_200)
  assert.equal(await tryCard(owner, id, true), 'succeeded')
  const { token } = owner
  const { transaction_id } = (await call('GET', `/v1/payments/${id}`, { token })).body
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('alertdialog')
  const field = dialog.getByLabel('Amount in USD')
  await eventually(() => field.inputValue(), '42.00')
  await field.fill('100')
  await dialog.getByText('You can refund up to $42.00.').waitFor()
  await eventually(
    () => dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled(),
    true,
  )
  await field.fill('12')
  await dialog.getByRole('button', { name: 'Refund $12.00' }).click()
  const title = page.getByRole('heading', { level: 1 })
  await title.getByText('Partially refunded').waitFor()
  await page.getByRole('region', { name: 'Timeline' }).getByText('Refund of $12.00').waitFor()
  // The form offers the rest, but another refund is created before it is submitted.
  await page.getByRole('button', { name: 'Refund' }).click()
  await eventually(() => field.inputValue(), '30.00')
  const body = {
    account_id: owner.account_id,
    amount: 1_000,
    currency: 'USD',
    type: 'refund',
    reference: transaction_id,
  }
  await page.route('**/v1/transactions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    assert.equal((await call('POST', '/v1/transactions', { token, body })).status, 201)
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Refund $30.00' }).click()
  const alert = dialog.getByRole('alert')
  await eventually(() => alert.textContent(), /^The refundable amount of this payment has changed/)
  await page.unrouteAll()
  await page.keyboard.press('Escape')

  await page.goto(`${url}/dashboard/payments`)
  const requests = page.getByRole('table', { name: 'Payment requests' })
  await requests.getByText('Partially refunded').waitFor()
  await call('POST', '/v1/transactions', { token, body: { ...body, amount: 2_000 } })
  await page.goto(`${url}/dashboard/transactions`)
  const row = page
    .getByRole('table', { name: 'Transactions' })
    .getByRole('row')
    .filter({ hasText: '$42.00' })
  await row.getByText('Refunded', { exact: true }).waitFor()
  await row.getByText('ann@example.com').first().waitFor()
  await row.getByText('Refunded', { exact: true }).click()
  await page.waitForURL(`${url}/dashboard/transactions/${transaction_id}`)
  await title.getByText('Refunded', { exact: true }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Refund' }).count(), 0)
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('ann@example.com').waitFor()
  await details.getByRole('link', { name: /^pay_/ }).click()
  await page.waitForURL(`${url}/dashboard/payments/${id}`)
  await page.context().close()
})

test('shows declined cards on the request and on Home', options, async () => {
  const owner = await people.owner()
  const id = await request(owner, 9_900)
  for (let at = 1; at < 10; at++) assert.equal(await tryCard(owner, id, false), 'pending')
  assert.equal(await tryCard(owner, id, false), 'failed')
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('10 attempts were declined. Last reason: refused by the bank.').waitFor()
  await timeline.getByText('Card declined: refused by the bank').first().waitFor()
  await timeline.getByText('Visa ending in 0002').first().waitFor()
  // The email and the event can have the same time.
  const titles = async () => {
    const texts = await timeline.getByRole('listitem').allTextContents()
    const starts = texts.map((text) => text.slice(0, 6))
    return [...starts.slice(0, -2), ...starts.slice(-2).sort()]
  }
  await eventually(titles, ['Failed', ...Array(10).fill('Card d'), 'Paymen', 'Reques'])
  await page.goto(`${url}/dashboard`)
  const volume = page.getByRole('region', { name: 'Volume' })
  await eventually(() => volume.textContent(), /Success rate.*0%/)
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link', { name: /Failed payment requests/ }).click()
  await page.getByRole('table', { name: 'Payment requests' }).getByText('$99.00').waitFor()
  await page.getByText('1 result').waitFor()
  await page.getByText(/^Updated since/).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await eventually(async () => new URL(page.url()).search, '')
  await page.context().close()
})

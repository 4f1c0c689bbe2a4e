// Refunds, search and list filters by keyboard only.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()

async function move(owner: Owner, type: string, amount: number) {
  const body = { account_id: owner.account_id, amount, currency: 'USD', type }
  const created = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(created.status, 201, created.text)
  return created.body.id as string
}

/** Presses Tab until the target has the focus, at most 80 times. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = target.and(page.locator(':focus'))
  for (let presses = 0; presses < 80 && (await focused.count()) === 0; presses++) {
    await page.keyboard.press('Tab')
  }
  await eventually(() => focused.count(), 1, `Tab reaches ${target}`)
}

test('refunds a payment and cancels the refund', options, async () => {
  const owner = await people.owner()
  const id = await move(owner, 'payment', 7_500)
  const settled = { token: admin.token, body: { outcome: 'succeeded' } }
  await call('POST', `/v1/transactions/${id}/settle`, settled)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  await tabTo(page, page.getByRole('link', { name: '$75.00' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '$75.00' }).waitFor()
  const refund = page.getByRole('button', { name: 'Refund' })
  await tabTo(page, refund)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await tabTo(page, dialog.getByLabel('Amount in USD'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('30')
  // Escape closes the dialog without an action and restores the focus.
  await page.keyboard.press('Escape')
  await eventually(() => dialog.count(), 0)
  await eventually(() => refund.and(page.locator(':focus')).count(), 1)
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel('Amount in USD'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await page.getByText('Refund of $25.00 created').waitFor()
  const refunds = await call('GET', '/v1/transactions?type=refund', { token: owner.token })
  assert.deepEqual(
    refunds.body.data.map(({ amount }: { amount: number }) => amount),
    [2_500],
  )
  await tabTo(page, page.getByRole('link', { name: 'Refund of $25.00' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Cancel refund' }))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Cancel refund' }))
  await page.keyboard.press('Enter')
  await page.getByText('Canceled').first().waitFor()
  await page.context().close()
})

test('the search scrolls to the option selected by arrow keys', options, async () => {
  const page = await openPage({ viewport: { width: 1280, height: 500 } })
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/health`)
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  const selected = page.getByRole('option', { selected: true })
  const is_visible = async () => {
    const list = (await page.getByRole('listbox').boundingBox())!
    const one = (await selected.boundingBox())!
    return one.y >= list.y && one.y + one.height <= list.y + list.height
  }
  // ArrowUp on the first option wraps to the last.
  await page.keyboard.press('ArrowUp')
  await eventually(() => selected.textContent(), 'Your sessions')
  await eventually(is_visible, true)
  await page.keyboard.press('ArrowDown')
  await eventually(() => selected.textContent(), 'Create API key')
  await eventually(is_visible, true)
  await page.context().close()
})

test('filters a list by status, type and days', options, async () => {
  // Read before the rows are created, which are then of this day or the next.
  const today = new Date().toISOString().slice(0, 10)
  const owner = await people.owner()
  await move(owner, 'payment', 1_100)
  await move(owner, 'credit', 2_200)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  const amounts = page
    .getByRole('table', { name: 'Transactions' })
    .locator('tbody')
    .getByRole('link')
  await eventually(() => amounts.allTextContents(), ['$22.00', '$11.00'])
  await tabTo(page, page.getByLabel('Status'))
  await page.keyboard.type('Pend')
  await tabTo(page, page.getByLabel('Type'))
  await page.keyboard.type('Cred')
  await eventually(() => amounts.allTextContents(), ['$22.00'])
  const { searchParams } = new URL(page.url())
  assert.deepEqual([searchParams.get('status'), searchParams.get('type')], ['pending', 'credit'])
  await page.getByLabel('From').fill(today)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No transactions match these filters').waitFor()
  await page.getByLabel('To', { exact: true }).fill('2099-12-31')
  await eventually(() => amounts.allTextContents(), ['$22.00'])
  await tabTo(page, page.getByRole('button', { name: 'Clear filters' }))
  await page.keyboard.press('Enter')
  await eventually(() => amounts.allTextContents(), ['$22.00', '$11.00'])
  assert.equal(new URL(page.url()).search, '')
  await page.context().close()
})

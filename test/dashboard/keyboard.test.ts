// What is done with money and lists, with the keyboard alone.

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
  const made = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(made.status, 201, made.text)
  return made.body.id as string
}

/** As somebody without a mouse gets there; further than the page is long, it cannot be reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const there = target.and(page.locator(':focus'))
  for (let steps = 0; steps < 80 && (await there.count()) === 0; steps++) {
    await page.keyboard.press('Tab')
  }
  await eventually(() => there.count(), 1, `Tab comes to ${target}`)
}

test('a payment is refunded, and the refund canceled', options, async () => {
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
  // Escape leaves without a deed, and the focus is where it was.
  await page.keyboard.press('Escape')
  await eventually(() => dialog.count(), 0)
  await eventually(() => refund.and(page.locator(':focus')).count(), 1)
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel('Amount in USD'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await page.getByText('$25.00 is being refunded.').waitFor()
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

test('the search shows what the arrow keys have come to', options, async () => {
  const page = await openPage({ viewport: { width: 1280, height: 500 } })
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/health`)
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  const chosen = page.getByRole('option', { selected: true })
  const is_seen = async () => {
    const list = (await page.getByRole('listbox').boundingBox())!
    const one = (await chosen.boundingBox())!
    return one.y >= list.y && one.y + one.height <= list.y + list.height
  }
  // Up from the first is the last.
  await page.keyboard.press('ArrowUp')
  await eventually(() => chosen.textContent(), 'Your sessions')
  await eventually(is_seen, true)
  await page.keyboard.press('ArrowDown')
  await eventually(() => chosen.textContent(), 'Home')
  await eventually(is_seen, true)
  await page.context().close()
})

test('a list is filtered by status, type and days', options, async () => {
  // Asked before anything is made: what is made later is of this day or of the next.
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
  await page.getByText('No transaction matches these filters.').waitFor()
  await page.getByLabel('To', { exact: true }).fill('2099-12-31')
  await eventually(() => amounts.allTextContents(), ['$22.00'])
  await tabTo(page, page.getByRole('button', { name: 'Clear filters' }))
  await page.keyboard.press('Enter')
  await eventually(() => amounts.allTextContents(), ['$22.00', '$11.00'])
  assert.equal(new URL(page.url()).search, '')
  await page.context().close()
})

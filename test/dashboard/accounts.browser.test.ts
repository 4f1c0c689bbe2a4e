// The account pages of admins.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()

async function openAccount(name: string, type = 'business'): Promise<string> {
  const body = { ...credentials('shop'), name, type }
  const response = await call('POST', '/v1/accounts', { token: admin.token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

async function statusOf(id: string): Promise<string> {
  return (await call('GET', `/v1/accounts/${id}`, { token: admin.token })).body.status
}

async function open(path: string): Promise<Page> {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('alertdialog').getByRole('button', { name }).click()
}

const harbor = await openAccount('Harbor Dental')
for (let at = 1; at <= 30; at++) await openAccount(`ManyRows ${at}`)
const walk = await openAccount('Long Walk', 'individual')

test('filters accounts by part of the name, status and type', options, async () => {
  const page = await open('/accounts')
  await page.getByText('1–25 of 32').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('26–32 of 32').waitFor()
  await page.getByLabel('Name or email').fill('bor den')
  await page.getByText('1 result').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('search'), 'bor den')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Type').selectOption('individual')
  await page.getByRole('link', { name: 'Long Walk' }).waitFor()
  await page.getByText('1 result').waitFor()
  await page.getByLabel('Status').selectOption('closed')
  await page.getByText('No accounts match these filters').waitFor()
  await page.reload()
  await page.getByText('No accounts match these filters').waitFor()
  await page.context().close()
})

test('shows the balance and users of an account, and links to its dashboard', options, async () => {
  const body = { account_id: harbor, amount: 4_200, currency: 'USD', type: 'payment' }
  const paid = await call('POST', '/v1/transactions', { token: admin.token, body })
  const outcome = { outcome: 'succeeded' }
  const settle = `/v1/transactions/${paid.body.id}/settle`
  assert.equal((await call('POST', settle, { token: admin.token, body: outcome })).status, 200)
  const page = await open(`/accounts/${harbor}`)
  await page.getByRole('region', { name: 'Balance' }).getByText('$42.00').waitFor()
  const users = page.getByRole('table', { name: 'Users of Harbor Dental' })
  await eventually(() => users.locator('tbody tr').count(), 1)
  await page.getByRole('link', { name: 'View dashboard' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), harbor)
  await page.getByRole('button', { name: /^Account: Harbor Dental/ }).waitFor()
  await page.context().close()
})

test('suspends an account, sets it to pending, activates it and closes it', options, async () => {
  const id = await openAccount('Short Life')
  const page = await open(`/accounts/${id}`)
  await page.getByText('cannot create payments, credits, refunds or payment requests').waitFor()
  await confirm(page, 'Suspend')
  await page.getByText('Short Life is suspended').waitFor()
  assert.equal(await statusOf(id), 'suspended')
  await confirm(page, 'Set to pending')
  await page.getByText('Short Life is pending').waitFor()
  await confirm(page, 'Activate')
  await page.getByText('Short Life is active').waitFor()
  assert.equal(await statusOf(id), 'active')
  await confirm(page, 'Close account')
  await page.getByText('Short Life is closed').waitFor()
  assert.equal(await statusOf(id), 'closed')
  await page.getByText('All users were deleted when the account was closed.').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Suspend' }).count(), 0)
  await page.context().close()
})

test('shows why an account cannot be closed, and leaves it open', options, async () => {
  const { email: customer_email } = credentials('customer')
  const subscription = await call('POST', '/v1/subscriptions', {
    token: admin.token,
    headers: { 'florin-account': walk },
    body: { amount: 900, currency: 'USD', interval: 'month', customer_email },
  })
  assert.equal(subscription.status, 201, subscription.text)
  const page = await open(`/accounts/${walk}`)
  await confirm(page, 'Close account')
  await page.getByRole('alertdialog').getByRole('alert').getByText('subscription').waitFor()
  assert.equal(await statusOf(walk), 'active')
  await page.context().close()
})

test('switches accounts by part of the name, by keyboard only', options, async () => {
  const page = await open('/transactions')
  await page.getByRole('button', { name: /^Account: All accounts/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Name, email or ID' }).waitFor()
  await page.getByText('Showing the first 20 accounts.').waitFor()
  // Enter waits for the results of the current input and never picks from older ones.
  await page.keyboard.type('long w')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Account: Long Walk/ }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), walk)
  await page.getByRole('button', { name: /^Account: Long Walk/ }).click()
  await page.getByRole('option', { name: /All accounts/ }).waitFor()
  await page.keyboard.type('manyrows 1')
  await page.getByRole('option', { name: /Harbor/ }).waitFor({ state: 'detached' })
  await page.getByRole('option', { name: /ManyRows 19/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Account: ManyRows 10/ }).waitFor()
  await page.getByRole('button', { name: /^Account: ManyRows 10/ }).click()
  await page.keyboard.type('no such name')
  await page.getByText('No matching accounts').waitFor()
  await page.context().close()
})

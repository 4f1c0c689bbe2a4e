// What those who run the service do with accounts, in a real browser against a real server.

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

const harbour = await openAccount('Harbour Dental')
for (let at = 1; at <= 30; at++) await openAccount(`ManyRows ${at}`)
const walk = await openAccount('Long Walk', 'individual')

test('an account is found by a part of its name, and by status and type', options, async () => {
  const page = await open('/accounts')
  await page.getByText('1–25 of 32').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('26–32 of 32').waitFor()
  await page.getByLabel('Name or email').fill('bour den')
  await page.getByText('1 result').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('search'), 'bour den')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Type').selectOption('individual')
  await page.getByRole('link', { name: 'Long Walk' }).waitFor()
  await page.getByText('1 result').waitFor()
  await page.getByLabel('Status').selectOption('closed')
  await page.getByText('No account matches.').waitFor()
  await page.reload()
  await page.getByText('No account matches.').waitFor()
  await page.context().close()
})

test(
  'an account shows its balance and its people, and opens in the dashboard',
  options,
  async () => {
    const body = { account_id: harbour, amount: 4_200, currency: 'USD', type: 'payment' }
    const paid = await call('POST', '/v1/transactions', { token: admin.token, body })
    const outcome = { outcome: 'succeeded' }
    const settle = `/v1/transactions/${paid.body.id}/settle`
    assert.equal((await call('POST', settle, { token: admin.token, body: outcome })).status, 200)
    const page = await open(`/accounts/${harbour}`)
    await page.getByRole('region', { name: 'Balance' }).getByText('$42.00').waitFor()
    const users = page.getByRole('table', { name: 'Users of Harbour Dental' })
    await eventually(() => users.locator('tbody tr').count(), 1)
    await page.getByRole('link', { name: 'Open in the dashboard' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('account'), harbour)
    await page.getByRole('button', { name: /^Account: Harbour Dental/ }).waitFor()
    await page.context().close()
  },
)

test(
  'an account is suspended, made pending, made active, and closed for good',
  options,
  async () => {
    const id = await openAccount('Short Life')
    const page = await open(`/accounts/${id}`)
    await page.getByText('no payments, credits, refunds or payment requests').waitFor()
    await confirm(page, 'Suspend')
    await page.getByText('Short Life is suspended.').waitFor()
    assert.equal(await statusOf(id), 'suspended')
    await confirm(page, 'Make pending')
    await page.getByText('Short Life is pending.').waitFor()
    await confirm(page, 'Make active')
    await page.getByText('Short Life is active.').waitFor()
    assert.equal(await statusOf(id), 'active')
    await confirm(page, 'Close account')
    await page.getByText('Short Life is closed.').waitFor()
    assert.equal(await statusOf(id), 'closed')
    await page.getByText('They were removed when the account was closed.').waitFor()
    await eventually(() => page.getByRole('button', { name: 'Suspend' }).count(), 0)
    await page.context().close()
  },
)

test('why an account cannot be closed is told, and it stays open', options, async () => {
  const { email: customer_email } = credentials('customer')
  const made = await call('POST', '/v1/subscriptions', {
    token: admin.token,
    headers: { 'florin-account': walk },
    body: { amount: 900, currency: 'USD', interval: 'month', customer_email },
  })
  assert.equal(made.status, 201, made.text)
  const page = await open(`/accounts/${walk}`)
  await confirm(page, 'Close account')
  await page.getByRole('alertdialog').getByRole('alert').getByText('subscription').waitFor()
  assert.equal(await statusOf(walk), 'active')
  await page.context().close()
})

test('the keyboard alone switches to an account by a part of its name', options, async () => {
  const page = await open('/transactions')
  await page.getByRole('button', { name: /^Account: All accounts/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Name, email or id' }).waitFor()
  await page.getByText('The first 20 are listed.').waitFor()
  // Enter waits for the answer to what was typed, and never takes from an older list.
  await page.keyboard.type('long w')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Account: Long Walk/ }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), walk)
  await page.getByRole('button', { name: /^Account: Long Walk/ }).click()
  await page.getByRole('option', { name: /All accounts/ }).waitFor()
  await page.keyboard.type('crowd 1')
  await page.getByRole('option', { name: /Harbour/ }).waitFor({ state: 'detached' })
  await page.getByRole('option', { name: /ManyRows 19/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Account: ManyRows 10/ }).waitFor()
  await page.getByRole('button', { name: /^Account: ManyRows 10/ }).click()
  await page.keyboard.type('nobody is called so')
  await page.getByText('No account matches.').waitFor()
  await page.context().close()
})

// Customers and the search palette in the browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

const admin = await people.admin()
const owner = await people.owner()
const { token, account_id } = owner

async function create(path: string, body: object): Promise<string> {
  const response = await call('POST', path, { token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

const request = { account_id, amount: 4_200, currency: 'USD', customer_email: 'ann@example.com' }
const paid = await create('/v1/payments', { ...request, amount: 123_450, reference: 'Invoice 77' })
await call('POST', `/v1/payments/${paid}/settle`, {
  token: admin.token,
  body: { outcome: 'succeeded' },
})
await create('/v1/payments', { ...request, customer_email: 'bob@example.com' })
const { account_id: _, ...plan } = { ...request, interval: 'month', amount: 2_500 }
await create('/v1/subscriptions', plan)
const { body: customers } = await call('GET', '/v1/customers?email=ann', { token })
const ann = customers.data[0].id

test(
  'lists customers, and shows one with requests, subscriptions and history',
  options,
  async () => {
    const page = await openPage()
    await logInToDashboard(page, url, owner)
    await page.goto(`${url}/dashboard/customers`)
    const rows = page.getByRole('table', { name: 'Customers' }).locator('tbody tr')
    await eventually(() => rows.count(), 2)
    await rows.filter({ hasText: 'ann@example.com' }).getByText('$1,234.50').last().waitFor()
    await page.getByLabel('Email').fill('ANN')
    await eventually(() => rows.count(), 1)
    await rows.getByRole('link', { name: 'ann@example.com' }).click()
    await page.waitForURL(`${url}/dashboard/customers/${ann}`)
    await page.getByRole('table', { name: 'Subscriptions of this customer' }).waitFor()
    const requests = page.getByRole('table', { name: 'Payment requests of this customer' })
    await eventually(() => requests.locator('tbody tr').count(), 2)
    await page.getByRole('region', { name: 'History' }).getByText('Paid').waitFor()
    await page.context().close()
  },
)

test('exports and erases the personal data of a customer', options, async () => {
  const gone = await create('/v1/payments', { ...request, customer_email: 'gone@example.com' })
  await call('POST', `/v1/payments/${gone}/cancel`, { token })
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/customers/gone@example.com`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export data' }).click()
  assert.match((await download).suggestedFilename(), /^cus_\w+\.json$/)
  await page.getByRole('button', { name: 'Erase data' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email of the customer').fill('gone@example.com')
  await dialog.getByRole('button', { name: 'Erase data' }).click()
  await page.getByRole('heading', { name: /^erased-/ }).waitFor()
  await page.getByText('Personal data erased').first().waitFor()
  await page.context().close()
})

test('a transaction links to its customer and its payment request', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  const table = page.getByRole('table', { name: 'Transactions' })
  await table.getByRole('link', { name: 'Invoice 77', exact: true }).click()
  await page.waitForURL(`${url}/dashboard/payments/${paid}`)
  await page.goBack()
  await table.getByRole('link', { name: 'ann@example.com', exact: true }).click()
  await page.getByRole('heading', { name: 'ann@example.com' }).waitFor()
  await page.context().close()
})

test('the palette finds by email and amount, with amount and status of each', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.keyboard.press('/')
  const input = page.getByRole('combobox')
  await input.fill('1,234.50')
  const requests = page.getByRole('group', { name: 'Payment requests' })
  await requests.getByRole('option', { name: /Invoice 77.*\$1,234\.50.*Succeeded/s }).waitFor()
  await page.getByRole('group', { name: 'Transactions' }).waitFor()
  await assertAccessible(page, 'the palette with results')
  await input.fill('ann@exa')
  const found = page.getByRole('group', { name: 'Customers' }).getByRole('option')
  await found.getByText('ann@example.com').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/dashboard/customers/${ann}`)
  await page.context().close()
})

test('the palette runs actions', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('request a pay')
  await page.getByRole('option', { name: 'Request a payment' }).waitFor()
  await eventually(() => page.getByRole('listbox').getAttribute('aria-busy'), 'false')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Customer email').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Payment requests', level: 1 }).click()
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('dark')
  await page.getByRole('option', { name: 'Switch to dark theme' }).click()
  await page.locator('html[data-theme=dark]').waitFor()
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('log out')
  await page.getByRole('option', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.context().close()
})

test('actions of the palette open their forms, also on the page of the form', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  const actions = [
    ['Invite a member', 'Invite to your team'],
    ['Create payment link', 'Create a payment link'],
    ['Create API key', 'Create API key'],
    ['Create API key', 'Create API key'],
    ['Add webhook endpoint', 'Add webhook endpoint'],
  ] as const
  await page.goto(`${url}/dashboard/api-keys`)
  for (const [action, title] of actions) {
    await page.getByRole('heading', { level: 1 }).first().click()
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill(action)
    await page.getByRole('option', { name: action }).click()
    const form = page.getByRole('dialog', { name: title })
    await form.waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await eventually(async () => page.url().includes('create='), false)
  }
  await page.context().close()
})

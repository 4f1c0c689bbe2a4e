// The view over all accounts, for admins: account names, time zone and choosing an account, also on
// a phone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()
const names = ['Northwind Traders', 'Fabrikam Instruments of Precision']

async function openAccount(name: string) {
  const owner = await people.owner()
  const { token, account_id } = owner
  await call('PATCH', '/v1/account', { token, body: { name } })
  const fields = { account_id, amount: 7_500, currency: 'USD' }
  const paid = { ...fields, type: 'payment' }
  const transaction = await call('POST', '/v1/transactions', { token, body: paid })
  assert.equal(transaction.status, 201, transaction.text)
  const body = { ...fields, customer_email: 'gus@example.com' }
  const payment = await call('POST', '/v1/payments', { token, body })
  assert.equal(payment.status, 201, payment.text)
  return { ...owner, transaction: transaction.body.id, payment: payment.body.id }
}

const first = await openAccount(names[0]!)
const second = await openAccount(names[1]!)
const newest_first = [names[1], names[0]]

async function open(path: string, width = 1280, who = admin): Promise<Page> {
  const page = await openPage({ viewport: { width, height: 844 } })
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

const lists = [
  { path: '/transactions', label: 'Transactions', id: 'transaction' },
  { path: '/payments', label: 'Payment requests', id: 'payment' },
] as const

for (const { path, label, id } of lists) {
  test(`${path} shows the account of each row for all accounts`, options, async () => {
    const page = await open(path)
    const table = page.getByRole('table', { name: label })
    const headers = () => table.getByRole('columnheader').allTextContents()
    await eventually(async () => (await headers()).filter((name) => name === 'Account').length, 1)
    const at = (await headers()).indexOf('Account') + 1
    const column = table.locator(`tbody td:nth-child(${at})`)
    await eventually(() => column.allTextContents(), newest_first)
    // On a phone the column is folded into the row.
    await page.setViewportSize({ width: 390, height: 844 })
    await table.locator('tbody tr').first().getByText(names[1]!).locator('visible=true').waitFor()
    await page.goto(`${url}/dashboard${path}/${first[id]}`)
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByRole('link', { name: names[0]! }).waitFor()
    // With one account selected, the column is hidden.
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.goto(`${url}/dashboard${path}?account=${second.account_id}`)
    await page.getByText('1 result').waitFor()
    await eventually(headers, /Amount/)
    assert.ok(!(await headers()).includes('Account'))
    await page.context().close()
  })
}

test('lists over all accounts show times in UTC', options, async () => {
  const page = await open('/transactions')
  await page.getByRole('columnheader', { name: 'Created (UTC)' }).waitFor()
  for (const [path, name] of [
    ['/users', 'Created (UTC)'],
    ['/accounts', 'Created (UTC)'],
    ['/emails', 'Created (UTC)'],
  ] as const) {
    await page.goto(`${url}/dashboard${path}`)
    await page.getByRole('columnheader', { name }).waitFor()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('Times are in UTC.').locator('visible=true').waitFor()
  // The lists of one account use its time zone.
  const settings = { timezone: 'Europe/Zurich' }
  await call('PATCH', '/v1/account', { token: first.token, body: { settings } })
  await page.goto(`${url}/dashboard/transactions?account=${first.account_id}`)
  await page.getByText('1 result').waitFor()
  await page.getByText('Times are in Europe/Zurich.').waitFor()
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.getByRole('columnheader', { name: 'Created (Europe/Zurich)' }).waitFor()
  await eventually(() => page.getByText('UTC').count(), 0)
  await page.context().close()
})

test('a page that needs an account offers the account switcher', options, async () => {
  const page = await open('/statement')
  for (const path of ['/statement', '/subscriptions', '/webhooks', '/events']) {
    await page.goto(`${url}/dashboard${path}`)
    await page.getByText('Choose an account', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Choose account' }).click()
    await page.getByRole('dialog', { name: 'Switch account' }).getByRole('combobox').waitFor()
  }
  await page.getByRole('option', { name: names[0]! }).click()
  await page.getByRole('table', { name: 'Events' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), first.account_id)
  await page.context().close()
})

test('the search icon stays visible next to a long account name on a phone', options, async () => {
  const page = await open(`/transactions?account=${second.account_id}`, 390)
  await page.getByRole('button', { name: `Account: ${names[1]}. Switch account` }).waitFor()
  const search = page.getByRole('button', { name: 'Search' })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const button = (await search.boundingBox())!
    const icon = (await search.locator('svg').boundingBox())!
    assert.ok(button.width >= 44, `${button.width} px at ${width}`)
    assert.ok(icon.x >= button.x && icon.x + icon.width <= button.x + button.width)
    const label = search.getByText('Search').locator('visible=true')
    const clipped = await label.evaluateAll((all) =>
      all.some((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 1),
    )
    assert.ok(!clipped, `the label is clipped at ${width}`)
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.ok(Number(wide) <= 0, `scrolls sideways by ${wide} px at ${width}`)
  }
  await page.context().close()
})

// Subscriptions in the browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }

async function subscribe(owner: Owner, body: object = {}): Promise<string> {
  const response = await call('POST', '/v1/subscriptions', {
    token: owner.token,
    body: {
      customer_email: 'ann@example.com',
      amount: 2_500,
      currency: 'USD',
      interval: 'month',
      reference: 'Membership',
      ...body,
    },
  })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

const datesOn = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Next requests' })
    .locator('time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''))

test('creates a subscription, which requests the first payment at once', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/subscriptions`)
  await page.getByText('No subscriptions yet').waitFor()
  await page.getByRole('button', { name: 'Create subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer email').fill('ann@example.com')
  await dialog.getByLabel('Amount in USD').fill('180')
  await dialog.getByText('Nothing is charged automatically.').waitFor()
  await dialog.getByLabel('Every').fill('37')
  await dialog.getByText('Enter a number from 1 to 36').waitFor()
  await dialog.getByLabel('Every').fill('3')
  await dialog.getByLabel('Reference').fill('Support plan')
  await dialog.getByRole('button', { name: 'Request $180.00 every 3 months' }).click()
  await page.getByRole('heading', { name: '$180.00' }).waitFor()
  const list = await call('GET', '/v1/subscriptions', { token: owner.token })
  assert.equal(list.body.data.length, 1)
  const [created] = list.body.data
  assert.deepEqual([created.interval, created.interval_count, created.amount], ['month', 3, 18_000])
  assert.equal(new URL(page.url()).pathname, `/dashboard/subscriptions/${created.id}`)
  const requests = page.getByRole('table', { name: 'Payment requests of this subscription' })
  await requests.getByRole('link', { name: '$180.00' }).click()
  await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: /^sub_/ }).click()
  await page.waitForURL(`${url}/dashboard/subscriptions/${created.id}`)
  await page.context().close()
})

test('pauses, resumes and cancels a subscription after confirmation', options, async () => {
  const owner = await people.owner()
  const id = await subscribe(owner)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/subscriptions/${id}`)
  const status = async () =>
    (await call('GET', `/v1/subscriptions/${id}`, { token: owner.token })).body.status
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  assert.equal(await status(), 'active')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Pause subscription' }).click()
  await page.getByText('None while the subscription is paused.').waitFor()
  assert.equal(await status(), 'paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Resume subscription' }).click()
  await page.getByText('Resumed', { exact: true }).waitFor()
  assert.equal(await status(), 'active')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByText('None. The subscription is canceled.').waitFor()
  assert.equal(await status(), 'canceled')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Canceled', { exact: true }).waitFor()
  const titles = timeline.locator('li span.font-medium')
  await eventually(() => titles.allTextContents(), ['Canceled', 'Resumed', 'Paused', 'Created'])
  await eventually(() => page.getByRole('button', { name: /Pause|Resume|Cancel/ }).count(), 0)
  await page.context().close()
})

test('stores the status filter in the URL', options, async () => {
  const owner = await people.owner()
  await subscribe(owner)
  const paused = await subscribe(owner, { amount: 900, interval: 'week' })
  await call('PATCH', `/v1/subscriptions/${paused}`, {
    token: owner.token,
    body: { status: 'paused' },
  })
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/subscriptions`)
  await page.getByText('1–2 of 2').waitFor()
  await page.getByLabel('Status').selectOption('paused')
  await page.getByText('1 result').waitFor()
  await page.getByRole('link', { name: '$9.00 every week' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'paused')
  await page.getByLabel('Status').selectOption('canceled')
  await page.getByText('No subscriptions with this status').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('1–2 of 2').waitFor()
  await page.context().close()
})

test('an admin must choose an account first', options, async () => {
  const owner = await people.owner()
  const id = await subscribe(owner)
  const page = await openPage()
  await logInToDashboard(page, url, await people.admin())
  for (const path of ['/subscriptions', `/subscriptions/${id}`]) {
    await page.goto(`${url}/dashboard${path}`)
    await page.getByText('Choose an account', { exact: true }).waitFor()
  }
  await page.goto(`${url}/dashboard/subscriptions/${id}?account=${owner.account_id}`)
  await page.getByRole('heading', { name: '$25.00' }).waitFor()
  await page.context().close()
})

// Must be last: it advances the server's clock by half a year.
test('the next dates shown are the dates of the payment requests', options, async () => {
  const owner = await people.owner()
  const settings = { settings: { timezone: 'Europe/Berlin' } }
  const updated = await call('PATCH', '/v1/account', { token: owner.token, body: settings })
  assert.equal(updated.status, 200, updated.text)
  const id = await subscribe(owner)
  const daily = await subscribe(owner, { interval: 'day', amount: 300 })
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/subscriptions/${id}`)
  await page.getByText('Europe/Berlin', { exact: true }).first().waitFor()
  const shown = await datesOn(page)
  assert.equal(shown.length, 5)
  const { token } = await people.admin()
  const response = await call('POST', '/v1/sandbox/clock/advance', {
    token,
    body: { seconds: 160 * 86_400 },
  })
  assert.equal(response.status, 200, response.text)
  await page.reload()
  await page
    .getByRole('table', { name: /of this subscription/ })
    .locator('tbody tr a')
    .nth(5)
    .waitFor()
  const payments = await call('GET', `/v1/payments?subscription=${id}`, { token: owner.token })
  const periods = payments.body.data
    .map(
      ({ metadata }: { metadata: { subscription_period: string } }) => metadata.subscription_period,
    )
    .reverse()
  assert.deepEqual(periods.slice(1, 6), shown)
  const next = (await call('GET', `/v1/subscriptions/${id}`, { token: owner.token })).body.next_at
  assert.equal((await datesOn(page))[0], next)
  // The list contains all requests of this subscription, and only those.
  await page.getByText('1–6 of 6').waitFor()
  await page.goto(`${url}/dashboard/subscriptions/${daily}`)
  await page.getByText(/^1–20 of \d+$/).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/^1–40 of \d+$/).waitFor()
  await page.context().close()
})

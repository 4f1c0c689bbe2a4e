// A session that ends outside the page: in another tab, or because it was revoked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { same_origin_headers } from '../support/cookie-login.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { people, url } = await startFlorin()
const options = { skip: no_browser }

/** A page whose clock can be advanced. */
async function openWithTime(): Promise<Page> {
  const page = await openPage()
  await page.addInitScript(`{
    const now = Date.now
    window.ahead_ms = 0
    Date.now = () => now() + window.ahead_ms
  }`)
  return page
}

/** Returns to the tab after six minutes, when it fetches the session again. */
async function returnToTab(page: Page): Promise<void> {
  const session = page.waitForResponse(`${url}/dashboard/api/session`)
  await page.evaluate(`window.ahead_ms += 6 * 60_000
    window.dispatchEvent(new Event('visibilitychange'))`)
  await session
}

async function logInOnPage(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

async function logOutElsewhere(page: Page): Promise<void> {
  const response = await page.request.delete(`${url}/dashboard/api/session`, {
    headers: same_origin_headers,
    data: {},
  })
  assert.equal(response.status(), 200)
}

/** Blocks all API responses, so only cached data can be shown. */
async function holdResponses(page: Page): Promise<void> {
  await page.route('**/dashboard/api/v1/**', () => {})
}

test('redirects to the login page when the session has ended elsewhere', options, async () => {
  const owner = await people.owner()
  const page = await openWithTime()
  const thrown: string[] = []
  page.on('console', (line) => void (/useUser/.test(line.text()) && thrown.push(line.text())))
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions?status=pending`)
  await page.getByText('No transactions match these filters').waitFor()
  await logOutElsewhere(page)
  // No other request reveals it.
  await page.route('**/dashboard/api/v1/**', (route) => route.abort())
  await returnToTab(page)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), '/transactions?status=pending')
  assert.deepEqual(thrown, [])

  // On the login page each return fetches the session once, without a redirect loop.
  let requests = 0
  page.on('request', (request) => void (request.url().endsWith('/api/session') && requests++))
  await returnToTab(page)
  await returnToTab(page)
  await page.waitForLoadState('networkidle')
  await eventually(() => page.getByRole('heading', { name: 'Log in' }).count(), 1)
  assert.equal(requests, 2)
  await page.unroute('**/dashboard/api/v1/**')
  await logInOnPage(page, owner)
  await page.getByText('No transactions match these filters').waitFor()
  await page.context().close()
})

test('the next user sees no cached data of the previous one', options, async () => {
  const admin = await people.admin()
  const page = await openWithTime()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/users`)
  const users = page.getByRole('table', { name: 'Users' })
  await users.getByText(admin.email).waitFor()
  await logOutElsewhere(page)
  await returnToTab(page)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await holdResponses(page)
  // Another admin: users without the permission to list users see no table.
  await logInOnPage(page, await people.admin())
  await users.and(page.locator('[aria-busy=true]')).waitFor()
  await eventually(() => page.getByText(admin.email).count(), 0)
  await page.context().close()
})

test('a login as another user in another tab resets the whole page', options, async () => {
  const admin = await people.admin()
  const page = await openWithTime()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/users`)
  const users = page.getByRole('table', { name: 'Users' })
  await users.getByText(admin.email).waitFor()
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Half a form')
  await logInToDashboard(page, url, await people.admin())
  await holdResponses(page)
  await returnToTab(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await users.and(page.locator('[aria-busy=true]')).waitFor()
  await eventually(() => page.getByText(admin.email).count(), 0)
  await page.context().close()
})

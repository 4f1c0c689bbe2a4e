// The start page, the sign-up page and error pages in a browser: with and without scripts, in both
// themes, from 360 to 1920 pixels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { open_live_env } from '../identity/one-time-links/links.ts'
import { axeViolations, no_browser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { newPassword, recordSecret } from '../support/secrets.ts'

const florin = await startFlorin()
const options = { skip: no_browser }

// Both themes and three widths, but not every combination: axe takes a second per page.
const views = [
  { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 820 }, colorScheme: 'light' },
  { viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' },
] as const

async function assertAccessible(page: Page, about: string): Promise<void> {
  assert.deepEqual(await axeViolations(page), [], about)
  const width = page.viewportSize()!.width
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, about)
}

test('no page has accessibility violations or scrolls sideways', options, async () => {
  const closed = await florin.startSecondServer({ FLORIN_SIGNUP: 'closed' })
  for (const view of views) {
    const page = await openPage(view)
    for (const path of ['/', '/signup', '/nope']) {
      await page.goto(florin.url + path)
      await assertAccessible(page, `${path} at ${view.viewport.width}`)
    }
    await page.goto(`${closed.url}/signup`)
    await assertAccessible(page, `closed at ${view.viewport.width}`)
    await page.context().close()
  }
})

test('signs up without scripts, after correcting an error', options, async () => {
  const { email, password } = credentials('no-script')
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(florin.url)
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Business or personal name').fill('Acme Ltd')
  await page.getByLabel('Individual').check()
  await page.getByLabel('Email').fill('ann@')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter an email address such as ann@example.com.').waitFor()
  assert.equal(await page.getByLabel('Individual').isChecked(), true)
  await eventually(() => page.getByLabel('Business or personal name').inputValue(), 'Acme Ltd')
  await eventually(() => page.getByLabel('Password').inputValue(), '')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${florin.url}/dashboard`)
  const cookies = await page.context().cookies()
  const cookie = recordSecret(cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
  const account = await florin.call('GET', '/dashboard/api/v1/account', { headers: { cookie } })
  assert.deepEqual([account.body.type, account.body.settings.timezone], ['individual', 'UTC'])
  await page.context().close()
})

test('with scripts it takes the time zone, and can show the password', options, async () => {
  const { email, password } = credentials('script')
  const page = await openPage({ timezoneId: 'Asia/Tokyo', locale: 'fr-FR' })
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  await page.goto(`${florin.url}/signup`)
  await page.getByLabel('Business or personal name').fill('Acme Ltd')
  await page.getByLabel('Email').fill(email)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill(password)
  await page.getByRole('button', { name: 'Show password' }).click()
  await eventually(() => field.getAttribute('type'), 'text')
  await assertAccessible(page, 'with a visible password')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await eventually(() => field.getAttribute('type'), 'password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(async () => new URL(page.url()).pathname, '/dashboard')
  const response = await page.request.get(`${florin.url}/dashboard/api/v1/account`)
  const { settings } = (await response.json()) as { settings: Record<string, string> }
  assert.deepEqual([settings.timezone, settings.language], ['Asia/Tokyo', 'fr-FR'])
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('the login page leads to sign-up and reset, and can show the password', options, async () => {
  const closed = await florin.startSecondServer({ FLORIN_SIGNUP: 'closed' })
  const page = await openPage(views[0])
  await page.goto(`${closed.url}/dashboard`)
  await page.getByText('Sandbox: no real money moves.').waitFor()
  await eventually(() => page.getByRole('link', { name: 'Create account' }).count(), 0)
  await page.goto(`${florin.url}/dashboard`)
  await page.getByLabel('Password').fill('typed blindly')
  await page.getByRole('button', { name: 'Show password' }).click()
  await eventually(() => page.getByLabel('Password').getAttribute('type'), 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await eventually(() => page.getByLabel('Password').getAttribute('type'), 'password')
  const reset = page.getByRole('link', { name: 'Forgot password?' })
  await eventually(() => reset.getAttribute('href'), '/reset')
  await assertAccessible(page, 'login')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await page.context().close()
})

test('live: the form ends with "Check your email"', options, async () => {
  const live = await florin.startSecondServer({
    ...open_live_env,
    FLORIN_ALLOWED_HOSTS: '127.0.0.1',
  })
  const page = await openPage({ ...views[0], javaScriptEnabled: false })
  const { email } = credentials('live')
  for (const password of [newPassword(), newPassword()]) {
    const long = recordSecret(`${password} and more words`)
    await page.goto(`${live.url}/signup`)
    await page.getByLabel('Business or personal name').fill('Acme Ltd')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(long)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.getByText(email).waitFor()
  }
  await page.context().close()
})

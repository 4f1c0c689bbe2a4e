// Login, sessions, navigation, lists and search in the browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInForCookie } from '../support/cookie-login.ts'
import {
  find,
  logInThroughPage,
  logInToDashboard,
  openHome,
  waitForNetworkIdle,
} from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

async function pay(owner: Owner, amount: number, reference: string): Promise<string> {
  const body = { account_id: owner.account_id, amount, currency: 'USD', type: 'payment', reference }
  const response = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(response.status, 201)
  return response.body.id
}

async function settle(id: string): Promise<void> {
  const { token } = await people.admin()
  const response = await call('POST', `/v1/transactions/${id}/settle`, {
    token,
    body: { outcome: 'succeeded' },
  })
  assert.equal(response.status, 200)
}

test('reports a wrong password, and opens the requested page after login', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await page.goto(`${url}/dashboard/transactions?status=pending`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Incorrect email or password.').waitFor()
  await page.getByLabel('Password').fill(owner.password)
  let go = () => {}
  const going = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/dashboard/api/session', async (route) => {
    await going
    await route.continue()
  })
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Logging in…').waitFor()
  await eventually(() => page.getByRole('alert').textContent(), '', 'the old error is cleared')
  go()
  // The requested page, with its filter.
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).search, '?status=pending')
  await page.context().close()
})

test('scripts on the page cannot read a token or the cookie', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  const seen: string[] = []
  page.on('response', async (response) => {
    const json = (response.headers()['content-type'] ?? '').includes('json')
    if (json) seen.push(await response.text().catch(() => ''))
  })
  const errors: string[] = []
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())))
  page.on('pageerror', (error) => void errors.push(error.message))
  await waitForNetworkIdle(page, () => logInThroughPage(page, url, owner))
  const readable = await page.evaluate(
    `JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]) +
      document.documentElement.outerHTML`,
  )
  assert.doesNotMatch(String(readable), /f(at|rt|ds)_[\w-]{20}/)
  assert.ok(seen.length > 2)
  assert.doesNotMatch(seen.join(''), /f(at|rt|ds)_[\w-]{20}/)
  const [cookie] = await page.context().cookies()
  assert.equal(cookie!.httpOnly, true)
  assert.equal(cookie!.sameSite, 'Strict')
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('logging out opens the login page and blocks other pages', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await openHome(page, url, owner)
  await page.getByRole('button', { name: /log out/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.goto(`${url}/dashboard/transactions`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.context().close()
})

test(
  'opens a payment from the list, refunds part of it and cancels the refund',
  options,
  async () => {
    const owner = await people.owner()
    const id = await pay(owner, 7_500, 'Invoice 2026-114')
    await settle(id)
    const page = await openPage()
    await logInToDashboard(page, url, owner)
    await page.goto(`${url}/dashboard/transactions`)
    await page.getByRole('link', { name: '$75.00' }).click()
    await page.getByRole('heading', { name: '$75.00' }).waitFor()
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Amount in USD').fill('80')
    await page.getByRole('alertdialog').getByText('You can refund up to $75.00.').waitFor()
    await eventually(
      () =>
        page
          .getByRole('button', { name: /^Refund/ })
          .last()
          .isDisabled(),
      true,
    )
    await page.getByLabel('Amount in USD').fill('25.50')
    await page.getByRole('button', { name: 'Refund $25.50' }).click()
    await page.getByText('Refund of $25.50 created').waitFor()
    const refunds = await call('GET', '/v1/transactions?type=refund', { token: owner.token })
    assert.deepEqual(
      refunds.body.data.map((one: { amount: number; reference: string }) => [
        one.amount,
        one.reference,
      ]),
      [[2_550, id]],
    )
    await page.goto(`${url}/dashboard/transactions/${refunds.body.data[0].id}`)
    await page.getByRole('button', { name: 'Cancel refund' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel refund' }).click()
    await page.getByText('Canceled').first().waitFor()
    const balance = await call('GET', '/v1/account/balance', { token: owner.token })
    assert.deepEqual([balance.body.available, balance.body.held], [7_500, 0])
    await page.context().close()
  },
)

test('appends further pages to a list and stores filters in the URL', options, async () => {
  const owner = await people.owner()
  for (let at = 1; at <= 25; at++) await pay(owner, at * 100, `order-${at}`)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
  await page.getByText('1–20 of 25').waitFor()
  await eventually(() => rows.count(), 20)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('1–25 of 25').waitFor()
  await eventually(() => rows.count(), 25)
  await eventually(() => rows.nth(0).getByRole('link').textContent(), '$25.00 order-25')
  await page.getByLabel('Status').selectOption('succeeded')
  await page.getByText('No transactions match these filters').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'succeeded')
  await page.reload()
  await page.getByText('No transactions match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('1–20 of 25').waitFor()
  await page.context().close()
})

test('finds a transaction by id, by keyboard only', options, async () => {
  const owner = await people.owner()
  const id = await pay(owner, 4_200, 'by keyboard')
  const page = await openPage()
  await openHome(page, url, owner)
  await find(page, id)
  await page.getByRole('heading', { name: '$42.00' }).waitFor()
  await find(page, 'sess', 'Control+k')
  await page.getByRole('heading', { name: 'Your sessions', level: 1 }).waitFor()
  await page.context().close()
})

test('ends another session, then all sessions', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/sessions`)
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByText('Session ended').waitFor()
  assert.equal((await call('GET', '/v1/account', { token: owner.token })).status, 401)
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.context().close()
})

test('stores the account an admin selected in the URL', options, async () => {
  const owner = await people.owner()
  await pay(owner, 9_900, 'for the admin')
  const admin = await people.admin()
  const page = await openPage()
  await openHome(page, url, admin)
  await page.getByRole('button', { name: /^Account: All accounts/ }).click()
  await page.getByLabel('Name, email or ID').fill(owner.account_id)
  await page.keyboard.press('Enter')
  await page.getByText('$99.00').first().waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await page.context().close()
})

test('shows the login page after the session was revoked elsewhere', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await waitForNetworkIdle(page, () => openHome(page, url, owner))
  const sessions = await call('GET', '/v1/auth/sessions', { token: owner.token })
  for (const { id, current } of sessions.body.data) {
    if (current) continue
    await call('DELETE', '/v1/auth/session', { token: owner.token, body: { session_id: id } })
  }
  // The page may notice by itself before the click.
  const link = page.getByRole('link', { name: 'Transactions', exact: true })
  const heading = page.getByRole('heading', { name: 'Log in' })
  await Promise.any([heading.waitFor(), link.click().then(() => heading.waitFor())])
  await page.context().close()
})

test('navigates between pages without a page load', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await openHome(page, url, owner)
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url())
  })
  await page.evaluate('window.not_reloaded = true')
  const headings: string[] = []
  const navigation = page.getByRole('navigation').first()
  assert.equal(
    await navigation.getByRole('link', { name: 'Docs' }).getAttribute('href'),
    '/docs',
    'the guides are outside the dashboard',
  )
  for (const link of await navigation.locator('a[href^="/dashboard"]').all()) {
    await link.click()
    const name = (await link.textContent())!.trim()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    headings.push(name)
  }
  await page.goBack()
  await page.getByRole('heading', { name: headings.at(-2)!, level: 1 }).waitFor()
  assert.equal(await page.evaluate('window.not_reloaded'), true)
  assert.deepEqual(documents, [])
  assert.ok(headings.length > 10, headings.join())
  await page.context().close()
})

test('shows the sandbox banner in sandbox mode only', options, async () => {
  const owner = await people.owner()
  const live = await florin.startSecondServer(live_env)
  const banner = 'Sandbox: no real money moves'
  const page = await openPage()
  await openHome(page, url, owner)
  await page.getByText(banner).first().waitFor()
  await page.context().close()
  // The browser does not send a Secure cookie over HTTP, so the test sets the header.
  const cookie = await logInForCookie(live.call, owner)
  const other = await openPage({ extraHTTPHeaders: { cookie } })
  await other.goto(`${live.url}/dashboard`)
  await other.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await other.getByRole('region', { name: 'Balance' }).waitFor()
  await eventually(() => other.getByText(/sandbox/i).count(), 0)
  await other.context().close()
})

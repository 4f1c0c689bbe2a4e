// A read-only member in the browser: no page offers an action that the server would reject.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }

async function open(who: Person, path: string): Promise<Page> {
  const page = await openPage()
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

async function create(owner: Owner, path: string, body: object): Promise<string> {
  const money = { amount: 2_500, currency: 'USD' }
  const response = await call('POST', path, { token: owner.token, body: { ...money, ...body } })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

/** The names of buttons and links in the page, without the frame. */
const actionsOn = (page: Page): Promise<string[]> =>
  page.locator('main').locator('button, a').allTextContents()

test('a member who was made read-only sees no action on any page', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const { account_id } = owner
  const customer_email = 'ann@example.com'
  const txn = await create(owner, '/v1/transactions', { account_id, type: 'payment' })
  const pay = await create(owner, '/v1/payments', { account_id, customer_email })
  const sub = await create(owner, '/v1/subscriptions', { customer_email, interval: 'month' })
  const pages: [path: string, shown: string, actions: string[]][] = [
    ['/', 'Latest transactions', ['Request a payment']],
    ['/payments', customer_email, ['Request a payment']],
    [`/payments/${pay}`, 'Details', ['Resend email', 'Cancel request']],
    [`/transactions/${txn}`, 'Details', ['Cancel payment']],
    ['/subscriptions', customer_email, ['Create subscription']],
    [`/subscriptions/${sub}`, 'Details', ['Pause', 'Cancel subscription']],
  ]
  const seen = await open(member, '/')
  for (const [path, , actions] of pages) {
    await seen.goto(`${url}/dashboard${path}`)
    for (const name of actions) await seen.getByText(name, { exact: true }).first().waitFor()
  }
  await seen.context().close()

  const team = await open(owner, '/settings/team')
  await team.getByRole('button', { name: 'Make read-only' }).click()
  await assertAccessible(team, 'the dialog')
  await team.getByRole('alertdialog').getByRole('button', { name: 'Make read-only' }).click()
  await team.getByText(`${member.email} is read-only`).waitFor()
  await team.getByRole('table').getByText('Read-only', { exact: true }).waitFor()
  await team.getByRole('button', { name: 'Make member' }).waitFor()
  await team.context().close()

  const page = await open(member, '/')
  for (const [path, shown, actions] of pages) {
    await page.goto(`${url}/dashboard${path}`)
    await page.locator('main').getByText(shown).first().waitFor()
    const offered = await actionsOn(page)
    assert.deepEqual(
      actions.filter((name) => offered.some((one) => one.includes(name))),
      [],
      path,
    )
  }
  await page.getByRole('button', { name: /theme, sessions, log out/ }).click()
  await page.getByText(`${member.email} · Read-only`).waitFor()
  await page.context().close()
})

test('the empty pages of a read-only member suggest nothing to create', options, async () => {
  const viewer = await people.viewer(await people.owner())
  const page = await open(viewer, '/')
  const titles = {
    '/': 'No transactions yet',
    '/transactions': 'No transactions yet',
    '/payments': 'No payment requests yet',
    '/subscriptions': 'No subscriptions yet',
    '/statement': 'No',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(`${url}/dashboard${path}`)
    await page.locator('main').getByText(title).first().waitFor()
    await eventually(() => page.getByText('curl', { exact: false }).count(), 0, path)
    await eventually(() => page.getByText('Get started', { exact: true }).count(), 0, path)
    const offered = (await actionsOn(page)).join('\n')
    assert.doesNotMatch(offered, /request a payment|create/i, path)
  }
  for (const path of ['/webhooks', '/settings/branding', '/settings/payment-page']) {
    await page.goto(`${url}/dashboard${path}`)
    await page.getByText('Your role (read-only) doesn’t include this page.').waitFor()
  }
  await page.context().close()
})

// The test clock page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, openHome } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_SETTLE_AFTER: '86400' })
const options = { skip: no_browser }
const admin = await people.admin()
const owner = await people.owner()

test('advancing the clock runs what became due, and lists the steps', options, async () => {
  const body = { account_id: owner.account_id, amount: 4_200, currency: 'USD', type: 'payment' }
  const paid = await call('POST', '/v1/transactions', { token: owner.token, body })
  const path = `/v1/transactions/${paid.body.id}`
  const page = await openPage()
  // Also works with an account selected: the clock belongs to no account.
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/clock?account=${owner.account_id}`)
  await page.getByText('Real time', { exact: true }).waitFor()
  await page.getByText('The clock has not been advanced.').waitFor()
  await page.getByRole('button', { name: 'Advance by 1 hour' }).click()
  await page.getByText('The clock cannot be moved back.').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Advance by 1 hour' }).click()
  await page.getByText('Everything due by then has run.').waitFor()
  await page.getByText('1 hour ahead of real time').waitFor()
  assert.equal((await call('GET', path, { token: owner.token })).body.status, 'pending')
  await page.getByLabel('Duration').fill('2')
  await page.getByRole('button', { name: 'Advance by 2 days' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Advance by 2 days' }).click()
  await page.getByText('2 days and 1 hour ahead of real time').waitFor()
  assert.equal((await call('GET', path, { token: owner.token })).body.status, 'succeeded')
  await eventually(
    () => page.getByRole('listitem').filter({ hasText: 'advanced the clock' }).count(),
    2,
  )
  await page.reload()
  await page.getByText('2 days and 1 hour ahead of real time').waitFor()
  const now = await page.locator('main time').first().getAttribute('datetime')
  const ahead_h = (Date.parse(now!) - Date.now()) / 3_600_000
  assert.ok(Math.abs(ahead_h - 49) < 0.1, `${ahead_h} h ahead`)
  await page.context().close()
})

test('disables the button for an invalid or too long duration', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/clock`)
  await page.getByRole('heading', { name: 'Sandbox clock', level: 1 }).waitFor()
  for (const typed of ['0', '-3', '1.5', 'soon', '', '4000']) {
    await page.getByLabel('Duration').fill(typed)
    await page.getByText('Enter a whole number of 1 or more.').waitFor()
    await eventually(
      () => page.getByRole('button', { name: 'Advance', exact: true }).isDisabled(),
      true,
      typed,
    )
  }
  await page.context().close()
})

test('relative times use the clock, also after another user advances it', options, async () => {
  const advance = async (seconds: number) => {
    const path = '/v1/sandbox/clock/advance'
    const response = await call('POST', path, { token: admin.token, body: { seconds } })
    assert.equal(response.status, 200, response.text)
  }
  await advance(3_600)
  const other = await people.owner()
  const body = { account_id: other.account_id, amount: 900, currency: 'USD', type: 'payment' }
  await call('POST', '/v1/transactions', { token: other.token, body })
  const page = await openPage()
  await openHome(page, url, other)
  const row = page.getByRole('row', { name: /\$9\.00/ })
  await eventually(() => row.locator('time').last().textContent(), /^now$|sec ago|1 min ago/)
  await advance(3 * 3_600)
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await row.locator('time').last().getByText('3 hr ago').waitFor()
  // Sessions use real time.
  await page.goto(`${url}/dashboard/sessions`)
  const logged_in = page.getByRole('table').locator('time').first()
  await eventually(() => logged_in.textContent(), /now|sec ago|min ago/)
  await page.context().close()
})

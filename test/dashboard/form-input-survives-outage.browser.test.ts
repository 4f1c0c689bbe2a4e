// Form input and secrets shown once survive a server outage.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, waitForNetworkIdle } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { recordSecret } from '../support/secrets.ts'
import { makeEndpoint } from '../webhooks/run-dispatcher.ts'

const florin = await startFlorin()
const { people, url } = florin
const options = { skip: no_browser }
const unreachable = 'Could not reach the server. Check your connection and try again.'

async function openEndpoint() {
  const owner = await people.owner()
  const { id } = await makeEndpoint(florin, owner, 'http://localhost:9/hook')
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks/${id}`)
  await page.getByRole('button', { name: 'Rotate' }).waitFor()
  return { page, reads: `**/dashboard/api/v1/webhook_endpoints/${id}` }
}

test('shows a new secret even if reloading the page data fails', options, async () => {
  const { page, reads } = await openEndpoint()
  let fail = () => {}
  const failing = new Promise<void>((resolve) => (fail = resolve))
  let failures = 0
  await page.route(reads, async (route) => {
    await failing
    failures += 1
    await route.fulfill({ status: 400, json: { error: 'invalid_request', message: 'Not now.' } })
  })
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  // Shown before the page data is reloaded, and still shown after reloading failed.
  const secret = page.getByRole('dialog').locator('code', { hasText: 'whsec_' })
  await secret.waitFor()
  recordSecret((await secret.textContent())!)
  await waitForNetworkIdle(page, async () => {
    fail()
    await eventually(async () => failures > 0, true)
  })
  await eventually(() => secret.count(), 1)
  await page.getByRole('button', { name: 'Done' }).click()
  await eventually(() => page.getByText('Could not load this data').count(), 0)
  await page.context().close()
})

test('a form dialog stays open while its request runs', options, async () => {
  const { page } = await openEndpoint()
  let respond = () => {}
  const responded = new Promise<void>((resolve) => (respond = resolve))
  await page.route('**/rotate', async (route) => {
    await responded
    await route.continue()
  })
  await page.getByRole('button', { name: 'Rotate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByText('Working…').waitFor()
  await eventually(
    () => dialog.getByRole('button', { name: 'Cancel', exact: true }).isDisabled(),
    true,
  )
  await page.keyboard.press('Escape')
  respond()
  const secret = dialog.locator('code', { hasText: 'whsec_' })
  await secret.waitFor()
  recordSecret((await secret.textContent())!)
  // The secret cannot be shown again, so only the button closes the dialog.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.waitForTimeout(500)
  await eventually(() => secret.count(), 1, 'the secret after Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.context().close()
})

test('form, dialog and toast report an unreachable server', options, async () => {
  const { page, reads } = await openEndpoint()
  await page.route('**/rotate', (route) => route.abort())
  await page.route(reads, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Rotate' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Rotate secret' }).click()
  await form.getByRole('alert').getByText(unreachable, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Disable' }).click()
  const confirmation = page.getByRole('alertdialog')
  await confirmation.getByRole('button', { name: 'Disable' }).click()
  await confirmation.getByRole('alert').getByText(unreachable, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  // An error toast has no check mark.
  await page.route('**/test', (route) => route.abort())
  await page.getByRole('button', { name: 'Send test event' }).click()
  const toast = page.getByRole('dialog').filter({ hasText: 'Could not send the test event' })
  await eventually(() => toast.locator('.text-red svg').count(), 1)
  await eventually(() => toast.locator('.text-brand').count(), 0)
  await page.context().close()
})

test('a confirm dialog stays open during its action and shows an error', options, async () => {
  const { page, reads } = await openEndpoint()
  let respond = () => {}
  const responded = new Promise<void>((resolve) => (respond = resolve))
  await page.route(reads, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await responded
    const json = { error: 'invalid_request', message: 'Not now.' }
    await route.fulfill({ status: 400, json })
  })
  await page.getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByText('Working…').waitFor()
  await eventually(() => dialog.getByRole('button', { name: /^(Cancel|Don’t)/ }).isDisabled(), true)
  await page.keyboard.press('Escape')
  respond()
  await dialog.getByRole('alert').getByText('Not now.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.context().close()
})

async function openPaid(owner: Owner): Promise<Page> {
  const admin = await people.admin()
  const { account_id, token } = owner
  const payment = { account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const { body } = await florin.call('POST', '/v1/transactions', { token, body: payment })
  const settled = { token: admin.token, body: { outcome: 'succeeded' } }
  await florin.call('POST', `/v1/transactions/${body.id}/settle`, settled)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  const streaming = page.waitForResponse((response) => response.url().includes('/v1/events/stream'))
  await page.goto(`${url}/dashboard/transactions/${body.id}`)
  await streaming
  return page
}

// The event stream updates the page behind the dialog before the retry.
for (const { typed, cents, status } of [
  { typed: '20.00', cents: 2_000, status: 'Partially refunded' },
  { typed: '75.00', cents: 7_500, status: 'Refunded' },
]) {
  test(`retrying a refund of ${typed} after a lost response refunds once`, options, async () => {
    const owner = await people.owner()
    const page = await openPaid(owner)
    let lost = true
    await page.route('**/dashboard/api/v1/transactions', async (route) => {
      if (!lost) return route.continue()
      // The server creates the refund, but the page never receives the response.
      await route.fetch()
      await route.abort()
    })
    const open = page.getByRole('button', { name: 'Refund', exact: true })
    await open.click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Amount in USD').fill(typed)
    const button = dialog.getByRole('button', { name: `Refund $${typed}` })
    await button.click()
    await page.locator('h1').getByText(status, { exact: true }).waitFor()
    await dialog.getByRole('alert').getByText(unreachable, { exact: true }).waitFor()
    lost = false
    await button.click()
    await page.getByText(`Refund of $${typed} created`).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { token } = owner
    const refunds = await florin.call('GET', '/v1/transactions?type=refund', { token })
    assert.deepEqual(
      refunds.body.data.map(({ amount }: { amount: number }) => amount),
      [cents],
    )
    // After reopening, the dialog offers the amount that is left.
    if (cents === 7_500) await eventually(() => open.count(), 0)
    else {
      await open.click()
      await eventually(() => dialog.getByLabel('Amount in USD').inputValue(), '55.00')
    }
    await page.context().close()
  })
}

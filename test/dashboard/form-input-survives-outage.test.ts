// What somebody types, or is told once, outlives a server that does not answer for a while.

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
const away = 'The server does not answer. Is it running?'

async function openEndpoint() {
  const owner = await people.owner()
  const { id } = await makeEndpoint(florin, owner, 'http://localhost:9/hook')
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks/${id}`)
  await page.getByRole('button', { name: 'Rotate' }).waitFor()
  return { page, reads: `**/dashboard/api/v1/webhook_endpoints/${id}` }
}

test('a new secret is shown though the page cannot be loaded again', options, async () => {
  const { page, reads } = await openEndpoint()
  let fail = () => {}
  const failing = new Promise<void>((resolve) => (fail = resolve))
  let refused = 0
  await page.route(reads, async (route) => {
    await failing
    refused += 1
    await route.fulfill({ status: 400, json: { error: 'invalid_request', message: 'Not now.' } })
  })
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  // Before the page has an answer, and after the answer was bad.
  const secret = page.getByRole('dialog').locator('code', { hasText: 'whsec_' })
  await secret.waitFor()
  recordSecret((await secret.textContent())!)
  await waitForNetworkIdle(page, async () => {
    fail()
    await eventually(async () => refused > 0, true)
  })
  await eventually(() => secret.count(), 1)
  await page.getByRole('button', { name: 'Done' }).click()
  await eventually(() => page.getByText('This could not be loaded.').count(), 0)
  await page.context().close()
})

test('a dialog stays open while it works', options, async () => {
  const { page } = await openEndpoint()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/rotate', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Rotate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make a new secret' }).click()
  await dialog.getByText('Working…').waitFor()
  await eventually(
    () => dialog.getByRole('button', { name: 'Cancel', exact: true }).isDisabled(),
    true,
  )
  await page.keyboard.press('Escape')
  answer()
  const secret = dialog.locator('code', { hasText: 'whsec_' })
  await secret.waitFor()
  recordSecret((await secret.textContent())!)
  // Nobody can show it again, so only the one who has it says that it may go.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.waitForTimeout(500)
  await eventually(() => secret.count(), 1, 'the secret after Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.context().close()
})

test('a form and a question say that the server does not answer', options, async () => {
  const { page, reads } = await openEndpoint()
  await page.route('**/rotate', (route) => route.abort())
  await page.route(reads, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Rotate' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Make a new secret' }).click()
  await form.getByRole('alert').getByText(away, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Disable' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Disable' }).click()
  await question.getByRole('alert').getByText(away, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  // What was not done has no tick.
  await page.route('**/test', (route) => route.abort())
  await page.getByRole('button', { name: 'Send test event' }).click()
  const notice = page.getByRole('dialog').filter({ hasText: 'The test event was not sent.' })
  await eventually(() => notice.locator('.text-red svg').count(), 1)
  await eventually(() => notice.locator('.text-brand').count(), 0)
  await page.context().close()
})

test('a question stays open while its deed is done, and tells a refusal', options, async () => {
  const { page, reads } = await openEndpoint()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(reads, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await answered
    const json = { error: 'invalid_request', message: 'Not now.' }
    await route.fulfill({ status: 400, json })
  })
  await page.getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByText('Working…').waitFor()
  await eventually(() => dialog.getByRole('button', { name: /^(Cancel|Don’t)/ }).isDisabled(), true)
  await page.keyboard.press('Escape')
  answer()
  await dialog.getByRole('alert').getByText('Not now.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.context().close()
})

async function openPaid(owner: Owner): Promise<Page> {
  const admin = await people.admin()
  const { account_id, token } = owner
  const asked = { account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const { body } = await florin.call('POST', '/v1/transactions', { token, body: asked })
  const settled = { token: admin.token, body: { outcome: 'succeeded' } }
  await florin.call('POST', `/v1/transactions/${body.id}/settle`, settled)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  const streaming = page.waitForResponse((answer) => answer.url().includes('/v1/events/stream'))
  await page.goto(`${url}/dashboard/transactions/${body.id}`)
  await streaming
  return page
}

// The page behind the dialog learns of the refund from the event stream before the retry.
for (const { typed, cents, status } of [
  { typed: '20.00', cents: 2_000, status: 'Partially refunded' },
  { typed: '75.00', cents: 7_500, status: 'Refunded' },
]) {
  test(`a refund of ${typed} whose response is lost is made once`, options, async () => {
    const owner = await people.owner()
    const page = await openPaid(owner)
    let lost = true
    await page.route('**/dashboard/api/v1/transactions', async (route) => {
      if (!lost) return route.continue()
      // The server does it, and the page does not hear of it.
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
    await dialog.getByRole('alert').getByText(away, { exact: true }).waitFor()
    lost = false
    await button.click()
    await page.getByText(`$${typed} is being refunded.`).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { token } = owner
    const refunds = await florin.call('GET', '/v1/transactions?type=refund', { token })
    assert.deepEqual(
      refunds.body.data.map(({ amount }: { amount: number }) => amount),
      [cents],
    )
    // Opened again, the dialog offers what is left now.
    if (cents === 7_500) await eventually(() => open.count(), 0)
    else {
      await open.click()
      await eventually(() => dialog.getByLabel('Amount in USD').inputValue(), '55.00')
    }
    await page.context().close()
  })
}

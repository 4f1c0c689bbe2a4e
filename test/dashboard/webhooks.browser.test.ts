// Webhook endpoints and deliveries in the browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { clickAndReadClipboard, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'
import { makeEndpoint, makeTransaction, startDispatcher } from '../webhooks/run-dispatcher.ts'
import { startSink, verify } from '../webhooks/sink.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

async function readSecret(page: Page): Promise<string> {
  const shown = page.getByRole('dialog').locator('code', { hasText: 'whsec_' })
  const secret = (await shown.textContent())!
  recordSecret(secret)
  return secret
}

const permissions = ['clipboard-read', 'clipboard-write']

test('adds an endpoint, shows its secret once and sends a test event', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin)
  const owner = await people.owner()
  const page = await openPage({ permissions })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks`)
  await page.getByText('No webhook endpoints yet').waitFor()
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook')
  await dialog.getByLabel('All events').uncheck()
  const names = dialog.getByRole('group', { name: 'Events' }).locator('label > span')
  const wide = (spans: { scrollWidth: number; clientWidth: number }[]) =>
    spans.filter((span) => span.scrollWidth > span.clientWidth).length
  await names.nth(10).waitFor()
  await eventually(() => names.evaluateAll(wide as never), 0, 'overflowing names')
  await eventually(() => dialog.getByRole('button', { name: 'Add endpoint' }).isDisabled(), true)
  await dialog.getByLabel('transaction.*').check()
  await eventually(() => dialog.getByLabel('transaction.succeeded').isDisabled(), true)
  await dialog.getByLabel('payment.failed').check()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('URL').fill(sink.url)
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = await readSecret(page)
  const copy = dialog.getByRole('button', { name: 'Copy signing secret' })
  assert.equal(await clickAndReadClipboard(page, copy), secret)
  const [created] = (await call('GET', '/v1/webhook_endpoints', { token: owner.token })).body.data
  assert.deepEqual(created.events, ['transaction.*', 'payment.failed'])

  await dialog.getByRole('link', { name: 'View endpoint' }).click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.waitForURL(/deliveries\/wd_/)
  await page.getByRole('region', { name: 'Attempts' }).getByText('Attempt 1: 200').waitFor()
  assert.doesNotMatch((await page.textContent('body'))!, /whsec_/)
  verify(sink.received[0]!, secret)
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await eventually(() => response.textContent(), /ok/)
  const headers = page.getByRole('region', { name: 'Request headers' })
  await eventually(() => headers.textContent(), /webhook-id: evt_/)
  const body = page.getByRole('region', { name: 'Request body' })
  await eventually(() => body.textContent(), /webhook_endpoint\.test/)
  await page.context().close()
})

test('edits, rotates, disables, enables and deletes an endpoint', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await people.owner()
  const { id } = await makeEndpoint(florin, owner, sink.url)
  const path = `/v1/webhook_endpoints/${id}`
  const read = async () => (await call('GET', path, { token: owner.token })).body
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('URL').fill(`${sink.url}/moved`)
  await page.getByLabel('All events').uncheck()
  await page.getByLabel('account.closed').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: `${sink.url}/moved` }).waitFor()
  assert.deepEqual((await read()).events, ['account.closed'])

  const secrets = page.getByRole('region', { name: 'Signing secret' })
  await secrets.getByText('1 secret').waitFor()
  await secrets.getByRole('button', { name: 'Rotate' }).click()
  await page.getByLabel('Keep the old secret valid for').selectOption('1 hour')
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await readSecret(page)
  // A click outside does not close the dialog.
  await page.mouse.click(5, 5)
  await page.getByRole('button', { name: 'Done' }).click()
  await secrets.getByText('2 secrets').waitFor()
  assert.notEqual((await read()).previous_secret_expires_at, null)

  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByRole('button', { name: 'Disable endpoint' }).click()
  await page.getByText('This endpoint is disabled and receives no events.').waitFor()
  assert.equal((await read()).status, 'disabled')
  await eventually(() => page.getByRole('button', { name: 'Send test event' }).count(), 0)
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await page.getByRole('button', { name: 'Enable endpoint' }).click()
  await page.getByRole('button', { name: 'Send test event' }).waitFor()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete endpoint' }).click()
  await page.waitForURL(`${url}/dashboard/webhooks`)
  await page.getByText('No webhook endpoints yet').waitFor()
  assert.equal((await call('GET', path, { token: owner.token })).status, 404)
  await page.context().close()
})

test('shows why a delivery failed, and resends it', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  let broken = true
  sink.respond = (_, response) => {
    if (broken) response.writeHead(500).end('<h1>no database</h1>')
    else response.end('{"fine":true}')
  }
  const owner = await people.owner()
  const { id } = await makeEndpoint(florin, owner, sink.url)
  const dispatcher = startDispatcher(t, florin)
  await makeTransaction(florin, owner)
  await sink.until(1)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks/${id}?status=failed`)
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByText('Retrying', { exact: true })
    .waitFor()
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').click()
  const attempts = page.getByRole('region', { name: 'Attempts' })
  await attempts.getByText('Next attempt').waitFor()
  await attempts.getByText('Attempt 1: 500').waitFor()
  await attempts.getByText('Response body').first().click()
  await attempts.getByText('<h1>no database</h1>').first().waitFor()
  broken = false
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resend' }).click()
  await attempts.getByText(/Attempt \d: 200/).waitFor()
  await page.getByRole('heading', { level: 1 }).getByText('Delivered').waitFor()
  await page.getByText('"fine"').first().waitFor()
  await dispatcher.stop()

  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByLabel('Status').selectOption('failed')
  await page.waitForURL(/status=failed/)
  await page.getByText('No failed deliveries').waitFor()
  await page.getByLabel('Status').selectOption('delivered')
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').waitFor()
  await page.context().close()
})

test("replays events since a time in the account's time zone", options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await people.owner()
  await call('PATCH', '/v1/account', {
    token: owner.token,
    body: { settings: { timezone: 'Asia/Tokyo' } },
  })
  await makeTransaction(florin, owner)
  const { id } = await makeEndpoint(florin, owner, sink.url, ['transaction.created'])
  startDispatcher(t, florin)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks/${id}`)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('In Asia/Tokyo. Events').waitFor()
  const sent = page.waitForRequest((request) => request.url().endsWith('/replay'))
  await page.getByLabel('Since').fill('2026-01-31T09:30')
  await page.getByRole('button', { name: 'Replay events' }).click()
  assert.deepEqual((await sent).postDataJSON(), { since: '2026-01-31T00:30:00.000Z' })
  await page.getByText('Replay started').waitFor()
  const [received] = await sink.until(1)
  assert.equal(received!.event.type, 'transaction.created')
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('link', { name: 'transaction.created' })
    .waitFor()
  await page.context().close()
})

test('the list of all deliveries shows their endpoints, also on a phone', options, async (t) => {
  const owner = await people.owner()
  const sinks = [await startSink(), await startSink()]
  for (const sink of sinks) t.after(() => sink.stop())
  for (const sink of sinks) await makeEndpoint(florin, owner, sink.url, ['transaction.created'])
  startDispatcher(t, florin)
  await makeTransaction(florin, owner)
  for (const sink of sinks) await sink.until(1)
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks`)
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByRole('columnheader', { name: 'Endpoint' }).waitFor()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const sink of sinks) {
      await deliveries.getByText(sink.url).locator('visible=true').waitFor()
    }
  }
  // The page of one endpoint does not repeat its URL.
  await page.getByRole('link', { name: sinks[0]!.url }).click()
  await page.getByRole('button', { name: 'Send test event' }).waitFor()
  await deliveries.locator('tbody tr').first().waitFor()
  await eventually(() => deliveries.getByText(sinks[0]!.url).count(), 0)
  await page.context().close()
})

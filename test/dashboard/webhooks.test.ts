// Webhooks in the dashboard: an endpoint from its creation to its end, and its deliveries.

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

async function secretShown(page: Page): Promise<string> {
  const shown = page.getByRole('dialog').locator('code', { hasText: 'whsec_' })
  const secret = (await shown.textContent())!
  recordSecret(secret)
  return secret
}

const permissions = ['clipboard-read', 'clipboard-write']

test('an endpoint is added, its secret shown once, and a test event sent', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  startDispatcher(t, florin)
  const owner = await people.owner()
  const page = await openPage({ permissions })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/webhooks`)
  await page.getByText('No webhook endpoints yet.').waitFor()
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook')
  await dialog.getByLabel('All events').uncheck()
  const names = dialog.getByRole('group', { name: 'Events' }).locator('label > span')
  const wide = (spans: { scrollWidth: number; clientWidth: number }[]) =>
    spans.filter((span) => span.scrollWidth > span.clientWidth).length
  await names.nth(10).waitFor()
  await eventually(() => names.evaluateAll(wide as never), 0, 'names that run over the next')
  await eventually(() => dialog.getByRole('button', { name: 'Add endpoint' }).isDisabled(), true)
  await dialog.getByLabel('transaction.*').check()
  await eventually(() => dialog.getByLabel('transaction.succeeded').isDisabled(), true)
  await dialog.getByLabel('payment.failed').check()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('URL').fill(sink.url)
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = await secretShown(page)
  const copied = dialog.getByRole('button', { name: 'Copy the signing secret' })
  assert.equal(await clickAndReadClipboard(page, copied), secret)
  const [made] = (await call('GET', '/v1/webhook_endpoints', { token: owner.token })).body.data
  assert.deepEqual(made.events, ['transaction.*', 'payment.failed'])

  await dialog.getByRole('link', { name: 'Open the endpoint' }).click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.waitForURL(/deliveries\/wd_/)
  await page.getByRole('region', { name: 'Attempts' }).getByText('Attempt 1: 200').waitFor()
  assert.doesNotMatch((await page.textContent('body'))!, /whsec_/)
  verify(sink.received[0]!, secret)
  const answer = page.getByRole('region', { name: 'Response', exact: true })
  await eventually(() => answer.textContent(), /ok/)
  const headers = page.getByRole('region', { name: 'The headers of the request' })
  await eventually(() => headers.textContent(), /webhook-id: evt_/)
  const body = page.getByRole('region', { name: 'The body of the request' })
  await eventually(() => body.textContent(), /webhook_endpoint\.test/)
  await page.context().close()
})

test('an endpoint is edited, disabled, enabled, rotated and deleted', options, async (t) => {
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
  await page.getByLabel('The old secret signs too').selectOption('For an hour')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await secretShown(page)
  // A press beside it does not throw the secret away.
  await page.mouse.click(5, 5)
  await page.getByRole('button', { name: 'Done' }).click()
  await secrets.getByText('2 secrets').waitFor()
  assert.notEqual((await read()).previous_secret_expires_at, null)

  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByRole('button', { name: 'Disable endpoint' }).click()
  await page.getByText('It is disabled. Nothing is sent to it.').waitFor()
  assert.equal((await read()).status, 'disabled')
  await eventually(() => page.getByRole('button', { name: 'Send test event' }).count(), 0)
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await page.getByRole('button', { name: 'Enable endpoint' }).click()
  await page.getByRole('button', { name: 'Send test event' }).waitFor()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete endpoint' }).click()
  await page.waitForURL(`${url}/dashboard/webhooks`)
  await page.getByText('No webhook endpoints yet.').waitFor()
  assert.equal((await call('GET', path, { token: owner.token })).status, 404)
  await page.context().close()
})

test('a delivery that failed tells why, and is sent again', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  let broken = true
  sink.respond = (_, response) => {
    if (broken) response.writeHead(500).end('<h1>no database</h1>')
    else response.end('{"fine":true}')
  }
  const owner = await people.owner()
  const { id } = await makeEndpoint(florin, owner, sink.url)
  const postman = startDispatcher(t, florin)
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
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click()
  await attempts.getByText(/Attempt \d: 200/).waitFor()
  await page.getByRole('heading', { level: 1 }).getByText('Delivered').waitFor()
  await page.getByText('"fine"').first().waitFor()
  await postman.stop()

  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByLabel('Status').selectOption('failed')
  await page.waitForURL(/status=failed/)
  await page.getByText('No failed deliveries.').waitFor()
  await page.getByLabel('Status').selectOption('delivered')
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').waitFor()
  await page.context().close()
})

test('past events are sent again since a time in the zone of the account', options, async (t) => {
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
  await page.getByText('The replay has begun.').waitFor()
  const [received] = await sink.until(1)
  assert.equal(received!.event.type, 'transaction.created')
  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('link', { name: 'transaction.created' })
    .waitFor()
  await page.context().close()
})

test('deliveries of all endpoints say where each went, on a phone too', options, async (t) => {
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
  // On the page of one endpoint all went there.
  await page.getByRole('link', { name: sinks[0]!.url }).click()
  await page.getByRole('button', { name: 'Send test event' }).waitFor()
  await deliveries.locator('tbody tr').first().waitFor()
  await eventually(() => deliveries.getByText(sinks[0]!.url).count(), 0)
  await page.context().close()
})

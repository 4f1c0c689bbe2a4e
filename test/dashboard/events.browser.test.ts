// The event pages: list, type filter, live updates, and an event with its deliveries.

import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { find, logInToDashboard, openHome } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { makeEndpoint, makeTransaction, startDispatcher } from '../webhooks/run-dispatcher.ts'
import { startSink } from '../webhooks/sink.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

test('filters events by type and stores the filter in the URL', options, async () => {
  const owner = await people.owner()
  await makeTransaction(florin, owner)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/events`)
  const table = page.getByRole('table', { name: 'Events' })
  await table.getByRole('link', { name: 'account.created' }).waitFor()
  await page.getByLabel('Type').selectOption('transaction.*')
  await page.waitForURL(/type=transaction\.\*/)
  await table.getByRole('link', { name: 'transaction.created' }).waitFor()
  await eventually(() => table.getByRole('link').count(), 1)
  await page.reload()
  await table.getByRole('link', { name: 'transaction.created' }).waitFor()
  await eventually(() => table.getByRole('link').count(), 1)
  await page.getByLabel('Type').selectOption('payment.failed')
  await page.getByText('No events of this type yet').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await table.getByRole('link', { name: 'account.created' }).waitFor()
  await page.context().close()
})

test('new events appear once in the open list', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  const opened = page.waitForResponse((response) => response.url().includes('/v1/events/stream'))
  await page.goto(`${url}/dashboard/events`)
  const rows = page.getByRole('table', { name: 'Events' }).getByRole('link')
  await rows.first().waitFor()
  const before = await rows.count()
  await opened
  await page.getByText('Live', { exact: true }).waitFor()
  for (let more = 0; more < 3; more++) await makeTransaction(florin, owner)
  await eventually(() => rows.count(), before + 3)
  await eventually(() => rows.first().textContent(), /^transaction\.created/)
  await page.context().close()
})

test('an event shows its data and deliveries', options, async (t) => {
  const sink = await startSink()
  t.after(() => sink.stop())
  const owner = await people.owner()
  await makeEndpoint(florin, owner, sink.url)
  startDispatcher(t, florin)
  const id = await makeTransaction(florin, owner)
  await sink.until(1)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/events?type=transaction.created`)
  await page.getByRole('table', { name: 'Events' }).getByRole('link').click()
  await page.getByRole('heading', { name: 'transaction.created', level: 1 }).waitFor()
  const data = page.getByRole('region', { name: 'Object at the time of the event' })
  await eventually(() => data.textContent(), new RegExp(`"id": "${id}"`))
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByText(sink.url).waitFor()
  await deliveries.getByRole('link').click()
  await page.getByRole('heading', { name: /transaction\.created/, level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: /^evt_/ }).click()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: /^txn_/ }).click()
  await page.waitForURL(`${url}/dashboard/transactions/${id}`)
  await page.context().close()
})

test('admins must choose an account, and members see no deliveries', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInToDashboard(page, url, await people.admin())
  await page.goto(`${url}/dashboard/events`)
  await page.getByText('Choose an account', { exact: true }).waitFor()
  await page.goto(`${url}/dashboard/events?account=${owner.account_id}`)
  await page.getByRole('link', { name: 'account.created' }).click()
  await page.getByRole('region', { name: 'Deliveries' }).waitFor()
  await page.context().close()
  const events = await call('GET', '/v1/events', { token: owner.token })
  const other = await openPage()
  await logInToDashboard(other, url, await people.member(owner))
  await other.goto(`${url}/dashboard/events/${events.body.data[0].id}`)
  await other.getByRole('region', { name: 'Details' }).waitFor()
  await eventually(() => other.getByRole('region', { name: 'Deliveries' }).count(), 0)
  await other.context().close()
})

test('admins find an event by id only in the selected account', options, async () => {
  const owner = await people.owner()
  const events = await call('GET', '/v1/events', { token: owner.token })
  const { id } = events.body.data[0]
  const page = await openPage()
  await openHome(page, url, await people.admin())
  await find(page, id)
  await page.getByText('No results.').waitFor()
  // Switches without a page load, so the cached search without an account remains.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account: All accounts/ }).click()
  await page.getByLabel('Name, email or ID').fill(owner.account_id)
  await page.keyboard.press('Enter')
  await page.waitForURL(/account=/)
  await find(page, id)
  await page.waitForURL(`${url}/dashboard/events/${id}?account=${owner.account_id}`)
  await page.context().close()
})

test(
  'an account event links to Settings for its owner, and to the account for an admin',
  options,
  async () => {
    const owner = await people.owner()
    const events = await call('GET', '/v1/events?type=account.created', { token: owner.token })
    const path = `/dashboard/events/${events.body.data[0].id}`
    const own = await openPage()
    await logInToDashboard(own, url, owner)
    await own.goto(url + path)
    await own
      .getByRole('region', { name: 'Details' })
      .getByRole('link', { name: /^acct_/ })
      .click()
    await own.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await own.context().close()
    const page = await openPage()
    await logInToDashboard(page, url, await people.admin())
    await page.goto(`${url}${path}?account=${owner.account_id}`)
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('link', { name: /^acct_/ })
      .click()
    await page.waitForURL(new RegExp(`/dashboard/accounts/${owner.account_id}`))
    await page.context().close()
  },
)

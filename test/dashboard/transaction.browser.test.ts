// The transaction page, the CSV export and the search.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { find, logInToDashboard, unfold, waitForNetworkIdle } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import type { Owner } from '../support/people.ts'
import { recordSecret } from '../support/secrets.ts'
import { startDispatcher } from '../webhooks/run-dispatcher.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }
const admin = await people.admin()

async function move(owner: Owner, type: string, amount: number, reference: string) {
  const body = { account_id: owner.account_id, amount, currency: 'USD', type, reference }
  const created = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(created.status, 201, created.text)
  return created.body.id as string
}

async function settle(id: string): Promise<void> {
  const path = `/v1/transactions/${id}/settle`
  const { status } = await call('POST', path, {
    token: admin.token,
    body: { outcome: 'succeeded' },
  })
  assert.equal(status, 200)
}

test('a payment shows its events, refunds and postings', options, async () => {
  const owner = await people.owner()
  // The reference of a payment may look like an id; only a refund refers to a transaction.
  const id = await move(owner, 'payment', 7_500, 'txn_order-1')
  await settle(id)
  const refund = await move(owner, 'refund', 2_000, id)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('transaction.succeeded').waitFor()
  await timeline.getByText('Refund of $20.00').waitFor()
  const titles = async () =>
    (await timeline.getByRole('listitem').allTextContents()).map(
      (text) => /^(Refund of|Succeeded|Created)/.exec(text)?.[0],
    )
  await eventually(titles, ['Refund of', 'Succeeded', 'Created'])
  const postings = page.getByRole('region', { name: 'Postings' }).getByRole('listitem')
  const posting = (at: number) => () => postings.nth(at).textContent()
  await eventually(posting(0), /^ExternaltoIncoming\$75\.00#\d+ .*Available balance: \$0\.00$/)
  await eventually(posting(1), /^IncomingtoAvailable\$75\.00#\d+ .*Available balance: \$75\.00$/)
  await unfold(page, 'Developer details')
  const json = page.getByRole('region', { name: 'Transaction as JSON' })
  const { text } = await call('GET', `/v1/transactions/${id}`, { token: owner.token })
  await eventually(async () => JSON.parse((await json.textContent())!), JSON.parse(text))
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('txn_order-1', { exact: true }).waitFor()
  await eventually(() => details.getByText('Refund for').count(), 0)
  // The dialog offers the refundable amount.
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('The operator of this service sends it to the customer.').waitFor()
  await dialog.getByLabel('Amount in USD').fill('1.234')
  await dialog.getByText('1.234 is ambiguous. Enter 1234 or 1234.00.').waitFor()
  // The limit is checked in the browser and shown in major units.
  await dialog.getByText('You can refund up to $55.00.').waitFor({ state: 'detached' })
  await dialog.getByLabel('Amount in USD').fill('100')
  await dialog.getByText('You can refund up to $55.00.').waitFor()
  await eventually(() => dialog.getByRole('button', { name: /^Refund/ }).isDisabled(), true)
  await dialog.getByLabel('Amount in USD').fill('55')
  await page.getByRole('button', { name: 'Refund $55.00' }).click()
  await page.getByText('Refund of $55.00 created').waitFor()
  await timeline.getByText('Refund of $55.00').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Refund' }).count(), 0)
  await timeline.getByRole('link', { name: 'Refund of $20.00' }).click()
  await page.waitForURL(`${url}/dashboard/transactions/${refund}`)
  await page.getByRole('button', { name: 'Cancel refund' }).waitFor()
  await details.getByText('Refund for').waitFor()
  await page.getByRole('link', { name: 'Transactions', exact: true }).first().click()
  const table = page.getByRole('table', { name: 'Transactions' })
  await table.getByTitle('txn_order-1').waitFor()
  await page.context().close()
})

test('the refund dialog does not keep the input of another payment', options, async () => {
  const owner = await people.owner()
  const ids = [await move(owner, 'payment', 7_500, 'one'), await move(owner, 'payment', 7_500, 'b')]
  for (const id of ids) await settle(id)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions/${ids[0]}`)
  await page.getByRole('button', { name: 'Refund' }).waitFor()
  await find(page, ids[1]!)
  await page.waitForURL(`${url}/dashboard/transactions/${ids[1]}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const field = page.getByRole('alertdialog').getByLabel('Amount in USD')
  await field.fill('20')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  // The first page is still cached.
  await page.goBack()
  await page.waitForURL(`${url}/dashboard/transactions/${ids[0]}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  await eventually(() => field.inputValue(), '75.00')
  await page.context().close()
})

test('an admin without a selected account sees the same page', options, async () => {
  const owner = await people.owner()
  const id = await move(owner, 'payment', 3_100, 'for the admin')
  await settle(id)
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/transactions/${id}`)
  await page.getByText('transaction.succeeded').waitFor()
  await page
    .getByRole('region', { name: 'Postings' })
    .getByText('Available', { exact: true })
    .waitFor()
  await page.context().close()
})

const receiver = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(204).end())
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
after(() => new Promise((resolve) => receiver.close(resolve)))

test('the timeline shows the webhook deliveries of its events', options, async (t) => {
  const owner = await people.owner()
  const { port } = receiver.address() as AddressInfo
  const endpoint = await call('POST', '/v1/webhook_endpoints', {
    token: owner.token,
    body: { url: `http://127.0.0.1:${port}/hook`, events: ['*'] },
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  recordSecret(endpoint.body.secret)
  const id = await move(owner, 'payment', 6_400, 'delivered')
  startDispatcher(t, florin)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions/${id}`)
  const delivery = page.getByText(/Delivery to we_.*, 1 attempt, response 204/)
  // The delivery takes about a second, and the page loads it only when it is opened.
  for (let reloads = 0; reloads < 20 && (await delivery.count()) === 0; reloads++) {
    await waitForNetworkIdle(page, () => page.reload())
  }
  await delivery.waitFor()
  await page.context().close()
})

test('exports the filtered list as CSV', options, async () => {
  const owner = await people.owner()
  const references = ['=1+1', ...Array.from({ length: 102 }, (_, at) => `c-${at}`)]
  await Promise.all(references.map((reference) => move(owner, 'credit', 100, reference)))
  const paid = await move(owner, 'payment', 5_000, 'paid')
  await settle(paid)
  await settle(await move(owner, 'refund', 1_250, paid))
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  const save = async (search: string) => {
    await page.goto(`${url}/dashboard/transactions${search}`)
    await page.getByRole('table', { name: 'Transactions' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    return parseCsv(readFileSync(await file.path(), 'utf8'))
  }
  const pending = await save('?status=pending')
  assert.equal(pending.length, 104)
  assert.ok(pending.flat().includes("'=1+1"))
  const all = await save('')
  assert.equal(all.length, 106)
  // Decimal amounts, UTC and local times, and the column names of statement.csv.
  const columns = ['type', 'status', 'reference', 'customer_email', 'currency', 'amount']
  assert.deepEqual(all[0]!.slice(0, 9), ['id', 'created_at', 'created_at_local', ...columns])
  assert.deepEqual(all[1]!.slice(3, 9), ['refund', 'succeeded', paid, '', 'USD', '-12.50'])
  assert.match(all[1]![1]!, /Z$/)
  assert.match(all[1]![2]!, /[+-]\d\d:\d\d$/)
  await page.context().close()
})

test('limits the CSV to 10,000 rows, with a notice', options, async () => {
  const owner = await people.owner()
  const id = await move(owner, 'credit', 100, 'one of many')
  const { body } = await call('GET', `/v1/transactions/${id}`, { token: owner.token })
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  // A list without end, because creating this many transactions is slow.
  let made = 0
  const more = () => ({ ...body, id: `txn_${String(made++).padStart(26, '0')}` })
  await page.route('**/dashboard/api/v1/transactions?*', (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit'))
    return route.fulfill({ json: { data: Array.from({ length: limit }, more), has_more: true } })
  })
  await page.route('**/dashboard/api/v1/transaction_details?*', (route) =>
    route.fulfill({ json: { data: [] } }),
  )
  await page.route('**/dashboard/api/v1/list_counts/transactions*', (route) =>
    route.fulfill({ json: { count: 10_000, is_exact: false } }),
  )
  await page.goto(`${url}/dashboard/transactions`)
  await page.getByText('1–20 of 10,000+').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  await page.getByText('Exported the newest 10,000 transactions').waitFor()
  const lines = parseCsv(readFileSync(await file.path(), 'utf8'))
  assert.equal(lines.length, 10_001)
  assert.equal(new Set(lines.map(([id]) => id)).size, 10_001)
  await page.context().close()
})

test("interprets filter days in the account's time zone", options, async () => {
  const owner = await people.owner()
  await call('PATCH', '/v1/account', {
    token: owner.token,
    body: { settings: { timezone: 'Pacific/Kiritimati' } },
  })
  await move(owner, 'payment', 1_400, 'ahead')
  const requested: string[] = []
  const page = await openPage()
  page.on('request', (request) => requested.push(decodeURIComponent(request.url())))
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions?date_from=2026-01-02&date_to=2026-01-02`)
  await page.getByText('No transactions match these filters').waitFor()
  const lists = requested.filter(
    (one) => one.includes('date_from') && one.includes('/v1/transactions?'),
  )
  assert.equal(lists.length, 1)
  // Fourteen hours ahead of UTC.
  assert.match(lists[0]!, /date_from=2026-01-01T10:00:00.000Z&date_to=2026-01-02T09:59:59.999Z/)
  await page.context().close()
})

test("formats amounts in the account's language and dates in English", options, async () => {
  const owner = await people.owner()
  const body = { settings: { language: 'de-DE', timezone: 'Europe/Berlin' } }
  await call('PATCH', '/v1/account', { token: owner.token, body })
  await move(owner, 'payment', 1_234_500, 'Rechnung')
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/transactions`)
  const row = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr').first()
  await eventually(() => row.getByRole('link').textContent(), /^12\.345,00\s\$ Rechnung$/)
  await eventually(() => row.locator('time').last().textContent(), /^now$|ago$/)
  // The tooltip shows the exact time.
  const title = await row.locator('time').last().getAttribute('title')
  assert.match(title!, /^\d{1,2} [A-Z][a-z]{2,3} \d{4}, [\d:]+ \(Europe\/Berlin\)$/)
  await page.context().close()
})

test('searching an id takes an admin to its account', options, async () => {
  const owner = await people.owner()
  const other = await people.owner()
  const id = await move(owner, 'payment', 8_800, 'found')
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/transactions?account=${other.account_id}`)
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await find(page, id)
  await page.getByRole('heading', { name: '$88.00' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await find(page, 'txn_01h455vb4pex5vsknk084sn02q')
  await page.getByText('No results.').waitFor()
  await page.keyboard.press('Escape')
  await page.context().close()
})

test('shows an error with a retry when related records fail to load', options, async () => {
  const owner = await people.owner()
  const id = await move(owner, 'payment', 5_500, 'partly loaded')
  await settle(id)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  let broken = true
  await page.route('**/dashboard/api/v1/transaction_details?*', (route) =>
    broken ? route.abort() : route.continue(),
  )
  await page.goto(`${url}/dashboard/transactions/${id}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Could not reach the server.').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Refund' }).count(), 0)
  broken = false
  await timeline.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Refund' }).waitFor()
  await timeline.getByText('Could not reach the server.').waitFor({ state: 'detached' })
  await page.context().close()
})

// The statement page, its CSV and its print layout.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import type { Owner } from '../support/people.ts'
import { waitForNoon } from '../transactions/due.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }
const admin = await people.admin()

async function settled(owner: Owner, type: string, amount: number, reference: string) {
  const body = { account_id: owner.account_id, amount, currency: 'USD', type, reference }
  const created = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(created.status, 201, created.text)
  const path = `/v1/transactions/${created.body.id}/settle`
  await call('POST', path, { token: admin.token, body: { outcome: 'succeeded' } })
  return created.body.id as string
}

/** More than one page of lines, but few enough that the chart is not sampled by day. */
async function ownerWithHistory(): Promise<Owner> {
  const owner = await people.owner()
  for (let at = 1; at <= 24; at++) await settled(owner, 'payment', at * 100, `txn_order-${at}`)
  await settled(owner, 'refund', 5_000, 'goodwill, "sorry"')
  return owner
}

await waitForNoon(florin)
const owner = await ownerWithHistory()

test('shows the balance as chart and table, for the period in the URL', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement`)
  const figures = page.getByRole('region', { name: 'Balances' })
  await figures.getByText('$250.00').first().waitFor()
  await figures.getByText('$0.00').waitFor()
  await page.locator('svg.recharts-surface').waitFor()
  const rows = page.getByRole('table', { name: 'Activity' }).locator('tbody tr')
  await page.getByText('1–20', { exact: true }).waitFor()
  const cell = (at: number) => () => rows.nth(0).locator('td').nth(at).textContent()
  // Some cells also contain the folded values for phones.
  await eventually(cell(0), /^Refund/)
  await eventually(cell(4), /^−\$50\.00/)
  await eventually(cell(5), '$250.00')
  // Statements show absolute times only.
  await eventually(cell(3), /^[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2} [AP]M$/)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('1–25 of 25').waitFor()
  // The reference of a payment is never a link, even if it looks like an id.
  await rows.nth(24).getByText('txn_order-1', { exact: true }).waitFor()
  await eventually(() => rows.nth(24).getByRole('link').count(), 1)
  await page.getByRole('link', { name: 'Last month' }).click()
  await page.getByText('No activity in this period').first().waitFor()
  const { searchParams } = new URL(page.url())
  assert.match(searchParams.get('from')!, /^\d{4}-\d{2}-01$/)
  await page.reload()
  await page.getByText('No activity in this period').first().waitFor()
  await eventually(() => page.getByLabel('From').inputValue(), searchParams.get('from'))
  await page.context().close()
})

test('the CSV contains the lines of the selected period', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('1–20', { exact: true }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  assert.match(file.suggestedFilename(), /^statement-\d{4}-\d{2}-\d{2}-\d{4}-\d{2}-\d{2}\.csv$/)
  const records = parseCsv(readFileSync(await file.path(), 'utf8'))
  assert.equal(records.length, 26)
  await page.getByRole('button', { name: 'Export journal' }).click()
  await page.getByLabel('Format').selectOption('hledger')
  await assertAccessible(page, 'the form of the journal')
  const [journal] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  assert.match(journal.suggestedFilename(), /^journal-\d{4}-\d{2}-\d{2}-[-0-9]{10}\.journal$/)
  assert.match(readFileSync(await journal.path(), 'utf8'), /Assets:Florin:Available/)
  await page.context().close()
})

test('prints all lines, oldest first, with opening and closing balance', options, async () => {
  const page = await openPage({ colorScheme: 'dark' })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('1–20', { exact: true }).waitFor()
  const summary = async () => (await page.locator('dl:visible').allTextContents()).join(' ')
  // Printing from the browser menu covers only the loaded lines, with a note.
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Only the latest 20 transactions are shown. Use Print').waitFor()
  await eventually(
    summary,
    /Balance before\$15\.00In \(shown\)\$285\.00Out \(shown\)−\$50\.00Closing balance\$250/,
  )
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate('window.print = () => { window.printed = true }')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByText('1–25 of 25').waitFor()
  for (let checks = 0; checks < 50 && !(await page.evaluate('window.printed')); checks++) {
    await page.waitForTimeout(100)
  }
  await eventually(() => page.evaluate('window.printed'), true)
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Account statement').waitFor()
  await eventually(() => page.getByRole('navigation', { name: 'Main' }).isVisible(), false)
  await eventually(() => page.getByRole('button', { name: 'Print' }).isVisible(), false)
  const lines = page.locator('table:visible tbody tr')
  await eventually(() => lines.count(), 25)
  await eventually(() => lines.nth(0).textContent(), /Paymenttxn_order-1txn_/)
  await eventually(() => lines.nth(24).textContent(), /goodwill/)
  await eventually(summary, /Opening balance\$0\.00In\$300\.00Out−\$50\.00Closing balance\$250\.00/)
  await eventually(
    () => page.evaluate('getComputedStyle(document.documentElement).colorScheme'),
    'light',
  )
  await assertAccessible(page, 'the print layout')
  const pdf = await page.pdf({ format: 'A4' })
  assert.ok(pdf.length > 10_000)
  await page.context().close()
})

test('an admin downloads the CSV of the account in the URL', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('Choose an account', { exact: true }).waitFor()
  await page.goto(`${url}/dashboard/statement?account=${owner.account_id}`)
  await page.getByText('1–20', { exact: true }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  assert.equal(parseCsv(readFileSync(await file.path(), 'utf8')).length, 26)
  await page.context().close()
})

test('with many lines the chart samples the balance by day', options, async () => {
  const busy = await people.owner()
  await Promise.all(
    Array.from({ length: 101 }, (_, at) => settled(busy, 'credit', 100, `credit-${at}`)),
  )
  const page = await openPage()
  await logInToDashboard(page, url, busy)
  await page.goto(`${url}/dashboard/statement`)
  const figures = page.getByRole('region', { name: 'Balances' })
  await figures.getByText('$101.00').first().waitFor()
  await page.locator('svg.recharts-surface').waitFor()
  await page.context().close()
})

test('ignores invalid days in the URL', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement?from=2026-02-31&to=not-a-day`)
  await page.getByRole('region', { name: 'Balances' }).getByText('$250.00').first().waitFor()
  await page.goto(`${url}/dashboard/transactions?status=lost&date_from=2026-13-45`)
  await page.getByText(/^1–20 of \d+$/).waitFor()
  await page.context().close()
})

test('shows no amounts and days until the account is loaded', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  let broken = true
  await page.route('**/dashboard/api/v1/account', (route) =>
    broken ? route.abort() : route.continue(),
  )
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('Could not load this data').waitFor()
  await eventually(() => page.getByRole('table').count(), 0)
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Balances' }).getByText('$250.00').first().waitFor()
  // Filter days need the account's time zone.
  broken = true
  await page.goto(`${url}/dashboard/transactions?date_from=2020-01-02`)
  await page.getByText('Could not load this data').waitFor()
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/^1–20/).waitFor()
  await page.context().close()
})

test('the print layout reports balances or transactions that did not load', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  let broken = /statement\?(.*&)?limit=(1|100)(&|$)/
  await page.route('**/dashboard/api/v1/account/statement?*', (route) =>
    broken.test(route.request().url()) ? route.abort() : route.continue(),
  )
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('1–20', { exact: true }).waitFor()
  await page.getByText('Could not load this data').waitFor()
  await page.evaluate('window.print = () => { window.printed = true }')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByText('1–25 of 25').waitFor()
  await eventually(() => page.evaluate('window.printed'), true)
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Account statement').waitFor()
  await eventually(() => page.locator('table:visible tbody tr').count(), 25)
  // Each line has the balance after it, so the lines give both balances.
  const balances = async () => (await page.locator('dl:visible').allTextContents()).join(' ')
  await eventually(balances, /Opening balance\$0\.00.*Closing balance\$250\.00/)
  await page.goto(`${url}/dashboard/statement?from=2020-01-01&to=2020-01-31`)
  await page.getByText('The balances are not loaded').waitFor()
  await page.locator('p:visible', { hasText: 'No activity in this period' }).waitFor()
  await eventually(() => page.locator('dl:visible').count(), 0)
  broken = /statement\?(.*&)?limit=20(&|$)/
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('The transactions are not loaded').waitFor()
  await eventually(() => page.locator('p:visible', { hasText: 'No activity' }).count(), 0)
  await page.context().close()
})

// Must be last: it advances the server's clock by a day.
test('shows date and time of older lines, also in print', options, async () => {
  const path = '/v1/sandbox/clock/advance'
  const body = { seconds: 86_400 }
  assert.equal((await call('POST', path, { token: admin.token, body })).status, 200)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement?from=2020-01-01`)
  const table = page.getByRole('table', { name: 'Activity' })
  const times = table.locator('td:nth-child(4) time')
  await times.first().waitFor()
  // The year is shown only if it is not the current one.
  const made_at = Date.parse((await times.first().getAttribute('datetime'))!)
  const is_new_year = /^12-31/.test(new Date(made_at).toISOString().slice(5))
  const with_year = /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{2}:\d{2} [AP]M$/
  const without_year = /^[A-Z][a-z]{2} \d{1,2}, \d{2}:\d{2} [AP]M$/
  await eventually(() => times.first().textContent(), is_new_year ? with_year : without_year)
  const printed = page.locator('table').filter({ hasText: 'Date and time' }).locator('tbody tr')
  const date = printed.first().locator('td').first()
  await eventually(() => date.textContent(), with_year)
  await page.context().close()
})

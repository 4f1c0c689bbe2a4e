// The statement in a real browser, against what the API says of the same days.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInThroughPage, logInToDashboard } from '../support/dashboard.ts'
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
  const made = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/transactions/${made.body.id}/settle`
  await call('POST', path, { token: admin.token, body: { outcome: 'succeeded' } })
  return made.body.id as string
}

/** More than one page of lines, and fewer than make the chart ask for days. */
async function ownerWithHistory(): Promise<Owner> {
  const owner = await people.owner()
  for (let at = 1; at <= 24; at++) await settled(owner, 'payment', at * 100, `txn_order-${at}`)
  await settled(owner, 'refund', 5_000, 'goodwill, "sorry"')
  return owner
}

await waitForNoon(florin)
const owner = await ownerWithHistory()

test('the running balance is a chart and a table, over days in the address', options, async () => {
  const page = await openPage()
  await logInThroughPage(page, url, owner)
  await page.getByRole('link', { name: 'Statement' }).click()
  const figures = page.getByRole('region', { name: 'Balances' })
  await figures.getByText('$250.00').first().waitFor()
  await figures.getByText('$0.00').waitFor()
  await page.locator('svg.recharts-surface').waitFor()
  const rows = page.getByRole('table', { name: 'Movements' }).locator('tbody tr')
  await page.getByText('1–20', { exact: true }).waitFor()
  const cell = (at: number) => () => rows.nth(0).locator('td').nth(at).textContent()
  // Two of them also hold what has no column on a phone.
  await eventually(cell(0), /^Refund/)
  await eventually(cell(4), /^−\$50\.00/)
  await eventually(cell(5), '$250.00')
  // The day and the time, and no "2 min ago": a statement is read next to another one.
  await eventually(cell(3), /^[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2} [AP]M$/)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('1–25 of 25').waitFor()
  // A payment is of nothing, whatever its reference looks like.
  await rows.nth(24).getByText('txn_order-1', { exact: true }).waitFor()
  await eventually(() => rows.nth(24).getByRole('link').count(), 1)
  await page.getByRole('link', { name: 'Last month' }).click()
  await page.getByText('No money moved in these days.').first().waitFor()
  const { searchParams } = new URL(page.url())
  assert.match(searchParams.get('from')!, /^\d{4}-\d{2}-01$/)
  await page.reload()
  await page.getByText('No money moved in these days.').first().waitFor()
  await eventually(() => page.getByLabel('From').inputValue(), searchParams.get('from'))
  await page.context().close()
})

test('the file holds the lines of the days that are shown', options, async () => {
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
  await page.context().close()
})

test('paper has every line, oldest first, between opening and closing', options, async () => {
  const page = await openPage({ colorScheme: 'dark' })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('1–20', { exact: true }).waitFor()
  const summary = async () => (await page.locator('dl:visible').allTextContents()).join(' ')
  // The browser's own menu prints what is loaded: its figures are of these lines, and say so.
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Only the latest 20 movements are here. Press Print').waitFor()
  await eventually(
    summary,
    /Balance before these\$15\.00In, of these\$285\.00Out, of these−\$50\.00Closing balance\$250/,
  )
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate('window.print = () => { window.printed = true }')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByText('1–25 of 25').waitFor()
  for (let tries = 0; tries < 50 && !(await page.evaluate('window.printed')); tries++) {
    await page.waitForTimeout(100)
  }
  await eventually(() => page.evaluate('window.printed'), true)
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Statement of account').waitFor()
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
  await assertAccessible(page, 'the paper')
  const pdf = await page.pdf({ format: 'A4' })
  assert.ok(pdf.length > 10_000)
  await page.context().close()
})

test('an admin gets the file of the account in the address', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('Choose an account.').waitFor()
  await page.goto(`${url}/dashboard/statement?account=${owner.account_id}`)
  await page.getByText('1–20', { exact: true }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  assert.equal(parseCsv(readFileSync(await file.path(), 'utf8')).length, 26)
  await page.context().close()
})

test('of many lines the chart asks for the balance day by day', options, async () => {
  const busy = await people.owner()
  for (let at = 1; at <= 101; at++) await settled(busy, 'credit', 100, `credit-${at}`)
  const page = await openPage()
  await logInToDashboard(page, url, busy)
  await page.goto(`${url}/dashboard/statement`)
  const figures = page.getByRole('region', { name: 'Balances' })
  await figures.getByText('$101.00').first().waitFor()
  await page.locator('svg.recharts-surface').waitFor()
  await page.context().close()
})

test('days that are in no calendar are as if they were not there', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement?from=2026-02-31&to=not-a-day`)
  await page.getByRole('region', { name: 'Balances' }).getByText('$250.00').first().waitFor()
  await page.goto(`${url}/dashboard/transactions?status=lost&date_from=2026-13-45`)
  await page.getByText(/^1–20 of \d+$/).waitFor()
  await page.context().close()
})

test(
  'without the account nothing is told in a currency that it may not have',
  options,
  async () => {
    const page = await openPage()
    await logInToDashboard(page, url, owner)
    let broken = true
    await page.route('**/dashboard/api/v1/account', (route) =>
      broken ? route.abort() : route.continue(),
    )
    await page.goto(`${url}/dashboard/statement`)
    await page.getByText('This could not be loaded.').waitFor()
    await eventually(() => page.getByRole('table').count(), 0)
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Balances' }).getByText('$250.00').first().waitFor()
    // Nor are days told of a calendar that it may not have.
    broken = true
    await page.goto(`${url}/dashboard/transactions?date_from=2020-01-02`)
    await page.getByText('This could not be loaded.').waitFor()
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/^1–20/).waitFor()
    await page.context().close()
  },
)

test('paper without its balances or movements has the rest, and says so', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  let broken = /statement\?(.*&)?limit=(1|100)(&|$)/
  await page.route('**/dashboard/api/v1/account/statement?*', (route) =>
    broken.test(route.request().url()) ? route.abort() : route.continue(),
  )
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('1–20', { exact: true }).waitFor()
  await page.getByText('This could not be loaded.').waitFor()
  await page.evaluate('window.print = () => { window.printed = true }')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByText('1–25 of 25').waitFor()
  await eventually(() => page.evaluate('window.printed'), true)
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Statement of account').waitFor()
  await eventually(() => page.locator('table:visible tbody tr').count(), 25)
  // Each line has the balance it left, so the lines tell where they began and ended.
  const balances = async () => (await page.locator('dl:visible').allTextContents()).join(' ')
  await eventually(balances, /Opening balance\$0\.00.*Closing balance\$250\.00/)
  await page.goto(`${url}/dashboard/statement?from=2020-01-01&to=2020-01-31`)
  await page.getByText('The balances were not loaded').waitFor()
  await page.locator('p:visible', { hasText: 'No money moved in these days.' }).waitFor()
  await eventually(() => page.locator('dl:visible').count(), 0)
  broken = /statement\?(.*&)?limit=20(&|$)/
  await page.goto(`${url}/dashboard/statement`)
  await page.getByText('The movements were not loaded').waitFor()
  await eventually(() => page.locator('p:visible', { hasText: 'No money moved' }).count(), 0)
  await page.context().close()
})

// The last test: it takes the clock of this file's server a day ahead.
test('what is not of today shows its day and its time, also on paper', options, async () => {
  const path = '/v1/sandbox/clock/advance'
  const body = { seconds: 86_400 }
  assert.equal((await call('POST', path, { token: admin.token, body })).status, 200)
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/statement?from=2020-01-01`)
  const table = page.getByRole('table', { name: 'Movements' })
  const times = table.locator('td:nth-child(4) time')
  await times.first().waitFor()
  // A year is told where it is not the one that we have now.
  const made_at = Date.parse((await times.first().getAttribute('datetime'))!)
  const is_new_year = /^12-31/.test(new Date(made_at).toISOString().slice(5))
  const whole = /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{2}:\d{2} [AP]M$/
  const without_year = /^[A-Z][a-z]{2} \d{1,2}, \d{2}:\d{2} [AP]M$/
  await eventually(() => times.first().textContent(), is_new_year ? whole : without_year)
  const paper = page.locator('table').filter({ hasText: 'Date and time' }).locator('tbody tr')
  const date = paper.first().locator('td').first()
  await eventually(() => date.textContent(), whole)
  await page.context().close()
})

// List rows: selectable text, row clicks, the total in the footer, and live updates.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()

async function request(owner: Owner, more: object = {}): Promise<string> {
  const { token, account_id } = owner
  const fields = { account_id, amount: 4_200, currency: 'USD', customer_email: 'ann@example.com' }
  const body = { ...fields, reference: 'Invoice 2026-114', ...more }
  const created = await call('POST', '/v1/payments', { token, body })
  assert.equal(created.status, 201, created.text)
  return created.body.id
}

async function pay(owner: Owner, reference: string): Promise<string> {
  const { token, account_id } = owner
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment', reference }
  return (await call('POST', '/v1/transactions', { token, body })).body.id
}

async function open(owner: Owner, path: string): Promise<Page> {
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await logInToDashboard(page, url, owner)
  const streaming = page.waitForResponse((response) => response.url().includes('/v1/events/stream'))
  await page.goto(`${url}/dashboard${path}`)
  await streaming
  return page
}

const inRow = "table[aria-label='Payment requests'] tbody tr"

test('the link of a row does not cover its tooltips and text', options, async () => {
  const owner = await people.owner()
  const id = await request(owner)
  const page = await open(owner, '/payments')
  await page.locator(`${inRow} time >> visible=true`).first().waitFor()
  for (const part of ['time', "[title='Invoice 2026-114']", `[title='${id}']`]) {
    const found = await page.evaluate(`(() => {
      const part = [...document.querySelectorAll("${inRow} ${part}")].find(
        (one) => one.getClientRects().length > 0)
      const { left, top, width, height } = part.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return part === hit && hit.title !== ''
    })()`)
    assert.equal(found, true, part)
  }
  // Dragging selects text and does not open the row.
  const reference = page.locator(`${inRow} [title='Invoice 2026-114']`)
  const box = (await reference.boundingBox())!
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await eventually(() => page.evaluate('getSelection().toString()'), /Invoice 2026/)
  assert.equal(new URL(page.url()).pathname, '/dashboard/payments')
  await page.context().close()
})

test('a click anywhere in a row opens it, and modifier clicks open a tab', options, async () => {
  const owner = await people.owner()
  const id = await request(owner)
  const page = await open(owner, '/payments')
  const row = page.locator(inRow).first()
  // The accessible name distinguishes rows with the same amount.
  const link = row.getByRole('link', { name: '$42.00 ann@example.com, Invoice 2026-114' })
  await eventually(() => link.getAttribute('href'), `/dashboard/payments/${id}`)
  for (const press of [
    () => link.click({ button: 'middle' }),
    () => link.click({ modifiers: ['ControlOrMeta'] }),
    () => row.getByText('Pending').click({ modifiers: ['ControlOrMeta'] }),
    () => row.getByText('Pending').click({ button: 'middle' }),
  ]) {
    const [other] = await Promise.all([page.context().waitForEvent('page'), press()])
    await other.waitForURL(`${url}/dashboard/payments/${id}`)
    await other.close()
  }
  await row.getByRole('button', { name: `Copy ${id}` }).click()
  assert.equal(new URL(page.url()).pathname, '/dashboard/payments')
  await row.getByText('Pending').click()
  await page.waitForURL(`${url}/dashboard/payments/${id}`)
  await page.goBack()
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/dashboard/payments/${id}`)
  await page.context().close()
})

test('a customer email is not truncated at 1280 px', options, async () => {
  const owner = await people.owner()
  const email = 'mateo.zhang.bb551145e46e@example.com'
  await request(owner, { customer_email: email, reference: 'A long reference '.repeat(9) })
  await request(owner)
  for (const path of ['/payments']) {
    const page = await open(owner, path)
    const cut = `[...document.querySelectorAll("[title$='@example.com']")].filter(
      (one) => one.scrollWidth > one.clientWidth).map((one) => one.title)`
    await page.locator(`[title='${email}']`).first().waitFor()
    await eventually(() => page.evaluate(cut), [])
    await page.context().close()
  }
})

test('the footer shows the total number of rows', options, async () => {
  const owner = await people.owner()
  for (let at = 1; at <= 45; at++) await pay(owner, `order-${at}`)
  const page = await open(owner, '/transactions')
  await page.getByText('1–20 of 45', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('1–40 of 45', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('1–45 of 45', { exact: true }).waitFor()
  // Lists over all accounts have no total.
  const other = await openPage()
  await logInToDashboard(other, url, admin)
  await other.goto(`${url}/dashboard/transactions`)
  await other.getByText('1–20', { exact: true }).waitFor()
  await other.context().close()
  await page.context().close()
})

test('new rows and changed statuses appear in an open list', options, async () => {
  const owner = await people.owner()
  const id = await pay(owner, 'the first')
  const page = await open(owner, '/transactions')
  const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
  await eventually(() => rows.count(), 1)
  await page.evaluate('window.not_reloaded = true')
  await pay(owner, 'the second')
  await eventually(() => rows.count(), 2)
  await page.getByText('1–2 of 2', { exact: true }).waitFor()
  const body = { outcome: 'succeeded' }
  await call('POST', `/v1/transactions/${id}/settle`, { token: admin.token, body })
  await eventually(() => rows.nth(1).textContent(), /Succeeded/)
  assert.equal(await page.evaluate('window.not_reloaded'), true)
  await page.context().close()
})

test('a list with several pages keeps its rows and offers new ones', options, async () => {
  const owner = await people.owner()
  const first = await pay(owner, 'order-1')
  for (let at = 2; at <= 25; at++) await pay(owner, `order-${at}`)
  const page = await open(owner, '/transactions')
  const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
  await page.getByRole('button', { name: 'Show more' }).click()
  await eventually(() => rows.count(), 25)
  await pay(owner, 'order-26')
  await pay(owner, 'order-27')
  const pill = page.getByRole('button', { name: '2 new' })
  await pill.waitFor()
  await eventually(() => rows.nth(0).textContent(), /order-25/)
  // Visible rows are updated in place.
  const body = { outcome: 'failed' }
  await call('POST', `/v1/transactions/${first}/settle`, { token: admin.token, body })
  await eventually(() => rows.nth(24).textContent(), /Failed/)
  await pill.click()
  await eventually(() => rows.nth(0).textContent(), /order-27/)
  await eventually(() => rows.count(), 20)
  await eventually(() => pill.count(), 0)
  await page.context().close()
})

test('lists over all accounts fetch what is new at an interval', options, async () => {
  const owner = await people.owner()
  for (let at = 1; at <= 21; at++) await pay(owner, `over-all-${at}`)
  const page = await openPage()
  await page.clock.install()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/transactions`)
  const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
  await eventually(() => rows.nth(0).textContent(), /over-all-21/)
  const id = await pay(owner, 'over-all-22')
  await eventually(() => passInterval(page, rows.nth(0)), /over-all-22/)
  const body = { outcome: 'succeeded' }
  await call('POST', `/v1/transactions/${id}/settle`, { token: admin.token, body })
  await eventually(() => passInterval(page, rows.nth(0)), /Succeeded/)
  // A list that was paged down stays.
  await page.getByRole('button', { name: 'Show more' }).click()
  await eventually(async () => (await rows.count()) > 20, true)
  await pay(owner, 'over-all-23')
  const pill = page.getByRole('button', { name: '1 new' })
  await eventually(() => passInterval(page, pill), '1 new')
  await eventually(() => rows.nth(0).textContent(), /over-all-22/)
  await pill.click()
  await eventually(() => rows.nth(0).textContent(), /over-all-23/)
  await page.context().close()
})

/** The rows after the page clock has advanced by ten seconds. */
async function passInterval(page: Page, place: Locator): Promise<string | null> {
  await page.clock.fastForward(10_000)
  return (await place.count()) === 0 ? null : place.textContent()
}

// Lists at medium widths with very long values: a table that is wider than its card would hide its
// last columns.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, openWithoutLoad, waitForNetworkIdle } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const admin = await people.admin()
const owner = await people.owner()
const { token, account_id } = owner

async function make(path: string, body: object, by = token): Promise<Record<string, string>> {
  const response = await call('POST', path, { token: by, body })
  assert.ok(response.status < 300, response.text)
  return response.body
}

const reference = 'a-reference-as-long-as-people-make-them-'.repeat(3)
const customer_email = `${'a-very-long-name'.repeat(3)}@a-long-domain-without-a-break.example.com`
const money = { amount: 999_999_999, currency: 'USD', reference }
const paid = await make('/v1/transactions', { account_id, type: 'payment', ...money })
await make(`/v1/transactions/${paid.id}/settle`, { outcome: 'succeeded' }, admin.token)
const refund = { account_id, type: 'refund', ...money, reference: paid.id }
const failed = await make('/v1/transactions', refund)
await make(`/v1/transactions/${failed.id}/settle`, { outcome: 'failed' }, admin.token)
await make('/v1/payments', { account_id, customer_email, ...money })
await make('/v1/subscriptions', { customer_email, interval: 'month', interval_count: 36, ...money })
const endpoint = await make('/v1/webhook_endpoints', {
  url: `https://example.com/${'hooks-of-a-shop-'.repeat(8)}`,
  events: ['transaction.succeeded', 'transaction.failed', 'payment.created', 'payment.failed'],
})
recordSecret(endpoint.secret!)
await make(`/v1/webhook_endpoints/${endpoint.id}/test`, {})
const scopes = ['payments:read', 'payments:write', 'transactions:read', 'transactions:write']
recordSecret((await make('/v1/api_keys', { name: 'A shop of many words', scopes })).key!)
await call('PATCH', '/v1/account', { token, body: { name: 'Northwind-Traders-'.repeat(4) } })
await call('GET', '/v1/transactions/txn_00000000000000000000000000', { token })
// Adds audit entries that contain the long name.
for (const status of ['suspended', 'active']) {
  const path = `/v1/accounts/${account_id}`
  await call('PATCH', path, { token: admin.token, body: { status } })
}

const widths = [768, 1024, 1140]

const lists_of = {
  owner: [
    '/',
    '/transactions',
    '/payments',
    '/subscriptions',
    '/statement',
    '/events',
    '/webhooks',
    '/api-keys',
    '/requests',
    '/sessions',
  ],
  admin: ['/', '/transactions', '/payments', '/users', '/accounts', '/audit', '/emails'],
}

const people_of = { owner, admin }
const pages: Page[] = []
after(() => Promise.all(pages.map((page) => page.context().close())))

async function open(role: keyof typeof lists_of): Promise<Page> {
  const page = await openPage({ viewport: { width: 1024, height: 800 } })
  pages.push(page)
  await logInToDashboard(page, url, people_of[role])
  return page
}

for (const role of ['owner', 'admin'] as const) {
  test(`no list of the ${role} is wider than its card`, options, async () => {
    const page = await open(role)
    const failures: string[] = []
    await page.goto(`${url}/dashboard/sessions`)
    for (const path of lists_of[role]) {
      await waitForNetworkIdle(page, () => openWithoutLoad(page, path))
      await page.locator('main table[aria-busy=false] tbody tr').first().waitFor()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        for (const one of await staysTooWide(page)) failures.push(`${path} at ${width}: ${one}`)
      }
    }
    assert.deepEqual(failures, [])
  })
}

/** Waits for charts, which are redrawn shortly after a resize. */
async function staysTooWide(page: Page): Promise<string[]> {
  for (let checks = 0; checks < 50; checks++) {
    if ((await tooWide(page)).length === 0) return []
    await sleep(100)
  }
  return tooWide(page)
}

/** Elements that are wider than their container. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    ...document.querySelectorAll('main, main table:not(.sr-only table, .sr-only)'),
  ].flatMap((one) => {
    const [is, room] = one.matches('main')
      ? [one.scrollWidth, one.clientWidth]
      : [Math.floor(one.getBoundingClientRect().width), one.parentElement.clientWidth]
    return is > room ? [(one.ariaLabel ?? 'the page') + ' by ' + (is - room) + ' px'] : []
  })`)
}

test('the duration of a request does not wrap', options, async () => {
  const page = await open('owner')
  await page.goto(`${url}/dashboard/requests`)
  const durations = page.getByRole('table', { name: 'Requests' }).getByText(/^\d+ ms$/)
  await durations.first().waitFor()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const heights = () =>
      durations.evaluateAll((cells) =>
        Math.max(...cells.map((cell) => cell.getClientRects().length)),
      )
    await eventually(heights, 1, `at ${width}`)
  }
})

test('on a phone both days of a filter share a row', options, async () => {
  for (const [role, paths] of [
    ['owner', ['/payments', '/transactions', '/statement']],
    ['admin', ['/audit']],
  ] as const) {
    const page = await open(role)
    await page.setViewportSize({ width: 360, height: 800 })
    for (const path of paths) {
      await page.goto(`${url}/dashboard${path}`)
      const filters = page.getByRole('search', { name: 'Filters' })
      const [from, to] = await Promise.all(
        ['From', 'To'].map(async (label) => {
          const field = filters.getByLabel(label, { exact: true })
          await field.waitFor()
          return (await field.boundingBox())!
        }),
      )
      assert.equal(from!.y, to!.y, `rows of From and To on ${path}`)
      assert.equal(from!.width, to!.width, `widths of From and To on ${path}`)
      assert.deepEqual(await staysTooWide(page), [], path)
    }
  }
})

test('on a wide screen the bar and the page share their edges, centered', options, async () => {
  const page = await open('owner')
  await page.setViewportSize({ width: 1920, height: 800 })
  await page.goto(`${url}/dashboard/subscriptions`)
  const edges = async (place: Locator) => {
    const { x, width } = (await place.boundingBox())!
    return { left: x, right: x + width }
  }
  const create = page.getByRole('button', { name: 'Create subscription' })
  await create.waitFor()
  const { left } = await edges(page.getByRole('search', { name: 'Filters' }))
  const { right } = await edges(create)
  assert.equal((await edges(page.getByRole('button', { name: 'Search' }))).left, left)
  assert.equal((await edges(page.getByRole('button', { name: /theme, sessions/ }))).right, right)
  const column = await edges(page.locator('main'))
  assert.equal(left - column.left, column.right - right)
})

test('the head of a time column breaks only before the zone', options, async () => {
  await call('PATCH', '/v1/account', {
    token,
    body: { settings: { timezone: 'America/New_York' } },
  })
  const page = await open('owner')
  await page.goto(`${url}/dashboard/subscriptions`)
  const head = page.getByRole('columnheader', { name: 'Next request (America/New_York)' })
  await head.waitFor()
  const lines = `(() => {
    const text = document.evaluate("//th//text()[. = 'Next request']", document, null, 9)
    const range = document.createRange()
    range.selectNodeContents(text.singleNodeValue)
    return range.getClientRects().length
  })()`
  await eventually(() => page.evaluate(lines), 1)
})

// Nothing that somebody looks at moves when an answer comes, in whatever order answers come.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, waitForNetworkIdle } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }

// Text that takes its place moves a thousandth of the page, a row that comes four hundredths.
const moved_max = 0.01

/** A page of a phone whose answers come one after another, in this order and then the others. */
async function openSlowly(path: string, order: string[]): Promise<Page> {
  const owner = await people.owner()
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  await logInToDashboard(page, url, owner)
  await page.addInitScript(`
    globalThis.moved = 0
    globalThis.movers = []
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        globalThis.moved += value
        for (const { node, previousRect, currentRect } of sources) {
          const text = (node?.textContent ?? '').slice(0, 40)
          globalThis.movers.push([text, previousRect.y, currentRect.y].join(' '))
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/dashboard/api/v1/**', async (route) => {
    await released
    const place = order.findIndex((part) => route.request().url().includes(part))
    await sleep(150 * (place === -1 ? order.length : place))
    await route.continue().catch(() => {})
  })
  await page.goto(`${url}/dashboard${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Until our letters are there the machine's own stand in, and theirs may be wider. That a line is
  // shorter with ours is told after it is drawn.
  await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))')
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))')
  await page.evaluate('void ([globalThis.moved, globalThis.movers] = [0, []])')
  release()
  return page
}

async function requireStill(page: Page): Promise<void> {
  await eventually(() => page.locator('main [aria-busy=true], main .skeleton').count(), 0, 'loaded')
  const moved = Number(await page.evaluate('globalThis.moved'))
  const movers = await page.evaluate('globalThis.movers')
  assert.ok(moved < moved_max, `things moved by ${moved}: ${movers}`)
  await page.context().close()
}

const ticks = ['/payments', '/api_keys', '/webhook_endpoints']

test('Home stays where it is while the first steps load', options, async () => {
  const page = await openSlowly('', ['/balance', '/attention', '/transactions', ...ticks])
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 4 done').waitFor()
  const balance = page.getByRole('region', { name: 'Balance' })
  const top = async (of: typeof steps) => (await of.boundingBox())!.y
  assert.ok((await top(balance)) < (await top(steps)), 'money stands above')
  await requireStill(page)
})

test('a statement stays where it is while its days load', options, async () => {
  const page = await openSlowly('/statement', ['/attention', '/account'])
  await page.getByRole('link', { name: 'This year' }).waitFor()
  await requireStill(page)
})

test('the first steps are gone once money has moved by the API', options, async () => {
  const owner = await people.owner()
  const { token, account_id } = owner
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard`)
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 4 done').waitFor()
  const body = { account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const made = await call('POST', '/v1/transactions', { token, body })
  assert.equal(made.status, 201, made.text)
  await waitForNetworkIdle(page, () => page.reload())
  await page.getByRole('table', { name: 'Latest transactions' }).getByText('$75.00').waitFor()
  await eventually(() => steps.count(), 0)
  await page.context().close()
})

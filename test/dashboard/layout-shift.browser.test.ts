// No layout shift while data loads, in any order of responses.

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

// Text replacing a skeleton scores about 0.001, an inserted row about 0.04.
const moved_max = 0.01

/** Opens a phone-sized page whose responses arrive one by one, first in this order. */
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
    const index = order.findIndex((part) => route.request().url().includes(part))
    await sleep(150 * (index === -1 ? order.length : index))
    await route.continue().catch(() => {})
  })
  await page.goto(`${url}/dashboard${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Waits for the web font: replacing the wider fallback font also shifts the layout, and that
  // shift is reported only after the next frame.
  await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))')
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))')
  await page.evaluate('void ([globalThis.moved, globalThis.movers] = [0, []])')
  release()
  return page
}

async function assertNoShift(page: Page): Promise<void> {
  await eventually(() => page.locator('main [aria-busy=true], main .skeleton').count(), 0, 'loaded')
  const moved = Number(await page.evaluate('globalThis.moved'))
  const movers = await page.evaluate('globalThis.movers')
  assert.ok(moved < moved_max, `layout shift of ${moved}: ${movers}`)
  await page.context().close()
}

const step_calls = ['/payments', '/api_keys', '/webhook_endpoints']

test('Home does not shift while Get started loads', options, async () => {
  const page = await openSlowly('', ['/balance', '/attention', '/transactions', ...step_calls])
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 4 done').waitFor()
  const balance = page.getByRole('region', { name: 'Balance' })
  const top = async (of: typeof steps) => (await of.boundingBox())!.y
  assert.ok((await top(balance)) < (await top(steps)), 'the balance is above')
  await assertNoShift(page)
})

test('the statement does not shift while its period loads', options, async () => {
  const page = await openSlowly('/statement', ['/attention', '/account'])
  await page.getByRole('link', { name: 'This year' }).waitFor()
  await assertNoShift(page)
})

test('hides Get started after a transaction was created by API', options, async () => {
  const owner = await people.owner()
  const { token, account_id } = owner
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard`)
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 4 done').waitFor()
  const body = { account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const created = await call('POST', '/v1/transactions', { token, body })
  assert.equal(created.status, 201, created.text)
  await waitForNetworkIdle(page, () => page.reload())
  await page.getByRole('table', { name: 'Latest transactions' }).getByText('$75.00').waitFor()
  await eventually(() => steps.count(), 0)
  await page.context().close()
})

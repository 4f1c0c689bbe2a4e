// The documentation in a browser: accessible in both themes and widths, usable without scripts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import {
  assertAccessible,
  assertFits,
  clickAndReadClipboard,
  page_variants,
} from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

const sample = [
  '/docs',
  '/docs/guides/quickstart',
  '/docs/guides/go-live',
  '/docs/concepts/ledger',
  '/docs/decisions',
  '/docs/api',
  '/docs/api/payments',
  '/docs/search?q=refund',
]

const widths = [360, 1280, 1920]

for (const { colorScheme, width, share } of page_variants) {
  test(`pages are accessible at ${width} px, ${colorScheme}`, { skip: no_browser }, async () => {
    const page = await openPage({ viewport: { width, height: 900 }, colorScheme })
    for (const path of share(sample)) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(florin.url + path)
      // Folded parts are checked too.
      await page.evaluate(`for (const one of document.querySelectorAll('main details'))
        one.open = true`)
      await assertAccessible(page, path)
      for (const other of widths) {
        await page.setViewportSize({ width: other, height: 900 })
        await assertFits(page, `${path} at ${other} px`)
      }
    }
    await page.context().close()
  })
}

test('a reader without scripts navigates and searches', { skip: no_browser }, async () => {
  const viewport = { width: 360, height: 800 }
  const page = await openPage({ viewport, javaScriptEnabled: false })
  await page.goto(`${florin.url}/docs`)
  await page.getByText('Menu', { exact: true }).click()
  await page.getByRole('link', { name: 'Receive webhooks' }).first().click()
  await page.getByRole('heading', { name: 'Receive webhooks', level: 1 }).waitFor()
  await page.getByRole('searchbox').fill('refund a payment')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('.found').getByRole('link', { name: 'Refund a payment' }).first().click()
  await page.getByRole('heading', { name: 'Refund a payment' }).waitFor()
  assert.match(page.url(), /\/docs\/guides\/move-money#refund-a-payment$/)
  await page.context().close()
})

test('the script adds copy buttons and a search key, and contacts no third party', {
  skip: no_browser,
}, async () => {
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  const requested: string[] = []
  const faults: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  await page.goto(`${florin.url}/docs/guides/quickstart`)
  const button = page.getByRole('button', { name: 'Copy' }).first()
  assert.equal(await clickAndReadClipboard(page, button), 'npm ci && npm start')
  await page.keyboard.press('/')
  await page.locator('.search input:focus').waitFor()
  await page.keyboard.type('webhook')
  await page.keyboard.press('Enter')
  await eventually(async () => page.url(), /\/docs\/search\?q=webhook$/)
  assert.deepEqual(
    requested.filter((url) => !url.startsWith(`${florin.url}/`)),
    [],
  )
  assert.deepEqual(faults, [])
  await page.context().close()
})

// Takes screenshots of the payment page in every state, phone, desktop and large desktop, light and
// dark:
//
//   node test/support/screenshot-payment-page.ts <folder> [name …]

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { PaymentView } from '../../src/pages/payment-view.ts'
import { browser_args, browser_path } from './browser-path.ts'
import { servePaymentPages } from './payment-server.ts'
import { paymentViews, wide_facts } from './payment-views.ts'

const [folder, ...names] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node test/support/screenshot-payment-page.ts <folder> [name …]')
  process.exit(2)
}
if (browser_path === undefined) {
  console.error('No Chromium found. Install one or set CHROMIUM_PATH.')
  process.exit(1)
}
mkdirSync(folder, { recursive: true })

const arabic = { account_name: 'متجر الزهور', reference: 'فاتورة 114' }
const variants: [string, object][] = [
  ['wide', wide_facts],
  ['arabic', arabic],
  ['yen', { amount: 7_500, currency: 'JPY', language: 'ja', account_name: '株式会社アクメ' }],
  ...['de', 'fr', 'es', 'pt'].map((language): [string, object] => [
    language,
    { language, currency: 'EUR', timezone: 'Europe/Paris' },
  ]),
]

const varied = ['form', 'form-malformed', 'confirm', 'paid', 'bank-transfer']

const views = new Map<string, PaymentView>([
  ...paymentViews,
  ...variants.flatMap(([name, facts]) =>
    varied.map((state): [string, PaymentView] => [
      `${name}-${state}`,
      { ...paymentViews.get(state)!, ...facts } as PaymentView,
    ]),
  ),
])

const heights: Record<number, number> = { 360: 844, 1280: 820, 1920: 1080 }

const server = await servePaymentPages()
const browser = await chromium.launch({ executablePath: browser_path, args: browser_args })
for (const [name, view] of views) {
  if (names.length > 0 && !names.includes(name)) continue
  server.show(`/${name}`, view)
  for (const width of [360, 1280, 1920]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width, height: heights[width]! }
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
      await page.goto(`${server.url}/${name}`)
      const save = (shown: string) => {
        const path = join(folder, `${shown}-${width}-${colorScheme}.png`)
        return page.screenshot({ path, fullPage: true })
      }
      await save(name)
      const transfer = page.locator('.transfer summary')
      if ((await transfer.count()) > 0) {
        await transfer.click()
        await save(`${name}-open`)
      }
      await page.close()
    }
  }
}
await browser.close()
await server.close()

// Takes screenshots of the documentation, phone, desktop and large desktop, light and dark:
//
//   node test/support/screenshot-docs.ts <folder> [path …]

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { no_browser, openPage } from './browser.ts'
import { startFlorin } from './florin.ts'

const [folder, ...paths] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node test/support/screenshot-docs.ts <folder> [path …]')
  process.exit(2)
}
if (no_browser) {
  console.error(no_browser)
  process.exit(1)
}
mkdirSync(folder, { recursive: true })

const sample = ['/docs', '/docs/guides/quickstart', '/docs/concepts/ledger', '/docs/api/payments']
const florin = await startFlorin()
for (const path of paths.length > 0 ? paths : sample) {
  for (const width of [360, 1280, 1920]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage({ viewport: { width, height: 900 }, colorScheme })
      await page.goto(florin.url + path)
      const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '')
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      await page.context().close()
    }
  }
}
process.exit(0)

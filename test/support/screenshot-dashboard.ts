// Takes screenshots of a running dashboard, wide and narrow, light and dark:
// `node test/support/screenshot-dashboard.ts URL EMAIL PASSWORD FOLDER PATH…`.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browser_args, browser_path } from './browser-path.ts'
import { waitForNetworkIdle } from './dashboard.ts'

const [url, email, password, folder = '/tmp/screenshots', ...paths] = process.argv.slice(2)
if (!url || !email || !password) {
  console.error('Usage: screenshot-dashboard.ts URL EMAIL PASSWORD [FOLDER] [PATH…]')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: browser_path!, args: browser_args })
for (const width of [1920, 1280, 360]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme })
    const page = await context.newPage()
    await page.goto(`${url}/dashboard`)
    await page.getByLabel('Email').waitFor()
    await page.screenshot({ path: join(folder, `login-${width}-${colorScheme}.png`) })
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    for (const path of paths) {
      await waitForNetworkIdle(page, () => page.goto(`${url}/dashboard${path}`))
      const name = path.replaceAll(/[^a-z0-9]+/g, '-') || 'home'
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      })
    }
    await context.close()
  }
}
await browser.close()

// A browser that is already on the machine, for tests that look at pages as people see them. None
// is downloaded: a machine without one skips these tests and says so.

import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const path = [process.env.CHROMIUM_PATH, ...usualPaths].find(
  (candidate) => candidate !== undefined && existsSync(candidate),
)

/** For a test's options: false, or why it is skipped. */
export const no_browser =
  path === undefined && 'no Chromium on this machine; install one or set CHROMIUM_PATH'

const args = [
  // Chromium's own sandbox does not work for root, and the pages are ours.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// One for the file that imports this, and closed at the file's end.
let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: path!, args })
  const context = await (await browser).newContext(options)
  return context.newPage()
}

/** What axe finds wrong with the page as it is now, in words. */
export async function faultsFor(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

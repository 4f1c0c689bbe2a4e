// A browser that is already on the machine, for tests that look at pages as people see them. None
// is downloaded: a machine without one skips these tests and says so.

import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browser_args, browser_path } from './browser-path.ts'
import { atProcessEnd } from './process-end.ts'

/** For a test's options: false, or why it is skipped. */
export const no_browser =
  browser_path === undefined && 'no Chromium on this machine; install one or set CHROMIUM_PATH'

// One for the process, and closed at its end.
let browser: Promise<Browser> | undefined
atProcessEnd(async () => (await browser)?.close())

export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: browser_path!, args: browser_args })
  // Nothing that moves is looked at, and drawing it takes a twentieth of the processor time.
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...options })
  // Three times the usual: a busy machine is no fault of a page.
  context.setDefaultTimeout(90_000)
  return context.newPage()
}

/**
 * What axe finds wrong with the page as it is now, in words. Asked for nothing but that: what it
 * makes of all that is right takes twice as long again as looking.
 */
export async function faultsFor(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(`axe
    .run(document, { resultTypes: ['violations'] })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}

// A browser that is already on the machine, for tests that look at pages as people see them. None
// is downloaded: a machine without one skips these tests and says so.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browser_args, browser_path } from './browser-path.ts'
import { atProcessEnd } from './process-end.ts'

/** For a test's options: false, or why it is skipped. */
export const no_browser =
  browser_path === undefined && 'no Chromium on this machine; install one or set CHROMIUM_PATH'

// One for the process, and closed at its end.
let browser: Promise<Browser> | undefined
atProcessEnd(async () => (await browser)?.close())

/** Pages that a test is done with, by what they were opened with. */
const idle = new Map<string, Page[]>()

/**
 * A page without a past; `page.context().close()` gives it back. Two thirds of what a short test
 * costs is a new page's process, which knows nothing of our scripts, so they are used again.
 */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const { viewport = { width: 1280, height: 720 }, colorScheme = 'light', ...kind } = options
  const key = JSON.stringify(kind)
  const page = idle.get(key)?.pop() ?? (await newPage(kind, key))
  await page.setViewportSize(viewport!)
  // Nothing that moves is looked at, and drawing it takes a twentieth of the processor time.
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce' })
  return page
}

async function newPage(kind: BrowserContextOptions, key: string): Promise<Page> {
  browser ??= chromium.launch({ executablePath: browser_path!, args: browser_args })
  const context = await (await browser).newContext(kind)
  // Three times the usual: a busy machine is no fault of a page.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const close = context.close.bind(context)
  const isMarked = noticeMarks(page)
  context.close = async () => {
    if (isMarked() || page.isClosed() || !(await forget(page))) return close()
    idle.set(key, [...(idle.get(key) ?? []), page])
  }
  return page
}

/** Whether something was done to it that cannot be undone. */
function noticeMarks(page: Page): () => boolean {
  let is_marked = false
  const { clock } = page
  const addInitScript = page.addInitScript.bind(page)
  page.addInitScript = (...args) => {
    is_marked = true
    return addInitScript(...args)
  }
  Object.defineProperty(page, 'clock', {
    get() {
      is_marked = true
      return clock
    },
  })
  return () => is_marked
}

const heard = ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const

/** False where it showed no page of ours, or its server is gone. */
async function forget(page: Page): Promise<boolean> {
  const context = page.context()
  const lightest = URL.parse('/livez', page.url())
  if (lightest === null) return false
  for (const event of heard) page.removeAllListeners(event)
  await Promise.all(context.pages().map((other) => other !== page && other.close()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // A page of nobody, such as an error of the browser's own, keeps nothing.
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => {})
  await context.clearCookies()
  // The lightest page of the same site: for any other the browser begins a process.
  const left = await page.goto(lightest.href).catch(() => null)
  return left !== null
}

const axe_path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axe_source = readFileSync(axe_path, 'utf8')

/**
 * What axe finds wrong with the page as it is now, in words. Asked for nothing but that: what it
 * makes of all that is right takes twice as long again as looking.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  // It stays in a page until that is left.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe_source)
  return page.evaluate<string[]>(`axe
    .run(document, { resultTypes: ['violations'] })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}

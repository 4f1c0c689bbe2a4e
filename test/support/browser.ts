// Uses an installed browser for tests of rendered pages. Nothing is downloaded: without a browser
// these tests are skipped, with the reason.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browser_args, browser_path } from './browser-path.ts'
import { atProcessEnd } from './process-end.ts'

/** For the `skip` option of a test: false, or the reason why it is skipped. */
export const no_browser =
  browser_path === undefined && 'no Chromium on this machine; install one or set CHROMIUM_PATH'

// One browser per process, closed at its end.
let browser: Promise<Browser> | undefined
atProcessEnd(async () => (await browser)?.close())

/** Pages that tests have released, keyed by their context options. */
const idle = new Map<string, Page[]>()

/**
 * Returns a page without state; `page.context().close()` returns it to the pool. Pages are reused
 * because two thirds of a short test's time goes into a new renderer process with a cold cache.
 */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const { viewport = { width: 1280, height: 720 }, colorScheme = 'light', ...kind } = options
  const key = JSON.stringify(kind)
  const page = idle.get(key)?.pop() ?? (await newPage(kind, key))
  await page.setViewportSize(viewport!)
  // Tests do not look at animations, and drawing them takes a twentieth of the CPU time.
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce' })
  return page
}

async function newPage(kind: BrowserContextOptions, key: string): Promise<Page> {
  browser ??= chromium.launch({ executablePath: browser_path!, args: browser_args })
  const context = await (await browser).newContext(kind)
  // Three times the default, because the machine may be busy.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const close = context.close.bind(context)
  const isChanged = watchForChanges(page)
  context.close = async () => {
    if (isChanged() || page.isClosed() || !(await reset(page))) return close()
    idle.set(key, [...(idle.get(key) ?? []), page])
  }
  return page
}

/** Returns a function that reports whether the page was changed in a way that cannot be undone. */
function watchForChanges(page: Page): () => boolean {
  let is_changed = false
  const { clock } = page
  const addInitScript = page.addInitScript.bind(page)
  page.addInitScript = (...args) => {
    is_changed = true
    return addInitScript(...args)
  }
  Object.defineProperty(page, 'clock', {
    get() {
      is_changed = true
      return clock
    },
  })
  return () => is_changed
}

const page_events = ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const

/** Resets a page. Returns false if it never loaded a page of ours, or if its server has stopped. */
async function reset(page: Page): Promise<boolean> {
  const context = page.context()
  const smallest = URL.parse('/livez', page.url())
  if (smallest === null) return false
  for (const event of page_events) page.removeAllListeners(event)
  await Promise.all(context.pages().map((other) => other !== page && other.close()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // Throws on pages without an origin, such as the browser's error pages; these store nothing.
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => {})
  await context.clearCookies()
  // Load the smallest page of the same site: another site would start a new renderer process.
  const loaded = await page.goto(smallest.href).catch(() => null)
  return loaded !== null
}

const axe_path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axe_source = readFileSync(axe_path, 'utf8')

/**
 * Returns the axe violations of the page in its current state. Only violations are requested:
 * reporting passed rules too would triple the time. Preloading files, which takes half of the time,
 * is only for rules about audio and video.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  // The script stays loaded until the page navigates away.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe_source)
  return page.evaluate<string[]>(`axe
    .run(document, { resultTypes: ['violations'], preload: false })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}

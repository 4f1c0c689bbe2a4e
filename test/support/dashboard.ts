// Logs in to the dashboard in a real browser, and works with its pages.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page, Request } from 'playwright-core'
import { axeViolations } from './browser.ts'
import { same_origin_headers } from './cookie-login.ts'
import { eventually } from './eventually.ts'
import { recordSecret } from './secrets.ts'

/**
 * Logs the browser in without loading a page: loading the login page and Home would take half the
 * time of a short test.
 */
export async function logInToDashboard(
  page: Page,
  url: string,
  who: { email: string; password: string },
): Promise<void> {
  const { email, password } = who
  const response = await page.request.post(`${url}/dashboard/api/session`, {
    headers: same_origin_headers,
    data: { email, password },
  })
  assert.equal(response.status(), 200, await response.text())
  for (const { value } of await page.context().cookies()) recordSecret(value)
}

/** Logs the browser in and opens Home. */
export async function openHome(
  page: Page,
  url: string,
  who: { email: string; password: string },
): Promise<void> {
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard`)
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
}

/** Logs in as a user does. Most tests need only `logInToDashboard` or `openHome`. */
export async function logInThroughPage(
  page: Page,
  url: string,
  who: { email: string; password: string },
): Promise<void> {
  await page.goto(`${url}/dashboard`)
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
}

/** Clicks a copy button and returns the clipboard's content. */
export async function clickAndReadClipboard(page: Page, button: Locator): Promise<string> {
  const read = () => page.evaluate('navigator.clipboard.readText()').then(String)
  // Another test may have left something on the clipboard.
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await button.click()
  // Polled from here: Playwright's waiting inside a page uses eval, which our CSP forbids.
  for (let attempts = 0; attempts < 200 && (await read()) === ''; attempts++) await sleep(50)
  return read()
}

/** Searches with the keyboard. Keys typed before the field has focus would be lost. */
export async function find(page: Page, text: string, key = '/'): Promise<void> {
  // A dialog that is closing still has the focus.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press(key)
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Opens folded details, such as the API request of an empty list, unless they are open. */
export async function unfold(page: Page, name: 'API request' | 'Developer details'): Promise<void> {
  const details = page.locator('details').filter({ hasText: name }).first()
  await details.waitFor()
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click()
}

const quiet_ms = 100

/**
 * Runs `act`, then waits until the page has had no request in flight for a while. Unlike
 * Playwright's networkidle it ignores the event stream, which stays open.
 */
export async function waitForNetworkIdle(page: Page, act: () => Promise<unknown>): Promise<void> {
  const in_flight = new Set<Request>()
  let changed_at = Date.now()
  const add = (request: Request) => {
    changed_at = Date.now()
    if (!request.url().includes('/v1/events/stream')) in_flight.add(request)
  }
  const end = (request: Request) => {
    changed_at = Date.now()
    in_flight.delete(request)
  }
  page.on('request', add).on('requestfinished', end).on('requestfailed', end)
  await act()
  const isBusy = () => in_flight.size > 0 || Date.now() < changed_at + quiet_ms
  do {
    while (isBusy()) await sleep(20)
    // On a busy machine the page may need longer than the quiet time to process a response and
    // send the next request.
    await page.evaluate('new Promise((idle) => requestIdleCallback(idle, { timeout: 5_000 }))')
  } while (isBusy())
  page.off('request', add).off('requestfinished', end).off('requestfailed', end)
}

/** Checks that a page has no axe violations and does not scroll sideways. */
export async function checkPage(page: Page, url: string, path: string): Promise<void> {
  await waitForNetworkIdle(page, () => page.goto(`${url}/dashboard${path}`))
  await checkLoaded(page, path)
}

/** Checks pages as `checkPage` does, but loads only the first: a page load is half of the time. */
export async function checkPages(page: Page, url: string, paths: string[]): Promise<void> {
  for (const [at, path] of paths.entries()) {
    if (at === 0) await checkPage(page, url, path)
    else {
      await waitForNetworkIdle(page, () => openWithoutLoad(page, path))
      await checkLoaded(page, path)
    }
  }
}

/** Opens another page of the loaded dashboard, as a link does. */
export async function openWithoutLoad(page: Page, path: string): Promise<void> {
  // The dashboard's router notices the new entry.
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/dashboard${path}`)})`)
}

async function checkLoaded(page: Page, path: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = page.locator('main [aria-busy=true], main .skeleton')
  await eventually(() => loading.count(), 0, `${path} is loading`)
  await assertAccessible(page, path)
}

export async function assertAccessible(page: Page, what: string): Promise<void> {
  assert.deepEqual(await axeViolations(page), [], what)
  await assertFits(page, what)
}

export async function assertFits(page: Page, what: string): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(wide) <= 0, `${what} scrolls sideways by ${wide} px`)
}

/**
 * Themes and widths in which pages are checked. Each variant takes every other page, because
 * rendering one in software takes a second. With FLORIN_LONG every page is checked in all four.
 */
export const page_variants = process.env.FLORIN_LONG
  ? (['light', 'dark'] as const).flatMap((colorScheme) =>
      [1280, 360].map((width) => ({ colorScheme, width, share: (paths: string[]) => paths })),
    )
  : [
      { colorScheme: 'light' as const, width: 1280, share: everyOther(0) },
      { colorScheme: 'dark' as const, width: 360, share: everyOther(1) },
    ]

function everyOther(first: number) {
  return (paths: string[]) => paths.filter((_, at) => at % 2 === first)
}

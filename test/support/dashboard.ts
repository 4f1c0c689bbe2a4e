// The dashboard as a browser uses it: signing in with a cookie, by hand or in a real browser.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page, Request } from 'playwright-core'
import { axeViolations } from './browser.ts'
import type { ApiResponse } from './call.ts'
import { recordSecret } from './secrets.ts'

type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<ApiResponse>

/** What a page of ours sends with every change. */
export const same_origin_headers = { 'florin-dashboard': '1', 'sec-fetch-site': 'same-origin' }

/** Signs in, and gives the cookie as it is sent back. */
export async function logInForCookie(
  call: Call,
  who: { email: string; password: string },
): Promise<string> {
  const { email, password } = who
  const response = await call('POST', '/dashboard/api/session', {
    headers: same_origin_headers,
    body: { email, password },
  })
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`)
  const cookie = response.headers.get('set-cookie')!.split(';', 1)[0]!
  recordSecret(cookie.split('=')[1]!)
  return cookie
}

/**
 * Signs the browser in without showing it a page: half of what a short test costs is the sign-in
 * page and Home, which it would only leave again.
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

/** Presses a button that copies, and gives what is on the clipboard a moment later. */
export async function clickAndReadClipboard(page: Page, button: Locator): Promise<string> {
  const read = () => page.evaluate('navigator.clipboard.readText()').then(String)
  // Another page may have left something there.
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await button.click()
  // Asked from here: what waits inside a page evaluates text, which our pages forbid.
  for (let tries = 0; tries < 200 && (await read()) === ''; tries++) await sleep(50)
  return read()
}

/** Searches by the keyboard. What is typed before the field has the focus goes nowhere. */
export async function find(page: Page, text: string, key = '/'): Promise<void> {
  // One that is closing still has the focus.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press(key)
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

const quiet_ms = 500

/**
 * Does something, then waits until the page has had no request under way for a while. The stream of
 * events stays open, which is why this is not Playwright's networkidle.
 */
export async function waitForNetworkIdle(page: Page, act: () => Promise<unknown>): Promise<void> {
  const under_way = new Set<Request>()
  let changed_at = Date.now()
  const note = (request: Request) => {
    changed_at = Date.now()
    if (!request.url().includes('/v1/events/stream')) under_way.add(request)
  }
  const end = (request: Request) => {
    changed_at = Date.now()
    under_way.delete(request)
  }
  page.on('request', note).on('requestfinished', end).on('requestfailed', end)
  await act()
  while (under_way.size > 0 || Date.now() < changed_at + quiet_ms) await sleep(50)
  page.off('request', note).off('requestfinished', end).off('requestfailed', end)
}

/** A page as people see it: nothing for axe to say, and nothing to scroll sideways. */
export async function checkPage(page: Page, url: string, path: string): Promise<void> {
  await waitForNetworkIdle(page, () => page.goto(`${url}/dashboard${path}`))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await assertAccessible(page, path)
}

export async function assertAccessible(page: Page, what: string): Promise<void> {
  assert.deepEqual(await axeViolations(page), [], what)
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(wide) <= 0, `${what} scrolls sideways by ${wide} px`)
}

/**
 * How pages are looked at. Each theme and each width takes every other page, because a browser that
 * draws by itself needs a second for one; with FLORIN_LONG every page is looked at in all four.
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

// Every page shows skeletons while it loads, and errors with a retry button when loading fails.

import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard, openWithoutLoad } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { people, url } = await startFlorin()
const options = { skip: no_browser }
const admin = await people.admin()
const owner = await people.owner()

const pages_of = {
  owner: [
    '',
    '/transactions',
    '/payments',
    '/subscriptions',
    '/statement',
    '/settings',
    '/events',
    '/webhooks',
    '/api-keys',
    '/requests',
    '/sessions',
  ],
  admin: ['', '/users', '/accounts', '/audit', '/emails', '/health'],
}

for (const [role, person] of Object.entries({ owner, admin })) {
  test(`every page of the ${role} shows load errors and a retry`, options, async () => {
    const page = await openPage({ viewport: { width: 360, height: 800 } })
    await logInToDashboard(page, url, person)
    let broken = false
    await page.route('**/dashboard/api/v1/**', (route) =>
      broken ? route.abort() : route.continue(),
    )
    for (const path of pages_of[role as keyof typeof pages_of]) {
      broken = true
      await open(page, path)
      await page.getByText('Could not reach the server.').first().waitFor()
      if (with_axe.test(path)) await assertAccessible(page, `${path} that failed`)
      broken = false
      await tryAgain(page, path)
    }
    await page.context().close()
  })
}

for (const [role, person] of Object.entries({ owner, admin })) {
  test(`every page of the ${role} shows skeletons while it loads`, options, async () => {
    const page = await openPage({ viewport: { width: 360, height: 800 } })
    await logInToDashboard(page, url, person)
    let release = () => {}
    let released = Promise.resolve()
    await page.route('**/dashboard/api/v1/**', async (route) => {
      await released
      await route.continue().catch(() => {})
    })
    for (const path of pages_of[role as keyof typeof pages_of]) {
      released = new Promise((resolve) => (release = resolve))
      await open(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const waiting = page.locator('main [aria-busy=true], main .skeleton')
      await waiting.first().waitFor()
      if (with_axe.test(path)) await assertAccessible(page, `${path} while it loads`)
      // No empty state and no error before the response.
      await eventually(() => page.getByText(/ yet$|Try again/).count(), 0, `${path} is loading`)
      release()
      await eventually(() => waiting.count(), 0, `${path || '/'} is loaded`)
    }
    await page.context().close()
  })
}

// All lists use the same component and axe is slow, so only some are checked.
const with_axe = /^$|transactions|health/

/** Settings shows the account, which the other pages have loaded, so it needs a page load. */
async function open(page: Page, path: string): Promise<void> {
  if (path === '' || path === '/settings') await page.goto(`${url}/dashboard${path}`)
  else await openWithoutLoad(page, path)
}

/** Each section of a page has a retry button, and one retry may reload several sections. */
async function tryAgain(page: Page, path: string): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Try again' })
  const press = async () => {
    if ((await buttons.count()) > 0)
      await buttons
        .first()
        .click({ timeout: 2_000 })
        .catch(() => {})
    return buttons.count()
  }
  await eventually(press, 0, `${path || '/'} is loaded`)
  await eventually(() => page.getByRole('alert').count(), 0, `${path || '/'} has no errors`)
}

// Checks every page with axe in both themes, and for horizontal scrolling at 360 px. Add new pages
// to `paths`.

import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import {
  assertAccessible,
  checkPage,
  checkPages,
  logInToDashboard,
  openHome,
  page_variants,
  unfold,
} from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

const owner = await people.owner()
const bare = await people.owner()
const paid = await call('POST', '/v1/transactions', {
  token: owner.token,
  body: {
    account_id: owner.account_id,
    amount: 999_999_999_999,
    currency: 'USD',
    type: 'payment',
    reference: 'A reference that is as long as people make them, without-a-single-break-in-it',
    metadata: { order: '114', note: 'x'.repeat(200) },
  },
})

const paths = ['/', '/transactions', `/transactions/${paid.body.id}`, '/sessions', '/nowhere']

for (const { colorScheme, width, share } of page_variants) {
  test(`pages have no axe violations in ${colorScheme} at ${width} px`, options, async () => {
    const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
    await checkPage(page, url, '/login')
    await logInToDashboard(page, url, owner)
    await checkPages(page, url, share(paths))
    await page.context().close()
  })
}

test('drawer, search, menu and dialog have no axe violations', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
  await openHome(page, url, owner)
  await page.getByRole('button', { name: 'Navigation' }).click()
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'the drawer')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.getByRole('combobox').waitFor()
  await assertAccessible(page, 'the search')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /log out/ }).click()
  await page.getByRole('menu').waitFor()
  await assertAccessible(page, 'the menu')
  await page.goto(`${url}/dashboard/transactions/${paid.body.id}`)
  await page.getByRole('button', { name: 'Cancel payment' }).click()
  await page.getByRole('alertdialog').waitFor()
  await assertAccessible(page, 'the dialog')
  await page.context().close()
})

test('an empty account shows a curl command with its account id', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, bare)
  await checkPage(page, url, '/transactions')
  await unfold(page, 'API request')
  await page.getByText(`"account_id":"${bare.account_id}"`).waitFor()
  await assertAccessible(page, 'the API request')
  await page.context().close()
})

test('shows an error with a retry button when the server is unreachable', options, async () => {
  const page = await openPage()
  await openHome(page, url, owner)
  let broken = true
  await page.route('**/dashboard/api/v1/transactions*', (route) =>
    broken ? route.abort() : route.continue(),
  )
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByText('Could not reach the server.').waitFor({ timeout: 20_000 })
  await assertAccessible(page, 'the failure')
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Transactions' }).getByRole('link').waitFor()
  await page.context().close()
})

test('the selected theme survives a reload', options, async () => {
  const page = await openPage({ colorScheme: 'light' })
  await openHome(page, url, owner)
  await page.getByRole('button', { name: /log out/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(
    () => page.evaluate('getComputedStyle(document.documentElement).colorScheme'),
    'dark',
  )
  await page.context().close()
})

// Where a page cannot be shown, trying again is offered only where it may help; else a way on is.

import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { people, url } = await startFlorin()
const options = { skip: no_browser }
const owner = await people.owner()

test('an id of nothing leads back to the list, and not to another try', options, async () => {
  const page = await openPage({ viewport: { width: 390, height: 800 } })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments/pay_01m7htmmtfec8t79vrdbttte5d`)
  await page.getByText('This could not be loaded.').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Try again' }).count(), 0)
  await assertAccessible(page, 'the id of nothing')
  await page.getByRole('link', { name: 'Back to Payment requests' }).click()
  await page.getByRole('heading', { name: 'Payment requests', level: 1 }).waitFor()
  await page.goto(`${url}/dashboard/accounts/acct_01m7htmmtfec8t79vrdbttte5d`)
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a page that the role may not open offers nothing to do on it', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, await people.member(owner))
  await page.goto(`${url}/dashboard/webhooks`)
  await page.getByRole('heading', { name: 'You may not open this page.' }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Add endpoint' }).count(), 0)
  await eventually(() => page.getByRole('button', { name: 'Try again' }).count(), 0)
  await assertAccessible(page, 'the refused page')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a page that is not there points at the search, which a phone has too', options, async () => {
  const page = await openPage({ viewport: { width: 390, height: 800 }, hasTouch: true })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/nowhere`)
  await page.getByText('Search above to find anything by its id.').waitFor()
  await page.getByRole('button', { name: /^Search/ }).waitFor()
  await page.context().close()
})

// Error pages offer a retry only if it can succeed, and otherwise a link.

import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { people, url } = await startFlorin()
const options = { skip: no_browser }
const owner = await people.owner()

test('an unknown id links back to the list and offers no retry', options, async () => {
  const page = await openPage({ viewport: { width: 390, height: 800 } })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/payments/pay_01m7htmmtfec8t79vrdbttte5d`)
  await page.getByText('Could not load this data').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Try again' }).count(), 0)
  await assertAccessible(page, 'the unknown id')
  await page.getByRole('link', { name: 'Back to Payment requests' }).click()
  await page.getByRole('heading', { name: 'Payment requests', level: 1 }).waitFor()
  await page.goto(`${url}/dashboard/accounts/acct_01m7htmmtfec8t79vrdbttte5d`)
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a page outside the role shows no actions', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, await people.member(owner))
  await page.goto(`${url}/dashboard/webhooks`)
  await page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Add endpoint' }).count(), 0)
  await eventually(() => page.getByRole('button', { name: 'Try again' }).count(), 0)
  await assertAccessible(page, 'the forbidden page')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('an unknown path points to the search, also on a phone', options, async () => {
  const page = await openPage({ viewport: { width: 390, height: 800 }, hasTouch: true })
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard/nowhere`)
  await page.getByText('Check the URL, or search by ID above.').waitFor()
  await page.getByRole('button', { name: /^Search/ }).waitFor()
  await page.context().close()
})

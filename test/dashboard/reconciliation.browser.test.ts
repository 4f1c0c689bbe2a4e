// The reconciliation page: the sides of each provider, differences, settlements and their entries.

import { test } from 'node:test'
import { reconcileAndStore } from '../../src/operations/reconcile.ts'
import { insertSettlement } from '../settlements/insert-settlement.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const { url, people } = florin
const options = { skip: no_browser }
const platform = await people.platform()

test('states that nothing was compared yet', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard`)
  await page.getByRole('link', { name: 'Reconciliation' }).click()
  await page.getByText('Nothing to reconcile yet').waitFor()
  await page.getByText('No settlements').waitFor()
  await page.context().close()
})

test('shows the sides of a provider, and leads to a settlement', options, async () => {
  await insertSettlement(florin.db)
  const id = await insertSettlement(florin.db, 'po_2', 8_000)
  await reconcileAndStore(florin.db)
  for (const width of [360, 1280]) {
    const page = await openPage({ viewport: { width, height: 800 } })
    await logInToDashboard(page, url, platform)
    await page.goto(`${url}/dashboard/reconciliation`)
    await page.getByText('3 differences').waitFor()
    const lines = page.getByRole('table', { name: 'Stripe, EUR' }).locator('tbody tr')
    const settled = lines.filter({ hasText: 'Settled to the bank' })
    // On a phone, the sides are below the name.
    await settled.getByText('€161.80').locator('visible=true').waitFor()
    const remainder = lines.filter({ hasText: 'Remainder' })
    await remainder.getByText('−€1.80').locator('visible=true').first().waitFor()
    await page.getByText('with a remainder of -180', { exact: false }).waitFor()
    await assertAccessible(page, 'the reconciliation page')
    const rows = page.getByRole('table', { name: 'Settlements' }).locator('tbody tr')
    await eventually(() => rows.count(), 2)
    await rows.getByRole('link', { name: 'po_2' }).click()
    await page.getByText('−€1.80 is not explained by entries.').waitFor()
    const entries = page.getByRole('table', { name: 'Entries', exact: true }).locator('tbody tr')
    await entries.filter({ hasText: 'Charge' }).getByText('€96.80').waitFor()
    await page.waitForURL(`**/dashboard/reconciliation/${id}`)
    await assertAccessible(page, 'a settlement')
    await page.context().close()
  }
})

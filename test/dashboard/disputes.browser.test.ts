// Disputes, the charges of payments, and what an account owes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDisputeFixtures } from '../disputes/dispute-fixtures.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, checkPages, find, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Person } from '../support/people.ts'
import { StripeCharges } from '../transactions/stripe-charges.ts'

const florin = await startFlorin()
const { url } = florin
const options = { skip: no_browser }
const fixtures = await openDisputeFixtures(florin)
const stripe = await StripeCharges.open(florin)

async function open(who: Person, path: string, more: Parameters<typeof openPage>[0] = {}) {
  const page = await openPage(more)
  await logInToDashboard(page, url, who)
  await page.goto(`${url}/dashboard${path}`)
  return page
}

test('an owner finds an open dispute from Home, and wins it in the sandbox', options, async () => {
  const shop = await fixtures.shop()
  const lost = await fixtures.dispute(shop, 1_100)
  await fixtures.resolve(shop, lost.id, 'lost')
  const dispute = await fixtures.dispute(shop, 4_200)
  const page = await open(shop, '/')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link', { name: 'Open disputes 1' }).click()
  const rows = page.getByRole('table', { name: 'Disputes' }).locator('tbody tr')
  await eventually(() => rows.count(), 1)
  await eventually(() => rows.first().textContent(), /\$42\.00.*Needs response.*Fraudulent/)
  await page.getByLabel('Status').selectOption('Lost')
  await rows.getByText('$11.00').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await eventually(() => rows.count(), 2)
  await rows.getByRole('link', { name: '$42.00' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('$42.00 was withdrawn from your balance.').waitFor()
  await timeline.getByText('Response due').waitFor()
  await page.getByRole('button', { name: 'Win dispute' }).click()
  const dialog = page.getByRole('alertdialog')
  await assertAccessible(page, 'the dialog')
  await dialog.getByRole('button', { name: 'Win dispute' }).click()
  await timeline.getByText('$42.00 was returned to your balance.').waitFor()
  await eventually(() => timeline.getByText('Response due').count(), 0)
  await eventually(() => page.getByRole('button', { name: /dispute$/ }).count(), 0)
  assert.equal((await fixtures.getDispute(shop, dispute.id)).body.status, 'won')
  // Its payment links back to it.
  await page.getByRole('region', { name: 'Details' }).locator('a[href*="txn_"]').click()
  const charge = page.getByRole('region', { name: 'Charge' })
  await charge.getByText('Sandbox').waitFor()
  await charge.getByRole('link', { name: /^dsp_/ }).click()
  await timeline.getByText('$42.00 was returned to your balance.').waitFor()
  await find(page, lost.id)
  await timeline.getByText('The customer keeps the money.').waitFor()
  await page.context().close()
})

test('a dispute of a provider is decided there, and links to it', options, async () => {
  const shop = await fixtures.shop()
  const { id } = await stripe.paid(shop, 7_500)
  const due_at = new Date(Date.now() + 86_400_000)
  const dispute = { id: 'dp_9', amount: 7_500, reason: 'product_not_received', due_at }
  await fixtures.apply(shop, id, [{ ...dispute, status: 'needs_response' }])
  const page = await open(shop, '/disputes', { viewport: { width: 360, height: 800 } })
  await page.getByRole('link', { name: '$75.00 Product not received' }).click()
  const evidence = page.getByRole('link', { name: 'Submit evidence at Stripe' })
  assert.match((await evidence.getAttribute('href'))!, /^https:\/\/dashboard\.stripe\.com\/.*dp_9/)
  await eventually(() => page.getByRole('button', { name: /dispute$/ }).count(), 0)
  await page.context().close()
})

test('an account that owes money sees why, and how it is repaid', options, async () => {
  const shop = await fixtures.shop()
  const { id, transaction_id } = await fixtures.dispute(shop, 4_200)
  await fixtures.resolve(shop, id, 'won')
  await fixtures.refund(shop, 4_200, transaction_id)
  const again = { id: 'dp_2', amount: 3_000, reason: 'duplicate', due_at: null }
  await fixtures.apply(shop, transaction_id, [{ ...again, status: 'needs_response' }])
  await fixtures.fund(shop, 1_000)
  const page = await open(shop, '/')
  const owed = page.getByRole('region', { name: 'Owed' })
  await owed.getByText('Owed: $20.00').waitFor()
  await owed.getByRole('link', { name: 'View statement' }).click()
  const lines = page.getByRole('table', { name: 'Activity' }).locator('tbody tr')
  const activities = () => lines.locator('td:first-child > a').allTextContents()
  await eventually(activities, [
    'Owed amount repaid',
    'Payment',
    'Disputed payment',
    'Shortfall, now owed',
    'Refund',
    'Dispute won, returned',
    'Disputed payment',
    'Payment',
  ])
  await lines.nth(3).getByRole('link').first().click()
  // The bank returns a disputed payment, so no refund is offered.
  await page.getByRole('region', { name: 'Charge' }).getByText('Needs response').waitFor()
  await eventually(() => page.getByRole('button', { name: 'Refund' }).count(), 0)
  await page.goto(`${url}/dashboard`)
  await owed.waitFor()
  await fixtures.fund(shop, 2_000)
  await page.reload()
  await page.getByText('Settled and ready to use').waitFor()
  await eventually(() => owed.count(), 0)
  await page.context().close()
})

test('a charge shows its fee, and a refund on its way cannot be canceled', options, async () => {
  const shop = await stripe.shop()
  const payment = await stripe.paid(shop, 7_500)
  await stripe.apply(payment)
  const { fee, net } = (await stripe.charge(shop, payment.id)).body
  assert.ok(fee > 0, 'the stand-in charges a fee')
  const page = await open(shop, `/transactions/${payment.id}`)
  const charge = page.getByRole('region', { name: 'Charge' })
  for (const text of ['Stripe', '$75.00', `−$${fee / 100}`, `$${net / 100}`]) {
    await charge.getByText(text, { exact: true }).waitFor()
  }
  stripe.fake.refund_status = 'pending'
  const refund = await stripe.refund(shop, 500, payment.id)
  assert.equal(await stripe.submitRefunds(), 1)
  await page.goto(`${url}/dashboard/transactions/${refund.body.id}`)
  await page.getByRole('button', { name: 'Cancel refund' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Cancel refund' }).click()
  await dialog.getByText('has been sent to the payment provider').waitFor()
  // A transaction without a charge has no panel.
  await eventually(() => charge.count(), 0)
  await page.context().close()
})

test('a phone and an empty account show the list without axe violations', options, async () => {
  const shop = await fixtures.shop()
  const page = await open(shop, '/disputes', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  })
  await page.getByText('4000 0000 0000 0259').waitFor()
  const { id } = await fixtures.dispute(shop, 999_999_999_999)
  await checkPages(page, url, ['/disputes', `/disputes/${id}`])
  await page.context().close()
})

// Checks payment requests and subscriptions in every status with axe.

import assert from 'node:assert/strict'
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
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }

const owner = await people.owner()
const bare = await people.owner()
const admin = await people.admin()

async function create(path: string, body: object): Promise<string> {
  const response = await call('POST', path, { token: owner.token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id
}

const payment = {
  account_id: owner.account_id,
  amount: 999_999_999_999,
  currency: 'USD',
  customer_email: `${'a-very-long-name'.repeat(3)}@a-long-domain-without-a-break.example.com`,
  reference: 'A reference that is as long as people make them, without-a-single-break-in-it',
  metadata: { order: '114', note: 'x'.repeat(200) },
}
const { account_id: _, ...subscription } = { ...payment, interval: 'month', interval_count: 36 }

const pending = await create('/v1/payments', payment)
const paid = await create('/v1/payments', { ...payment, amount: 100, reference: null })
const canceled = await create('/v1/payments', payment)
await call('POST', `/v1/payments/${paid}/settle`, {
  token: admin.token,
  body: { outcome: 'succeeded' },
})
await call('POST', `/v1/payments/${canceled}/cancel`, { token: owner.token })
const active = await create('/v1/subscriptions', subscription)
const paused = await create('/v1/subscriptions', subscription)
await call('PATCH', `/v1/subscriptions/${paused}`, {
  token: owner.token,
  body: { status: 'paused' },
})

const link = await create('/v1/payment_links', { title: payment.reference, amount: 100 })

const paths = [
  '/payments',
  '/payment-links',
  `/payment-links/${link}`,
  `/payments/${pending}`,
  `/payments/${paid}`,
  `/payments/${canceled}`,
  '/subscriptions',
  `/subscriptions/${active}`,
  `/subscriptions/${paused}`,
  '/customers',
  `/customers/${payment.customer_email}`,
]

for (const { colorScheme, width, share } of page_variants) {
  test(
    `payment pages have no axe violations in ${colorScheme} at ${width} px`,
    options,
    async () => {
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
      await logInToDashboard(page, url, owner)
      await checkPages(page, url, share(paths))
      for (const path of share(['/payments?create=yes', '/subscriptions?create=yes'])) {
        await page.goto(`${url}/dashboard${path}`)
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: /^(Request|Create)/ }).click()
        await dialog.getByText('Enter an email address').waitFor()
        await assertAccessible(page, `the form of ${path}`)
      }
      await page.context().close()
    },
  )
}

test('an empty account shows curl commands', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, bare)
  await checkPage(page, url, '/payments')
  await unfold(page, 'API request')
  await page.getByText('"customer_email":"ann@example.com"').waitFor()
  await checkPage(page, url, '/subscriptions')
  await unfold(page, 'API request')
  await page.getByText('"interval":"month"').waitFor()
  await assertAccessible(page, 'the API request')
  await page.context().close()
})

test('the admin view and the settle dialog have no axe violations', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
  await logInToDashboard(page, url, admin)
  await checkPages(page, url, ['/subscriptions', `/payments/${pending}`])
  await page.getByRole('button', { name: 'Settle' }).click()
  await page.getByRole('alertdialog').waitFor()
  await assertAccessible(page, 'the dialog')
  await page.context().close()
})

test('lists show load errors with a retry', options, async () => {
  const page = await openPage()
  await openHome(page, url, owner)
  let broken = true
  await page.route('**/dashboard/api/v1/*', (route) =>
    broken && /\/(payments|subscriptions)(\?|$)/.test(route.request().url())
      ? route.abort()
      : route.continue(),
  )
  // Other tests check this error with axe.
  for (const name of ['Payment requests', 'Subscriptions']) {
    broken = true
    await page.getByRole('link', { name }).click()
    await page.getByText('Could not reach the server.').waitFor({ timeout: 20_000 })
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name }).getByRole('link').first().waitFor()
  }
  await page.context().close()
})

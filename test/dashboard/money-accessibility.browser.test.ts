// Checks Home, transactions and statement with axe in both themes, wide and narrow.

import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import { checkPages, logInToDashboard, page_variants } from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin

const owner = await people.owner()
const bare = await people.owner()
const admin = await people.admin()

async function settled(type: string, amount: number, reference: string): Promise<string> {
  const body = { account_id: owner.account_id, amount, currency: 'USD', type, reference }
  const { id } = (await call('POST', '/v1/transactions', { token: owner.token, body })).body
  const outcome = { outcome: 'succeeded' }
  await call('POST', `/v1/transactions/${id}/settle`, { token: admin.token, body: outcome })
  return id
}

const paid = await settled('payment', 999_999_999_999, 'a-reference-without-a-single-break-in-it')
const refund = await settled('refund', 250_000_000_001, paid)

const paths = [
  '/',
  '/?period=today',
  '/?period=90d',
  '/statement',
  '/transactions',
  `/transactions/${paid}`,
  `/transactions/${refund}`,
]

for (const { colorScheme, width, share } of page_variants) {
  test(
    `money pages have no axe violations in ${colorScheme} at ${width} px`,
    options(),
    async () => {
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
      await logInToDashboard(page, url, owner)
      await checkPages(page, url, share(paths))
      await page.context().close()
    },
  )
}

test('empty pages and all-account views have no axe violations', options(), async () => {
  const page = await openPage({ colorScheme: 'dark', viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, bare)
  await checkPages(page, url, ['/', '/statement'])
  await page.context().close()
  const other = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(other, url, admin)
  await checkPages(other, url, ['/', '/statement', '/transactions'])
  await other.context().close()
})

function options() {
  return { skip: no_browser }
}

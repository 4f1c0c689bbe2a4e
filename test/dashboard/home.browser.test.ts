// Home: balances, volume, alerts and the Get started steps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { expires_after_ms } from '../../src/primitives/period.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard, openHome, waitForNetworkIdle } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { recordSecret } from '../support/secrets.ts'
import { wait } from '../transactions/due.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }
const admin = await people.admin()

const hook = { url: 'https://example.com/hook', events: ['*'] }

async function move(owner: Owner, type: string, amount: number, reference?: string) {
  const body = { account_id: owner.account_id, amount, currency: 'USD', type, reference }
  const response = await call('POST', '/v1/transactions', { token: owner.token, body })
  assert.equal(response.status, 201, response.text)
  return response.body.id as string
}

async function settle(id: string, outcome: 'succeeded' | 'failed' = 'succeeded'): Promise<void> {
  const path = `/v1/transactions/${id}/settle`
  const response = await call('POST', path, { token: admin.token, body: { outcome } })
  assert.equal(response.status, 200, response.text)
}

test('volume, success rate and balances match the ledger', options, async () => {
  const owner = await people.owner()
  const paid = await move(owner, 'payment', 40_000)
  await settle(paid)
  await settle(await move(owner, 'payment', 10_000))
  await settle(await move(owner, 'payment', 500), 'failed')
  await settle(await move(owner, 'refund', 2_500, paid))
  await move(owner, 'payment', 7_700)
  await move(owner, 'refund', 600, paid)
  const page = await openPage()
  const errors: string[] = []
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())))
  await openHome(page, url, owner)
  const balance = page.getByRole('region', { name: 'Balance' })
  await balance.getByText('$469.00').waitFor()
  await balance.getByText('$77.00').waitFor()
  await balance.getByText('$6.00').waitFor()
  const volume = page.getByRole('region', { name: 'Volume' })
  await volume.getByText('$500.00').first().waitFor()
  await volume.getByText('$25.00').first().waitFor()
  // Two payments and a refund succeeded, and one payment failed.
  await volume.getByText('75%').waitFor()
  await volume.locator('svg.recharts-surface').waitFor()
  const days = volume.locator('table tbody tr')
  await eventually(() => days.count(), 30)
  await page.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL(/period=7d/)
  await volume.getByText('the previous 7 days').waitFor()
  await eventually(() => days.count(), 7)
  await page.getByRole('link', { name: 'Today' }).click()
  await volume.getByText('yesterday').waitFor()
  await page.reload()
  await volume.getByText('yesterday').waitFor()
  await volume.locator('svg.recharts-surface').waitFor()
  // A day has 23 hours when daylight saving time starts.
  await eventually(async () => (await days.count()) >= 23, true, 'one row per hour')
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('counts failed transactions and links to their list', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await openHome(page, url, owner)
  await page.getByText('You’re all caught up').waitFor()
  await settle(await move(owner, 'payment', 1_900), 'failed')
  await settle(await move(owner, 'payment', 2_900))
  await page.reload()
  await page.getByRole('link', { name: /Failed transactions/ }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
  await rows.getByText('$19.00').waitFor()
  await eventually(() => rows.count(), 1)
  assert.equal(new URL(page.url()).searchParams.get('status'), 'failed')
  await page.context().close()
})

test('Get started checks off the steps that are done', options, async () => {
  const owner = await people.owner()
  const { token, account_id } = owner
  const page = await openPage()
  await openHome(page, url, owner)
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 4 done').waitFor()
  const request = await call('POST', '/v1/payments', {
    token,
    body: { account_id, amount: 7_500, currency: 'USD', customer_email: 'ada@example.com' },
  })
  assert.equal(request.status, 201, request.text)
  const api_key = await call('POST', '/v1/api_keys', {
    token,
    body: { name: 'shop', scopes: ['payments:write'] },
  })
  recordSecret(api_key.body.key)
  await page.reload()
  await steps.getByText('2 of 4 done').waitFor()
  await steps.getByRole('listitem').filter({ hasText: 'Create a payment request (done)' }).waitFor()
  const endpoint = await call('POST', '/v1/webhook_endpoints', { token, body: hook })
  recordSecret(endpoint.body.secret)
  await page.reload()
  await steps.getByText('3 of 4 done').waitFor()
  const settled = await call('POST', `/v1/payments/${request.body.id}/settle`, {
    token: admin.token,
    body: { outcome: 'succeeded' },
  })
  assert.equal(settled.status, 200, settled.text)
  await waitForNetworkIdle(page, () => page.reload())
  await page.getByRole('region', { name: 'Balance' }).getByText('$75.00').waitFor()
  await eventually(() => steps.count(), 0)
  await page.context().close()
})

test('Get started hides steps that a member may not do', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const page = await openPage()
  await openHome(page, url, member)
  await page.getByRole('region', { name: 'Get started' }).getByText('0 of 2 done').waitFor()
  await page.context().close()
})

test('an admin chooses an account and sees its Home', options, async () => {
  const owner = await people.owner()
  await settle(await move(owner, 'payment', 12_300))
  const page = await openPage()
  await openHome(page, url, admin)
  const accounts = page.getByRole('region', { name: 'Newest accounts' })
  const row = accounts.getByRole('listitem').filter({ hasText: owner.email })
  await row.getByText('Active', { exact: true }).waitFor()
  await row.getByRole('link', { name: 'Acme Ltd' }).click()
  await page.getByRole('region', { name: 'Balance' }).getByText('$123.00').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await page.getByRole('link', { name: '90 days' }).click()
  await page.waitForURL(/period=90d/)
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await page.context().close()
})

test('shows users without an account how to create one', options, async () => {
  const page = await openPage()
  await openHome(page, url, await people.lone())
  await page.getByText('You don’t have an account yet').waitFor()
  await page.context().close()
})

test('the axis of an empty account has distinct amounts', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await openHome(page, url, owner)
  const volume = page.getByRole('region', { name: 'Volume' })
  const amounts = volume.locator('svg text').filter({ hasText: '$' })
  await eventually(() => amounts.allTextContents(), ['$0', '$1', '$2', '$3', '$4'])
  await page.context().close()
})

test(
  'lists delayed transactions, failing endpoints and expiring requests with links',
  options,
  async () => {
    const owner = await people.owner()
    const { token, account_id } = owner
    await move(owner, 'payment', 3_300)
    const endpoint = await call('POST', '/v1/webhook_endpoints', { token, body: hook })
    recordSecret(endpoint.body.secret)
    await florin.db.pool.query(
      `update webhook_endpoints set failing_since = now() where account_id = $1`,
      [findUuid('account', account_id)],
    )
    const body = { account_id, amount: 900, currency: 'USD', customer_email: 'ann@example.com' }
    const request = await call('POST', '/v1/payments', { token, body })
    assert.equal(request.status, 201, request.text)
    await wait(florin, expires_after_ms / 1_000 - 2 * 86_400)
    const page = await openPage()
    await openHome(page, url, owner)
    const alerts = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
    await eventually(
      () => alerts.allTextContents(),
      ['Failing webhook endpoints1', 'Delayed transactions1', 'Expiring payment requests1'],
    )
    await alerts.getByRole('link', { name: /Delayed/ }).click()
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
    // The link lists exactly the counted rows.
    await page.getByRole('link', { name: '$33.00' }).waitFor()
    await page.getByText('1 result').waitFor()
    assert.match(new URL(page.url()).searchParams.get('date_to')!, /^\d{4}-.*Z"?$/)
    await page.goBack()
    await alerts.getByRole('link', { name: /Failing webhook/ }).click()
    await page.getByRole('table', { name: 'Webhook endpoints' }).getByText('Failing').waitFor()
    await page.goBack()
    await alerts.getByRole('link', { name: /Expiring/ }).click()
    await page.getByRole('link', { name: '$9.00' }).waitFor()
    await page.getByText('1 result').waitFor()
    await page.context().close()
  },
)

test('compares a period with the previous one', options, async () => {
  const owner = await people.owner()
  const paid = await move(owner, 'payment', 40_000)
  await settle(paid)
  await settle(await move(owner, 'refund', 8_000, paid))
  await settle(await move(owner, 'payment', 100), 'failed')
  await wait(florin, 7 * 86_400)
  await settle(await move(owner, 'payment', 50_000))
  await settle(await move(owner, 'refund', 2_000, paid))
  const page = await openPage()
  await logInToDashboard(page, url, owner)
  await page.goto(`${url}/dashboard?period=7d`)
  const totals = page.getByRole('region', { name: 'Volume' }).locator('dl dd')
  await eventually(() => totals.allTextContents(), ['$500.00+25%', '$20.00−75%', '100%+33.3 pp'])
  await page.context().close()
})

// Home in a real browser: money that really moved, what really needs attention, and the way to the
// first paid request ticked by what is really there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { expires_after_ms } from '../../src/primitives/payment-dates.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInThroughPage, logInToDashboard, waitForNetworkIdle } from '../support/dashboard.ts'
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

test('volume, success rate and balances are those of the books', options, async () => {
  const owner = await people.owner()
  const paid = await move(owner, 'payment', 40_000)
  await settle(paid)
  await settle(await move(owner, 'payment', 10_000))
  await settle(await move(owner, 'payment', 500), 'failed')
  await settle(await move(owner, 'refund', 2_500, paid))
  await move(owner, 'payment', 7_700)
  await move(owner, 'refund', 600, paid)
  const page = await openPage()
  const faults: string[] = []
  page.on('console', (line) => void (line.type() === 'error' && faults.push(line.text())))
  await logInThroughPage(page, url, owner)
  const balance = page.getByRole('region', { name: 'Balance' })
  await balance.getByText('$469.00').waitFor()
  await balance.getByText('$77.00').waitFor()
  await balance.getByText('$6.00').waitFor()
  const volume = page.getByRole('region', { name: 'Volume' })
  await volume.getByText('$500.00').first().waitFor()
  await volume.getByText('$25.00').first().waitFor()
  // Three of four ended well: two payments and a refund, and one payment failed.
  await volume.getByText('75%').waitFor()
  await volume.locator('svg.recharts-surface').waitFor()
  const days = volume.locator('table tbody tr')
  await eventually(() => days.count(), 30)
  await page.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL(/period=7d/)
  await volume.getByText('the 7 days before').waitFor()
  await eventually(() => days.count(), 7)
  await page.getByRole('link', { name: 'Today' }).click()
  await volume.getByText('yesterday').waitFor()
  await page.reload()
  await volume.getByText('yesterday').waitFor()
  await volume.locator('svg.recharts-surface').waitFor()
  // A day has 23 hours when the clocks go forward.
  await eventually(async () => (await days.count()) >= 23, true, 'an hour a row')
  assert.deepEqual(faults, [])
  await page.context().close()
})

test('what failed is counted, and leads to the list of it', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInThroughPage(page, url, owner)
  await page.getByText('You’re all caught up').waitFor()
  await settle(await move(owner, 'payment', 1_900), 'failed')
  await settle(await move(owner, 'payment', 2_900))
  await page.reload()
  await page.getByRole('link', { name: /Transactions failed/ }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
  await rows.getByText('$19.00').waitFor()
  await eventually(() => rows.count(), 1)
  assert.equal(new URL(page.url()).searchParams.get('status'), 'failed')
  await page.context().close()
})

test('the way to the first paid request is ticked by what is there', options, async () => {
  const owner = await people.owner()
  const { token, account_id } = owner
  const page = await openPage()
  await logInThroughPage(page, url, owner)
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 4 done').waitFor()
  const request = await call('POST', '/v1/payments', {
    token,
    body: { account_id, amount: 7_500, currency: 'USD', customer_email: 'ada@example.com' },
  })
  assert.equal(request.status, 201, request.text)
  const made = await call('POST', '/v1/api_keys', {
    token,
    body: { name: 'shop', scopes: ['payments:write'] },
  })
  recordSecret(made.body.key)
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

test('a member is not sent to what only the owner may do', options, async () => {
  const owner = await people.owner()
  const member = await people.member(owner)
  const page = await openPage()
  await logInThroughPage(page, url, member)
  await page.getByRole('region', { name: 'Get started' }).getByText('0 of 2 done').waitFor()
  await page.context().close()
})

test('an admin chooses among accounts, and then sees one', options, async () => {
  const owner = await people.owner()
  await settle(await move(owner, 'payment', 12_300))
  const page = await openPage()
  await logInThroughPage(page, url, admin)
  const accounts = page.getByRole('table', { name: 'Accounts' })
  await accounts.getByRole('cell', { name: owner.email, exact: true }).waitFor()
  await accounts.locator('tr', { hasText: owner.email }).getByRole('link').click()
  await page.getByRole('region', { name: 'Balance' }).getByText('$123.00').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await page.getByRole('link', { name: '90 days' }).click()
  await page.waitForURL(/period=90d/)
  assert.equal(new URL(page.url()).searchParams.get('account'), owner.account_id)
  await page.context().close()
})

test('whoever has no account is told how to open one', options, async () => {
  const page = await openPage()
  await logInThroughPage(page, url, await people.lone())
  await page.getByText('You have no account yet.').waitFor()
  await page.context().close()
})

test('an axis of an account without money names different amounts', options, async () => {
  const owner = await people.owner()
  const page = await openPage()
  await logInThroughPage(page, url, owner)
  const volume = page.getByRole('region', { name: 'Volume' })
  const amounts = volume.locator('svg text').filter({ hasText: '$' })
  await eventually(() => amounts.allTextContents(), ['$0', '$1', '$2', '$3', '$4'])
  await page.context().close()
})

test(
  'what waits for long and what is not delivered is listed, and leads there',
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
    const asked = { account_id, amount: 900, currency: 'USD', customer_email: 'ann@example.com' }
    const request = await call('POST', '/v1/payments', { token, body: asked })
    assert.equal(request.status, 201, request.text)
    await wait(florin, expires_after_ms / 1_000 - 2 * 86_400)
    const page = await openPage()
    await logInThroughPage(page, url, owner)
    const concerns = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
    await eventually(
      () => concerns.allTextContents(),
      ['Webhook endpoints failing1', 'Delayed transactions1', 'Payment requests expiring1'],
    )
    await concerns.getByRole('link', { name: /Delayed/ }).click()
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
    // The link lists exactly what was counted.
    await page.getByRole('link', { name: '$33.00' }).waitFor()
    await page.getByText('1 result').waitFor()
    assert.match(new URL(page.url()).searchParams.get('date_to')!, /^\d{4}-.*Z"?$/)
    await page.goBack()
    await concerns.getByRole('link', { name: /endpoints failing/ }).click()
    await page.getByRole('table', { name: 'Webhook endpoints' }).getByText('Failing').waitFor()
    await page.goBack()
    await concerns.getByRole('link', { name: /expiring/ }).click()
    await page.getByRole('link', { name: '$9.00' }).waitFor()
    await page.getByText('1 result').waitFor()
    await page.context().close()
  },
)

test('a period is compared with the one before it', options, async () => {
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

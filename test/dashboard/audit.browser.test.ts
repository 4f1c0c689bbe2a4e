// The audit log page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '../../client/src/florin.ts'
import {
  auditActionText,
  describeActor,
  describeDuration,
  remainingDetails,
} from '../../web/dashboard/src/pages/audit/audit-text.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const { call, people, url } = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const options = { skip: no_browser }
const [admin, other] = [await people.admin(), await people.admin()]
const [owner, second] = [await people.owner(), await people.owner()]

async function change(token: string, account_id: string, status: string): Promise<void> {
  const response = await call('PATCH', `/v1/accounts/${account_id}`, { token, body: { status } })
  assert.equal(response.status, 200)
}

await change(admin.token, owner.account_id, 'suspended')
await change(other.token, second.account_id, 'pending')
await change(other.token, second.account_id, 'active')
const body = { account_id: second.account_id, amount: 900, currency: 'USD', type: 'payment' }
const paid = await call('POST', '/v1/transactions', { token: second.token, body })
await call('POST', `/v1/transactions/${paid.body.id}/settle`, {
  token: admin.token,
  body: { outcome: 'failed', reason: 'card_declined' },
})

test('an entry shows actor, action, object and details', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/audit`)
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
  const settled = rows.nth(0)
  await settled.getByText('settled the transaction').waitFor()
  await settled.getByRole('link', { name: admin.email }).waitFor()
  await settled.getByText('as failed').waitFor()
  await settled.getByText('reason: card_declined').waitFor()
  await settled.getByRole('link', { name: 'Acme Ltd' }).waitFor()
  await eventually(() => rows.nth(3).textContent(), /^The admin \S+ suspended the account Acme Ltd/)
  await settled.getByRole('link', { name: admin.email }).click()
  await page.getByRole('heading', { name: admin.email }).waitFor()
  await page.context().close()
})

test('stores the resource, actor, object and date filters in the URL', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.goto(`${url}/dashboard/audit`)
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
  await page.getByLabel('Resource').selectOption('transaction')
  await page.getByText('1 result').waitFor()
  await page.getByLabel('Resource').selectOption('account')
  // Two accounts were created and updated three times in total.
  await page.getByText('1–5 of 5').waitFor()
  await page.getByLabel('Actor').fill(other.email)
  await page.keyboard.press('Enter')
  await page.getByText('1–2 of 2').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('actor'), other.email)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Object').fill(owner.account_id)
  await page.keyboard.press('Enter')
  await page.waitForURL(/object=acct_/)
  await rows.filter({ hasText: 'suspended the account' }).waitFor()
  await page.reload()
  await page.getByText('1–2 of 2').waitFor()
  await eventually(() => rows.filter({ hasText: 'created the account' }).count(), 1)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No entries match these filters').waitFor()
  await page.getByLabel('Object').fill('not an id')
  await page.keyboard.press('Enter')
  await page.getByText('"object" must be an id that starts with').waitFor()
  await page.goto(`${url}/dashboard/audit?action=transaction.settled`)
  await page.getByText('1 result').waitFor()
  await page.goto(`${url}/dashboard/audit?account=${owner.account_id}`)
  await page.getByText('1–2 of 2').waitFor()
  await page.context().close()
})

test(
  "interprets days in the selected account's time zone, or in UTC without one",
  options,
  async () => {
    const far = await people.owner()
    const settings = { settings: { timezone: 'Pacific/Kiritimati' } }
    await call('PATCH', '/v1/account', { token: far.token, body: settings })
    const requested: string[] = []
    const page = await openPage()
    page.on('request', (request) => requested.push(decodeURIComponent(request.url())))
    await logInToDashboard(page, url, admin)
    for (const account of [`&account=${far.account_id}`, '']) {
      await page.goto(`${url}/dashboard/audit?date_from=2020-01-02&date_to=2020-01-02${account}`)
      await page.getByText('No entries match these filters').waitFor()
    }
    const lists = requested.filter((one) => one.includes('date_from') && one.includes('/api/'))
    assert.equal(lists.length, 2)
    // Fourteen hours ahead of UTC.
    assert.match(lists[0]!, /date_from=2020-01-01T10:00:00.000Z&date_to=2020-01-02T09:59:59.999Z/)
    assert.match(lists[1]!, /date_from=2020-01-02T00:00:00.000Z&date_to=2020-01-02T23:59:59.999Z/)
    await page.context().close()
  },
)

function entry(action: string, details: AuditEntry['details'] = {}): AuditEntry {
  const created_at = '2026-11-15T09:30:00.000Z'
  const of = { account_id: null, object_id: null, request_id: null, actor_id: null }
  return { id: 'aud_1', action, actor_role: 'admin', details, created_at, ...of }
}

test('describes known actions in words, and unknown actions by their name', () => {
  const cases: [AuditEntry, string][] = [
    [
      entry('user.updated', { status: 'suspended', name: true, password: false }),
      'suspended and renamed the user …',
    ],
    [
      entry('user.updated', { status: 'active', name: false, password: true }),
      'changed the password of and set the user … to active',
    ],
    [entry('user.updated', { status: false, name: false, password: false }), 'updated the user …'],
    [entry('account.updated', { name: 'Kiosk' }), 'updated the account …'],
    [entry('account.updated', { status: 'pending' }), 'set the account … to pending'],
    [
      entry('payment.settled', { outcome: 'succeeded' }),
      'settled the payment request … as succeeded',
    ],
    [
      entry('clock.advanced', { seconds: 90_061 }),
      'advanced the clock by 1 day, 1 hour, 1 minute and 1 second …',
    ],
    [entry('bank_entry.matched'), 'matched the bank entry …'],
    [
      entry('bank_column_map.saved', { name: 'Sparkasse' }),
      'saved a column map for bank statements …',
    ],
    [entry('moon_base.blown_up'), 'blown up the moon base …'],
  ]
  for (const [line, text] of cases) {
    const [before, after] = auditActionText(line)
    assert.equal([before, '…', after].filter(Boolean).join(' '), text)
  }
  assert.equal(describeDuration(1_209_600), '2 weeks')
  assert.equal(describeActor({ ...entry('x.y'), actor_role: 'operator' }), 'CLI')
  assert.equal(
    describeActor({ ...entry('account.created'), actor_role: 'anonymous' }),
    'Anonymous sign-up',
  )
  assert.equal(
    describeActor({ ...entry('x.y'), actor_role: 'platform', actor_id: 'key_1' }),
    'The platform key',
  )
  const changed = entry('account.updated', { status: 'active', name: 'Kiosk', updated_at: 'then' })
  assert.deepEqual(remainingDetails(changed), [['name', 'Kiosk']])
})

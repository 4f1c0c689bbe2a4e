// The health page: charts, refresh and warnings.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Health, Processor } from '../../client/src/florin.ts'
import { bytesText, msText } from '../../web/dashboard/src/pages/health/health-text.ts'
import {
  providerWarnings,
  warningsOf,
} from '../../web/dashboard/src/pages/health/health-warnings.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const { call, people, url } = florin
const options = { skip: no_browser }
const admin = await people.admin()

test('marks figures as outdated when a refresh fails', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.clock.install()
  await page.goto(`${url}/dashboard/health`)
  await page.getByText('No worker is running.').waitFor()
  await page.route('**/v1/health', (route) => route.abort())
  await page.clock.fastForward(10_000)
  await page.getByText('These figures are outdated').waitFor({ timeout: 30_000 })
  await page.getByText('No worker is running.').waitFor()
  await page.context().close()
})

const good = (await call('GET', '/v1/health', { token: admin.token })).body as Health
good.worker = { ...good.worker, running: true }
good.database.settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  data_checksums: 'on',
}
good.database.oldest_transaction_s = null
// Other tests use the same database server and machine.
good.database.connections = { active: 1, idle: 9, in_transaction: 0, max: 100 }
good.server.history = Array.from({ length: 6 }, () => point())

function point(changed: Partial<Health['server']['history'][number]> = {}) {
  const lane = { waiting: 0, batch_size: null }
  return {
    at: '2026-11-15T09:30:00.000Z',
    requests_per_s: { '2xx': 10, '3xx': 0, '4xx': 1, '5xx': 0 },
    latency_ms: { p50: 2, p99: 20 },
    lanes: { transactions: lane, payments: lane, subscriptions: lane },
    pool: { busy: 0, idle: 1, waiting: 0 },
    event_loop_delay_ms: { p50: 20, p99: 25 },
    rss_bytes: 1e8,
    ...changed,
  }
}

function withHistory(changed: Parameters<typeof point>[0], count = 6): Health {
  const history = Array.from({ length: 6 }, (_, at) => point(at < count ? changed : {}))
  return { ...good, server: { ...good.server, history } }
}

test('warns about each problem, and about nothing else', () => {
  const { database, worker } = good
  const keys = (health: Health) => warningsOf(health).map(({ key }) => key)
  assert.deepEqual(keys(withHistory({})), [])
  const settings = { ...database.settings, fsync: 'off' }
  assert.deepEqual(keys({ ...good, database: { ...database, settings } }), ['settings'])
  const live = { ...good.server, mode: 'live' as const }
  assert.deepEqual(keys({ ...good, server: { ...live, sends_email: false } }), ['email'])
  assert.deepEqual(keys({ ...good, server: { ...live, sends_email: true } }), [])
  const admins = { ...good.server, admins_without_factor: 2 }
  assert.deepEqual(keys({ ...good, server: admins }), ['factors'])
  assert.deepEqual(keys({ ...good, worker: { ...worker, running: false } }), ['worker'])
  assert.deepEqual(keys({ ...good, worker: { ...worker, transactions_due: 100 } }), ['backlog'])
  const closings = { open: 2, oldest_s: 700, stalled: 1 }
  assert.deepEqual(keys({ ...good, worker: { ...worker, closings } }), ['closings'])
  const connections = { active: 80, idle: 0, in_transaction: 0, max: 100 }
  assert.deepEqual(keys({ ...good, database: { ...database, connections } }), ['connections'])
  const old = { ...database, oldest_transaction_s: 61 }
  assert.deepEqual(keys({ ...good, database: old }), ['old'])
  const failed = { '2xx': 1, '3xx': 0, '4xx': 0, '5xx': 0.1 }
  assert.deepEqual(keys(withHistory({ requests_per_s: failed }, 1)), ['errors'])
  const slow = { latency_ms: { p50: 5, p99: 1_200 } }
  assert.deepEqual(keys(withHistory(slow)), ['slow'])
  assert.deepEqual(keys(withHistory(slow, 2)), [])
  assert.deepEqual(keys(withHistory({ event_loop_delay_ms: { p50: 20, p99: 300 } })), ['loop'])
  assert.deepEqual(keys(withHistory({ pool: { busy: 9, idle: 0, waiting: 4 } })), ['pool'])
})

const with_stripe = {
  FLORIN_PROCESSOR: 'stripe,manual',
  FLORIN_STRIPE_SECRET_KEY: 'sk_test_1',
  FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

test('a platform sees the payment providers and unmatched money', options, async () => {
  const platform = await people.platform()
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard/health`)
  const panel = page.getByRole('region', { name: 'Payment provider' })
  await panel.getByText('Sandbox cards').waitFor()
  const second = await florin.startSecondServer(with_stripe)
  await florin.db.pool.query(`
    insert into provider_states (provider, last_sweep_at, last_error, last_error_at)
    values ('stripe', now() - interval '1 hour', 'Stripe returned 503.', now());
    insert into provider_events (provider, event_id, provider_id, state, amount, currency)
    values ('stripe', 'evt_7', 'cs_7', 'unmatched', 7500, 'USD')`)
  await logInToDashboard(page, second.url, platform)
  await page.goto(`${second.url}/dashboard/health`)
  await page.getByText('Stripe is failing.').waitFor()
  const stripe = panel.getByRole('region', { name: 'Stripe', exact: true })
  for (const text of ['Failing', 'Test key', 'None received yet', 'Stripe returned 503.']) {
    await stripe.getByText(text, { exact: true }).waitFor()
  }
  await panel.getByText('Accepted, settled by an operator').waitFor()
  const rows = panel
    .getByRole('table', { name: 'Unmatched payments at Stripe' })
    .locator('tbody tr')
  await rows.getByText('$75.00').waitFor()
  await assertAccessible(page, 'the panel')
  // The figures of the server are for admins.
  await eventually(() => page.getByRole('region', { name: 'Now' }).count(), 0)
  const { body } = await second.call('GET', '/v1/processor', { token: platform.token })
  const keys = (processor: Processor) => providerWarnings(processor).map(({ key }) => key)
  assert.deepEqual(keys(body), ['stripe failing', 'stripe unmatched'])
  await florin.db.pool.query('delete from provider_events')
  await page.context().close()
})

// Must be late: the server records the first points of the charts while other tests run.
test('draws charts of the metrics and refreshes every ten seconds', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, admin)
  await page.clock.install()
  const errors: string[] = []
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())))
  page.on('pageerror', (error) => void errors.push(error.message))
  await page.goto(`${url}/dashboard/health`)
  // Test servers have no worker.
  await page.getByText('No worker is running.').waitFor()
  await page.getByText('0.0.0-test').waitFor()
  await page.getByRole('region', { name: 'Database', exact: true }).getByText('fsync').waitFor()
  for (let at = 0; at < 20; at++) await call('GET', '/v1/users', { token: admin.token })
  const names = ['Throughput', 'Latency', 'Queue depth', 'Database connections', 'Event loop']
  for (const name of names) {
    const drawing = page.getByRole('img', { name: new RegExp(`^${name} over the last hour`) })
    await drawing.locator('svg path').first().waitFor({ state: 'attached', timeout: 45_000 })
  }
  const refreshed = page.waitForResponse('**/v1/health')
  await page.clock.fastForward(10_000)
  await refreshed
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('formats figures in readable units', () => {
  assert.deepEqual(
    [bytesText(0), bytesText(999), bytesText(1_500)],
    ['0 bytes', '999 bytes', '1.5 kB'],
  )
  assert.deepEqual([bytesText(14_200_000), bytesText(2.5e9)], ['14 MB', '2.5 GB'])
  assert.deepEqual([msText(0.25), msText(44.4), msText(1_250)], ['0.3 ms', '44 ms', '1.3 s'])
})

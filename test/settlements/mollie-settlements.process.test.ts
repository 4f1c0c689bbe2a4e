// Settlements of the stand-in for Mollie are imported, matched with the bank and compared with the
// ledger, as those of Stripe are.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { importAndMatch, importBalances } from '../../src/operations/import-balances.ts'
import { reconcile } from '../../src/operations/reconcile.ts'
import { openMollie } from '../../src/processors/mollie.ts'
import type { Provider } from '../../src/processors/provider.ts'
import { settleBankEntry } from '../../src/settlements/settle-bank-entry.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { runToEnd } from '../cli/florin-process.ts'
import { toUrl } from '../cli/shared-database.ts'
import { CheckoutFixtures } from '../payments/checkout-fixtures.ts'
import { FakeMollie } from '../support/fake-mollie.ts'
import { live_env } from '../support/florin.ts'

const fake = await FakeMollie.start()
after(() => fake.stop())
const { settled } = fake
const fixtures = await CheckoutFixtures.open({
  FLORIN_PROCESSOR: 'mollie',
  FLORIN_MOLLIE_API_KEY: 'test_settlements',
  FLORIN_MOLLIE_API_URL: fake.url,
})
const { florin } = fixtures
const { db } = florin
const shop = await fixtures.shop()

const usd = (value: string) => ({ currency: 'USD', value })
const open = (access_token: string | undefined): Provider =>
  openMollie({ api_key: 'live_settlements', access_token, api_url: fake.url })
const provider = open(settled.token)

/** A payment in the ledger; returns it as Mollie lists it with its settlement. */
async function pay(amount: number) {
  const visit = await fixtures.visit({ amount }, shop)
  const response = await visit.payer.choose('mollie')
  assert.equal(response.status, 303, response.text)
  const id = response.headers.get('location')!.split('/').at(-1)!
  fake.pay(id)
  await fixtures.receive(id)
  const payment = fake.payments.get(id)!
  return { ...payment, settlementAmount: payment.amount }
}

async function refund(payment_id: string, value: string) {
  const row = fake.refundInDashboard(payment_id, usd(value))
  fake.finishRefund(row.id, 'refunded')
  await fixtures.receive(payment_id)
  return { ...row, settlementAmount: usd(`-${value}`) }
}

async function chargeBack(payment_id: string, value: string) {
  const row = fake.chargeBack(payment_id, usd(value))
  await fixtures.receive(payment_id)
  return { ...row, settlementAmount: usd(`-${value}`) }
}

const importAll = () => importAndMatch(db, provider)

/** Two hours later nothing of the provider is in progress anymore. */
async function compare() {
  const { lines, differences } = await reconcile(db, new Date(Date.now() + 7_200_000))
  return {
    differences: differences.map(({ rule, found, expected }) => `${rule}: ${found}; ${expected}`),
    lines: lines.map(
      ({ line, ledger, at_provider, at_bank, in_progress, difference }) =>
        `${line}: ${ledger} ${at_provider} ${at_bank} ${in_progress} ${difference}`,
    ),
  }
}

async function listSettlements() {
  const { token } = fixtures.admin
  const { body } = await florin.call('GET', '/v1/settlements?provider=mollie', { token })
  return body.data
}

test('without a token nothing is imported, and only the ledger is shown', async () => {
  await pay(300)
  fake.requests.length = 0
  assert.equal(await importAndMatch(db, open(undefined)), 0)
  assert.deepEqual(fake.requests, [])
  assert.deepEqual(await compare(), {
    differences: [],
    lines: ['charges: 300 null null 0 0', 'fees: 0 null null 0 0'],
  })
})

let first = ''

test('both sides agree after a settlement, and later payments are in progress', async () => {
  const [one, two] = [await pay(4_200), await pay(1_000)]
  const other = { ...one, id: 'tr_other', amount: usd('5.00'), metadata: null }
  first = settled.add({
    // 42.00 + 10.00 + 5.00 - 2.00 - 10.00 - 0.754 - 0.30
    amount: '43.95',
    currency: 'USD',
    revenue: { '2026-10': '45.0000' },
    costs: { '2026-10': '0.7540', '2026-11': '0.3000' },
    rows: {
      payments: [one, two, { ...other, settlementAmount: usd('5.00') }],
      refunds: [await refund(one.id, '2.00')],
      chargebacks: [await chargeBack(two.id, '10.00')],
    },
  }).id
  // The settlement, five entries and two months of costs.
  assert.equal(await importAll(), 8)
  assert.deepEqual(await compare(), {
    differences: [],
    lines: [
      'charges: 5500 5200 null 300 0',
      'fees: 0 0 null 0 0',
      'refunds: -200 -200 null 0 0',
      'disputes: -1000 -1000 null 0 0',
      // A charge of another program, and the costs.
      'other: null 395 null 0 0',
      'settled: null 4395 null 0 0',
      'remainder: null 0 null 0 0',
    ],
  })
  const [settlement] = await listSettlements()
  assert.deepEqual([settlement.provider_id, settlement.amount], [first, 4_395])
  assert.deepEqual(settlement.lines, [
    { kind: 'charge', count: 3, amount: 5_700, fee: 0, net: 5_700 },
    { kind: 'dispute', count: 1, amount: -1_000, fee: 0, net: -1_000 },
    { kind: 'other', count: 2, amount: 0, fee: 105, net: -105 },
    { kind: 'refund', count: 1, amount: -200, fee: 0, net: -200 },
    { kind: 'remainder', count: 0, amount: 0, fee: 0, net: 0 },
  ])
})

test('importing again changes nothing, also after an interruption', async () => {
  const before = await compare()
  assert.equal(await importAll(), 0)
  await db.pool.query('delete from balance_imports')
  await db.pool.query('update settlements set has_entries = false')
  await db.pool.query(`delete from balance_entries where kind <> 'charge'`)
  // After the list of settlements, the costs and the payments.
  settled.faults.push(200, 200, 200, 429)
  await assert.rejects(importAll(), /^ProviderError: Mollie: /)
  // The refund and the chargeback.
  assert.equal(await importAll(), 2)
  assert.deepEqual(await compare(), before)
})

test('a wrong token, a rate limit and an outage lose nothing', async () => {
  const before = [await listSettlements(), await compare()]
  const failing = [open('access_wrong'), open(settled.weak_token), provider, provider]
  const errors: unknown[] = []
  const signal = new AbortController().signal
  const parts = { db, providers: failing, report: (error: unknown) => void errors.push(error) }
  // The first two are rejected before a fault.
  await importBalances({ ...parts, providers: failing.slice(0, 2) }, { signal, slots: [0] })
  settled.faults.push(429, 503)
  await importBalances({ ...parts, providers: failing.slice(2) }, { signal, slots: [0] })
  const messages = errors.map((error) => (error as Error).message.slice(0, 44))
  assert.deepEqual(messages, [
    'Mollie rejected FLORIN_MOLLIE_ACCESS_TOKEN: ',
    'Mollie rejected FLORIN_MOLLIE_ACCESS_TOKEN: ',
    'Mollie: Fault 429',
    'Mollie: Fault 503',
  ])
  assert.deepEqual([await listSettlements(), await compare()], before)
})

test('a settlement that is not paid out has no entries, and gets them later', async () => {
  const payments = [await pay(700)]
  const row = settled.add({
    amount: '6.00',
    currency: 'USD',
    status: 'pending',
    rows: { payments },
  })
  settled.add({ amount: '9.00', currency: 'USD', status: 'open' })
  assert.equal(await importAll(), 1)
  const [pending, ...others] = await listSettlements()
  assert.equal(others.length, 1)
  assert.deepEqual([pending.status, pending.entries, pending.lines], ['pending', 'in_progress', []])
  const { differences } = await compare()
  assert.deepEqual(differences, [])
  // Mollie changes the amount until it pays out.
  Object.assign(row, { amount: usd('6.71'), status: 'paidout', settledAt: row.createdAt })
  Object.assign(row, {
    periods: { 2026: { 11: { revenue: [{ amountGross: usd('7.0000') }], costs: [] } } },
  })
  assert.equal(await importAll(), 2)
  const [paid] = await listSettlements()
  assert.deepEqual([paid.id, paid.status, paid.amount], [pending.id, 'paid', 671])
})

test('what the entries do not explain is a line, and a difference', async () => {
  const [settlement] = await listSettlements()
  assert.deepEqual(settlement.lines, [
    { kind: 'charge', count: 1, amount: 700, fee: 0, net: 700 },
    { kind: 'remainder', count: 0, amount: -29, fee: 0, net: -29 },
  ])
  assert.deepEqual((await compare()).differences, [
    'settlement_equals_its_entries: 671 USD, with a remainder of -29; ' +
      '700 USD, the sum of its entries',
  ])
  // Mollie corrects it.
  settled.settlements[1]!.amount = usd('7.00')
  assert.equal(await importAll(), 1)
  assert.deepEqual((await compare()).differences, [])
})

test('the bank statement shows a settlement by its reference', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const text = 'SETTLEMENT 1234567 2611 01'
  const file = fileOf([{ signed: 4_395, text, booked_on: today }]).replaceAll('EUR', 'USD')
  const bank = new BankFixtures(florin, fixtures.admin)
  await bank.import(file)
  await bank.settleAll({ settlers: [settleBankEntry] })
  const settlements = await listSettlements()
  const shown = settlements.find((one: { provider_id: string }) => one.provider_id === first)
  assert.match(shown.bank_entry_id, /^bse_\w{26}$/)
  const { lines, differences } = await compare()
  assert.deepEqual(differences, [])
  assert.ok(lines.includes('settled: null 5095 4395 700 0'), lines.join('\n'))
})

test('an old payment that no settlement contains is a difference', async () => {
  await db.pool.query(`update balance_imports set complete_until = now() + interval '15 days'`)
  assert.deepEqual((await compare()).differences, [
    'ledger_matches_provider: 300 USD with a fee of unknown in the ledger; nothing, as at mollie',
  ])
  await db.pool.query('delete from balance_imports')
  await importAll()
})

test('the command imports with the token, and names the setting without it', async () => {
  const env = {
    ...live_env,
    DATABASE_URL: toUrl(florin.connection, florin.database),
    FLORIN_PROCESSOR: 'mollie',
    FLORIN_MOLLIE_API_KEY: 'live_settlements',
    FLORIN_MOLLIE_API_URL: fake.url,
  }
  const with_token = { ...env, FLORIN_MOLLIE_ACCESS_TOKEN: settled.token }
  const full = await runToEnd(['reconcile'], { env: with_token })
  assert.match(full.stdout, /^mollie, USD +Ledger +Provider +Bank +In progress +Difference\n/)
  assert.match(full.stdout, /\n {2}Settled to the bank +50\.95 +43\.95 +7\.00 +0\.00\n/)
  assert.doesNotMatch(full.stdout, /Left at the provider|FLORIN_MOLLIE_ACCESS_TOKEN/)
  const without = await runToEnd(['reconcile', '--no-fetch'], { env })
  assert.match(without.stdout, /\nMollie's settlements are not imported\. Set FLORIN_MOLLIE_ACC/)
  const wrong = { ...env, FLORIN_MOLLIE_ACCESS_TOKEN: 'access_wrong_hunter2' }
  const rejected = await runToEnd(['reconcile'], { env: wrong })
  assert.equal(rejected.code, 1)
  assert.match(rejected.stderr, /Mollie rejected FLORIN_MOLLIE_ACCESS_TOKEN: .* --no-fetch\./s)
  const sandbox = await runToEnd(['reconcile', '--no-fetch'], {
    env: { ...env, FLORIN_MODE: 'sandbox', FLORIN_MOLLIE_API_KEY: 'test_settlements' },
  })
  assert.match(sandbox.stdout, /\nMollie has no settlements in test mode/)
  for (const { stdout, stderr } of [full, without, rejected, sandbox]) {
    assert.doesNotMatch(stdout + stderr, /hunter2|access_settlements/)
  }
})

// The balance at the stand-in for Stripe is imported, settlements have their entries, and
// `florin reconcile` compares both with the ledger.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcile } from '../../src/operations/reconcile.ts'
import { newRealTimeUuid, toTypeId } from '../../src/primitives/ids.ts'
import { importBalance } from '../../src/settlements/import-balance.ts'
import { runToEnd } from '../cli/florin-process.ts'
import { toUrl } from '../cli/shared-database.ts'
import { CheckoutFixtures, stripe_env } from '../payments/checkout-fixtures.ts'
import type { Row } from '../support/fake-stripe-objects.ts'

const fixtures = await CheckoutFixtures.open()
const { florin, fake, provider } = fixtures
const shop = await fixtures.shop()

/** A payment in the ledger; returns its charge. */
async function pay(amount: number, change: (charge: Row) => void = () => {}): Promise<Row> {
  const session_id = await fixtures.atStripe(await fixtures.visit({ amount }, shop))
  const charge = fake.pay(session_id)!
  change(charge)
  await fixtures.receive(session_id)
  return charge
}

const importAll = () => importBalance(florin.db, provider)

/** Two hours later nothing is in progress anymore. */
async function compare() {
  const { lines, differences } = await reconcile(florin.db, new Date(Date.now() + 7_200_000))
  return {
    differences: differences.map(({ rule, found, expected }) => `${rule}: ${found}; ${expected}`),
    lines: lines.map(
      ({ provider: name, currency, line, ledger, at_provider, difference }) =>
        `${name} ${currency} ${line}: ${ledger} ${at_provider} ${difference}`,
    ),
  }
}

/** A day later the import is complete, so that missing entries are not in progress. */
async function change(text: string): Promise<void> {
  await florin.db.pool.query(text)
  await florin.db.pool.query(`update balance_imports set complete_until = now() + interval '1 day'`)
}

const agreed = [
  'stripe USD charges: 5900 5900 0',
  'stripe USD fees: -164 -164 0',
  'stripe USD refunds: -200 -200 0',
  'stripe USD disputes: -1500 -1500 0',
  'stripe USD other: null -2001 0',
  'stripe USD settled: null 2035 0',
  'stripe USD remainder: null 0 0',
  'stripe USD balance: null 0 0',
]

test('nothing is compared before the balance was imported', async () => {
  const { differences, lines } = await compare()
  assert.deepEqual([differences, lines], [[], []])
})

test('both sides agree after payments, refunds, disputes and a payout', async () => {
  await pay(4_200, ({ id }) => void fake.refundInDashboard(id, 200))
  await pay(1_000, ({ id }) => void fake.dispute(id, 1_500))
  await pay(700, ({ id }) => fake.closeDispute(fake.dispute(id, 700).id, 'won'))
  // Another program uses the same key.
  const source = { id: 'ch_other', object: 'charge', currency: 'usd', amount: 999, metadata: {} }
  fake.balance.add({ type: 'charge', amount: 999, source })
  const before = await compare()
  assert.deepEqual(before.lines[0], 'stripe USD charges: 5900 null 0')
  fake.balance.payOut('usd')
  // Nine entries, the settlement, and its nine entries again.
  assert.equal(await importAll(), 19)
  assert.deepEqual(await compare(), { differences: [], lines: agreed })
})

test('importing again changes nothing', async () => {
  assert.equal(await importAll(), 0)
  assert.deepEqual(await compare(), { differences: [], lines: agreed })
})

test('an import that was interrupted is repeated', async () => {
  await florin.db.pool.query('delete from balance_imports')
  await florin.db.pool.query('delete from balance_entries')
  await florin.db.pool.query('update settlements set has_entries = false')
  fake.faults.set('/v1/payouts', ['rate_limit'])
  await assert.rejects(importAll())
  await importAll()
  assert.deepEqual(await compare(), { differences: [], lines: agreed })
})

test('the remainder of a settlement is a difference', async () => {
  fake.balance.addAccountFee(35, 'usd')
  const { id } = fake.balance.payOut('usd', { remainder: 135 })
  await importAll()
  const { differences, lines } = await compare()
  assert.deepEqual(differences, [
    'settlement_equals_its_entries: 100 USD, with a remainder of 135; ' +
      '-35 USD, the sum of its entries',
  ])
  assert.ok(lines.includes('stripe USD settled: null 2135 0'), lines.join('\n'))
  assert.ok(lines.includes('stripe USD remainder: null 135 135'), lines.join('\n'))
  await change(`update settlements set amount = -35 where provider_id = '${id}'`)
  assert.deepEqual((await compare()).differences, [])
})

test('the entries of a payout with an amount of a person are not compared', async () => {
  fake.balance.payOut('usd', { remainder: 12, is_grouped: false })
  await importAll()
  await change(`update settlements set amount = -35 where amount = 100`)
  assert.deepEqual((await compare()).differences, [])
})

/** Without settlements. */
async function compareCharges() {
  const { differences } = await reconcile(florin.db, new Date(Date.now() + 7_200_000))
  return differences.filter(({ rule }) => rule === 'ledger_matches_provider')
}

test('what differs between the ledger and the provider is reported', async () => {
  const { account_id } = shop
  const account = `(select account_id from balance_entries where account_id is not null limit 1)`
  const stored = await florin.db.pool.query('select * from balance_entries')
  await change(`update balance_entries set charged_amount = 4199 where amount = 4200`)
  await change(`delete from balance_entries where amount = 700 and kind = 'charge'`)
  await change(`insert into balance_entries (id, provider, provider_id, kind, source_id,
      account_id, amount, fee, currency, charged_amount, charged_fee, charged_currency, at)
    select gen_random_uuid(), 'stripe', 'txn_new', 'charge', 'ch_new', ${account}, 50, 1, 'USD', 50,
      1, 'USD', now()`)
  const differences = await compareCharges()
  assert.deepEqual(new Set(differences.map((one) => one.account_id)), new Set([account_id]))
  assert.deepEqual(differences.map(({ found, expected }) => `${found}; ${expected}`).sort(), [
    '4200 USD with a fee of 88 in the ledger; 4199 USD with a fee of 88, as at stripe',
    '700 USD with a fee of 36 in the ledger; nothing, as at stripe',
    'nothing in the ledger; 50 USD with a fee of 1, as at stripe',
  ])
  await florin.db.pool.query('delete from balance_entries')
  await florin.db.pool.query(
    `insert into balance_entries select * from json_populate_recordset(null::balance_entries, $1)`,
    [JSON.stringify(stored.rows)],
  )
  assert.deepEqual(await compareCharges(), [])
})

test('an entry of an account that does not exist is reported', async () => {
  const unknown = toTypeId('account', newRealTimeUuid(Date.now()))
  const metadata = { florin_account_id: unknown }
  const source = { id: 'ch_unknown', object: 'charge', currency: 'usd', amount: 10, metadata }
  fake.balance.add({ type: 'charge', amount: 10, source })
  // A person can change metadata: another text is not an account.
  const other = { ...source, id: 'ch_text', metadata: { florin_account_id: 'acct_none' } }
  fake.balance.add({ type: 'charge', amount: 20, source: other })
  await florin.db.pool.query('delete from balance_imports')
  await importAll()
  const unexpected = await compareCharges()
  assert.deepEqual(
    unexpected.map((one) => [one.account_id, one.object]),
    [[unknown, 'charge ch_unknown']],
  )
})

test('the command prints both sides, and exits with 1 on a difference', async () => {
  const env = {
    DATABASE_URL: toUrl(florin.connection, florin.database),
    ...stripe_env,
    FLORIN_STRIPE_API_URL: fake.url,
  }
  // The settlement with a remainder differs. The unknown charge is recent, so it is in progress.
  const { code, stdout, stderr } = await runToEnd(['reconcile'], { env })
  assert.deepEqual([code, stderr], [1, ''], stdout)
  assert.match(stdout, /^stripe, USD +Ledger +Provider +Bank +In progress +Difference\n/)
  assert.match(stdout, /\n {2}Charges +59\.00 +59\.10 +-0\.10 +0\.00\n/)
  assert.match(stdout, /\n {2}Refunds +-2\.00 +-2\.00 +0\.00\n/)
  assert.match(stdout, /\n✗ settlement_equals_its_entries {2}stl_\w{26} \(po_00000002\): found /)
  assert.match(stdout, /\n✗ Found 1 difference\.\n$/)
  fake.is_down = true
  const failed = await runToEnd(['reconcile', '--json'], { env })
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /^{"error":"provider_error","message":"Stripe: .* --no-fetch\."}\n$/)
  await florin.db.pool.query(`update settlements set amount = -35 where amount = 100`)
  const offline = await runToEnd(['reconcile', '--json', '--no-fetch'], { env })
  fake.is_down = false
  assert.equal(offline.code, 0, offline.stdout + offline.stderr)
  const lines = offline.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines.at(-1), { ok: true, differences: 0 })
  assert.deepEqual(lines[2], {
    provider: 'stripe',
    currency: 'USD',
    line: 'refunds',
    ledger: -200,
    at_provider: -200,
    at_bank: null,
    in_progress: 0,
    difference: 0,
  })
})

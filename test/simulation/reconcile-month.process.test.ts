// A month on the sandbox clock: payers pay by card and by transfer, the provider loses requests and
// responses, webhooks are lost, and the server is killed. The provider's payouts and the bank's
// statements are written from what happened there, not from the ledger. At the end the three
// columns of `florin reconcile` must agree.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { importAndMatch } from '../../src/operations/import-balances.ts'
import { reconcile } from '../../src/operations/reconcile.ts'
import { Random } from '../../src/operations/seeding/random.ts'
import { openProcessor } from '../../src/processors/processor.ts'
import { account_iban } from '../bank/statements/write-samples.ts'
import { makeInstallation, runToEnd } from '../cli/florin-process.ts'
import { toUrl } from '../cli/shared-database.ts'
import { stripe_env } from '../payments/checkout-fixtures.ts'
import { Customer, hiddenFields } from '../payments/customer.ts'
import { type ApiResponse, call } from '../support/call.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { stripe_clock } from '../support/fake-stripe-objects.ts'
import type { StripeFault } from '../support/fake-stripe-server.ts'
import { startFlorin } from '../support/florin.ts'
import { MonthBank } from './month-bank.ts'

const days = 30
const day_ms = 86_400_000
const kill_days = [3, 9, 14, 20, 26]
const random = new Random(20_261_118)

const fake = await FakeStripe.start()
const settings = {
  ...stripe_env,
  FLORIN_PROCESSOR: 'stripe,bank_transfer',
  FLORIN_STRIPE_API_URL: fake.url,
  FLORIN_BANK_IBAN: account_iban,
  FLORIN_BANK_NAME: 'Acme Payments',
}
const florin = await startFlorin(settings)
const env = { ...settings, DATABASE_URL: toUrl(florin.connection, florin.database) }
const installation = await makeInstallation({ after })
after(async () => {
  stripe_clock.offset_ms = 0
  await fake.stop()
})

const admin = await florin.people.admin()
const shop = await florin.people.owner()
const started_ms = Date.now() - days * day_ms
const dayText = (day: number) => new Date(started_ms + day * day_ms).toISOString().slice(0, 10)
const bank = new MonthBank(dayText)

let server = await installation.start({ env })
let kills = 0

async function killAndStart(after_ms: number): Promise<void> {
  await sleep(after_ms)
  await server.florin.stop('SIGKILL')
  kills += 1
  // The worker of the killed server notices it, and a new one takes over its leases.
  server = await installation.start({ env })
}

/** For a minute: a killed server needs that long to start again on a busy machine. */
const attempts_max = 600

/** Repeats a request until it has a response, as a careful client does. */
async function send(
  method: string,
  path: string,
  options: Parameters<typeof call>[3] = {},
): Promise<ApiResponse> {
  const headers = { ...options.headers, 'idempotency-key': randomUUID() }
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await call(server.url, method, path, { ...options, headers })
      const is_repeated = response.status >= 500 || response.status === 429
      if (!is_repeated || attempt > attempts_max) return response
    } catch (error) {
      if (attempt > attempts_max) throw error
    }
    await sleep(100)
  }
}

async function retry<Result>(work: () => Promise<Result | undefined>): Promise<Result> {
  for (let attempt = 1; attempt <= attempts_max; attempt++) {
    const result = await work().catch(() => undefined)
    if (result !== undefined) return result
    await sleep(100)
  }
  throw new Error(`no result after ${attempts_max} attempts`)
}

/** Cards pay even amounts and transfers odd ones, so a list of payments shows which is which. */
async function newRequest(amount: number): Promise<string> {
  const { account_id, token } = shop
  const body = { account_id, amount, currency: 'EUR', customer_email: 'jane@example.com' }
  const created = await send('POST', '/v1/payments', { token, body })
  assert.equal(created.status, 201, created.text)
  return created.body.payment_url
}

const charges: string[] = []

async function payByCard(): Promise<void> {
  const payment_url = await newRequest(2 * (500 + random.below(20_000)))
  const session_id = await retry(async () => {
    const payer = new Customer(server.url, payment_url)
    const fields = hiddenFields((await payer.open()).text)
    const { headers } = await payer.send({ ...fields, provider: 'stripe' })
    return headers.get('location')?.split('/').at(-1)
  })
  charges.push(fake.pay(session_id)!.id)
}

/** One payer in eight mistypes the reference, and one in eight transfers too little. */
async function payByTransfer(day: number): Promise<void> {
  const amount = 2 * (500 + random.below(20_000)) + 1
  const payment_url = await newRequest(amount)
  const reference = await retry(async () => {
    const page = await new Customer(server.url, payment_url).open()
    return /data-copy="(RF\w{10})"/.exec(page.text)?.[1]
  })
  const mistake = random.below(8)
  const text = mistake === 0 ? reference.replace(/.$/, '?') : `Invoice ${reference}`
  const signed = mistake === 1 ? amount - 2 : amount
  bank.add(day + random.below(3), { signed, name: 'Jane Doe', text })
}

async function refundSome(what: 'cards' | 'transfers'): Promise<void> {
  const { token } = shop
  const path = '/v1/transactions?limit=50&type=payment&status=succeeded'
  const { body } = await send('GET', path, { token })
  const remainder = what === 'cards' ? 0 : 1
  const found = body.data.filter(({ amount }: { amount: number }) => amount % 2 === remainder)
  if (found.length === 0) return
  const { id, amount } = random.pick(found) as { id: string; amount: number }
  const refund = { amount: Math.ceil(amount / (1 + random.below(3))), currency: 'EUR' }
  const request = { ...refund, account_id: shop.account_id, type: 'refund', reference: id }
  const { status, text } = await send('POST', '/v1/transactions', { token, body: request })
  // Rejected if it was refunded or disputed before, or without money.
  assert.ok(status === 201 || /insufficient_funds|left to refund|disputed/.test(text), text)
}

/** A person refunds at the provider. */
function refundThere(): void {
  const id = random.pick(charges)
  const { amount_refunded, disputed } = fake.charges.get(id)!
  if (amount_refunded === 0 && !disputed) fake.refundInDashboard(id, 100)
}

const disputes: string[] = []

function dispute(): void {
  const id = random.pick(charges)
  const { amount, amount_refunded, disputed } = fake.charges.get(id)!
  if (amount_refunded === 0 && !disputed) disputes.push(fake.dispute(id, amount as number).id)
}

const delivered = new Set<string>()

/** Three of ten messages are lost each day. The provider sends them again on the next. */
async function deliverWebhooks(is_last = false): Promise<void> {
  const sent = fake.events.filter(
    ({ id }) => !delivered.has(id) && (is_last || random.below(10) >= 3),
  )
  await Promise.all(
    sent.map(async (event) => {
      const { headers, body } = fake.message(event, settings.FLORIN_STRIPE_WEBHOOK_SECRET)
      const url = `${server.url}/v1/processors/stripe/webhook`
      const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
      if (response?.ok) delivered.add(event.id)
    }),
  )
}

/** The provider pays out what it has. Banks often cut its reference. */
function payOut(day: number): void {
  const { id, amount, trace_id } = fake.balance.payOut('eur') as unknown as {
    id: string
    amount: number
    trace_id: { value: string }
  }
  const text = random.below(2) === 0 ? `${trace_id.value} ${id}` : 'PAYOUT'
  if (amount !== 0) bank.add(day + 1, { signed: amount, name: 'STRIPE TECHNOLOGY EUROPE', text })
}

let payouts_left = 0
let payouts_created = 0

/** The shop pays out a part of its balance, and the bank executes the file, also with refunds. */
async function payOutShop(day: number): Promise<void> {
  const amount = 1_000 + random.below(500)
  const created = await send('POST', '/v1/payouts', { token: shop.token, body: { amount } })
  // After a crash, payments may not be settled yet: then it is created on another day.
  if (created.status === 402) return
  assert.equal(created.status, 201, created.text)
  payouts_left -= 1
  payouts_created += 1
  const { id } = created.body
  const approve = { token: admin.token, body: {} }
  if (created.body.status === 'pending_approval') {
    const approved = await send('POST', `/v1/payouts/${id}/approve`, approve)
    assert.equal(approved.status, 200, approved.text)
  }
  const body = { currency: 'EUR' }
  const exported = await send('POST', '/v1/payout_exports', { token: admin.token, body })
  assert.equal(exported.status, 201, exported.text)
  const path = `/v1/payout_exports/${exported.body.id}/file`
  const { text: file } = await send('GET', path, { token: admin.token })
  bank.execute(day + random.below(3), file, payouts_created % 2 === 0)
}

const faults: StripeFault[] = ['lose_request', 'lose_response', 'bad_gateway', 'rate_limit']

function addFaults(): void {
  for (const path of ['POST /v1/refunds', 'POST /v1/checkout', 'GET /v1/checkout']) {
    if (random.below(2) === 0) fake.faults.set(path, [random.pick(faults)])
  }
}

async function importStatement(day: number): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  const options = { token: admin.token, body: bank.statementOf(day), headers }
  for (let copy = 0; copy <= random.below(2); copy++) {
    const imported = await send('POST', '/v1/bank_statements', options)
    assert.equal(imported.status, 200, imported.text)
  }
}

async function liveDay(day: number): Promise<void> {
  stripe_clock.offset_ms = (day - days) * day_ms
  addFaults()
  const dying = kill_days.includes(day) ? killAndStart(50 + random.below(200)) : undefined
  await Promise.all([payByCard(), payByCard(), payByTransfer(day), payByTransfer(day)])
  if (day % 3 === 2) await refundSome('cards')
  if (day % 5 === 3) refundThere()
  if (day % 6 === 5) {
    payouts_left += 1
    await refundSome('transfers')
  }
  if (payouts_left > 0) await payOutShop(day)
  if (day % 7 === 4) dispute()
  if (day % 7 === 6 && disputes.length > 0) {
    fake.closeDispute(disputes.shift()!, random.pick(['won', 'lost']))
  }
  if (day % 10 === 8) fake.balance.addAccountFee(100 + random.below(900), 'eur')
  await dying
  await deliverWebhooks()
  payOut(day)
  await importStatement(day)
  const advance = { token: admin.token, body: { seconds: day_ms / 1_000 } }
  const { status, text } = await send('POST', '/v1/sandbox/clock/advance', advance)
  assert.equal(status, 200, text)
}

const runReconcile = () => runToEnd(['reconcile'], { env })

test('the three columns of reconcile agree after a month of faults', async () => {
  const currency = { settings: { currency: 'EUR' } }
  const changed = await send('PATCH', '/v1/account', { token: shop.token, body: currency })
  assert.equal(changed.status, 200, changed.text)
  const destination = { name: 'Acme Ltd', iban: 'FR1420041010050500013M02606' }
  const path = '/v1/account/payout_destination'
  const set = await send('PATCH', path, { token: shop.token, body: destination })
  assert.equal(set.status, 200, set.text)
  for (let day = 0; day < days; day++) await liveDay(day)
  fake.faults.clear()
  // Until the last transfers and payouts have arrived.
  for (let day = days; day < days + 3; day++) await importStatement(day)
  await deliverWebhooks(true)
  await untilAgreed()
  const { code, stdout, stderr } = await runReconcile()
  assert.deepEqual([code, stderr], [0, ''], stdout)
  assert.equal(kills, kill_days.length)
  const lines = [...stdout.matchAll(/^ {2}(\S.*?) {2,}.* 0\.00$/gm)].map(([, name]) => name)
  const expected = ['Charges', 'Refunds', 'Disputes', 'Settled to the bank', 'Payouts and refunds']
  for (const name of expected) {
    assert.ok(lines.includes(name), stdout)
  }
  assert.match(stdout, /✓ No differences\.\n$/)
  const payouts = await send('GET', '/v1/payouts?status=paid', { token: shop.token })
  assert.equal(payouts.body.data.length, payouts_created, payouts.text)
  assert.ok(payouts_created >= 2, `${payouts_created} payouts`)
  const { rows } = await florin.db.pool.query(`
    select (select count(*) from exported_refunds where returned_entry_id is not null) as returned,
      (select count(*) from bank_entries where settles like 'pex%') as collective`)
  const [{ returned, collective }] = rows
  assert.ok(returned >= 2 && collective >= 1, JSON.stringify(rows))
})

/** The worker needs some seconds after the last faults. */
async function untilAgreed(): Promise<void> {
  const processor = await openProcessor(florin.config)
  for (let attempt = 1; attempt <= 60; attempt++) {
    await florin.db.pool.query(`
      update provider_refunds set next_at = now() where next_at > now();
      update provider_events set next_at = now() where next_at > now();
      update checkouts set check_at = now() where check_at > now() and provider_id is not null;
      update bank_entries set next_at = now() where next_at > now()`)
    for (const provider of processor.providers) await importAndMatch(florin.db, provider)
    const { lines, differences } = await reconcile(florin.db)
    const is_agreed = differences.length === 0 && lines.every(isComplete)
    if (is_agreed && !(await hasInTransit())) return
    await sleep(500)
  }
}

const isComplete = ({ line, in_progress }: { line: string; in_progress: number }) =>
  line === 'settled' || in_progress === 0

/** An exported payout is in no column until the worker has read its debit. */
async function hasInTransit(): Promise<boolean> {
  const found = await florin.db.pool.query(`
    select id from payouts where status = 'in_transit'
    union all
    select id from exported_refunds where paid_entry_id is null or returned_entry_id is null`)
  return found.rows.length > 0
}

async function fails(expected: RegExp): Promise<void> {
  const { code, stdout } = await runReconcile()
  assert.equal(code, 1, stdout)
  assert.match(stdout, expected)
  assert.match(stdout, /\n✗ Found 1 difference\.\n$/)
}

test('a planted difference is reported, at the provider and at the bank', async () => {
  const { pool } = florin.db
  const shown = `id in (select id from bank_entries where settles like 'stl%' order by id limit 1)`
  await pool.query(`update bank_entries set amount = amount + 1 where ${shown}`)
  await fails(/✗ settlement_is_at_the_bank {2}stl_\w{26} \(po_\d+\): found /)
  await pool.query(`update bank_entries set amount = amount - 1 where ${shown}`)
  const metadata = { florin_account_id: shop.account_id }
  const source = { id: 'ch_planted', currency: 'eur', amount: 10, metadata }
  stripe_clock.offset_ms = -2 * day_ms
  fake.balance.add({ type: 'charge', amount: 10, source })
  await pool.query(`update balance_imports set complete_until = now() - interval '3 days'`)
  await fails(/✗ ledger_matches_provider {2}acct_\w{26}, charge ch_planted: found nothing/)
  await pool.query(`delete from balance_entries where source_id = 'ch_planted'`)
})

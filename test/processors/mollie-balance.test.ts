// The settlements of the stand-in for Mollie through the port.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openMollie } from '../../src/processors/mollie.ts'
import { type BalancePage, ProviderError } from '../../src/processors/provider.ts'
import { FakeMollie } from '../support/fake-mollie.ts'

const eur = (value: string) => ({ currency: 'EUR', value })
const createdAt = '2026-11-02T09:00:00+00:00'
const since = new Date(0)

async function start(t: TestContext, token?: string) {
  const fake = await FakeMollie.start()
  t.after(() => fake.stop())
  const { settled } = fake
  const access_token = token ?? settled.token
  const provider = openMollie({ api_key: 'live_1', access_token, api_url: fake.url })
  const balance = provider.balance!
  return {
    fake,
    settled,
    listEntries: (settlement_id: string) =>
      all((cursor) => balance.listEntries({ settlement_id }, cursor)),
    listSettlements: (from = since) =>
      all((cursor) => balance.listSettlements({ since: from }, cursor)),
  }
}

async function all<Row>(
  list: (cursor: string | undefined) => Promise<BalancePage<Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    rows.push(...page.rows)
    cursor = page.next
  } while (cursor !== undefined)
  return rows
}

const payment = (id: string, value: string, fields: object = {}) => ({
  resource: 'payment',
  id,
  mode: 'live',
  status: 'paid',
  amount: eur(value),
  settlementAmount: eur(value),
  createdAt,
  paidAt: '2026-11-02T09:05:00+00:00',
  metadata: { florin_account_id: 'acct_1', florin_checkout_id: 'chk_1' },
  ...fields,
})

test('a settlement has the amount, the reference and the days of Mollie', async (t) => {
  const { settled, listSettlements } = await start(t)
  const at = new Date('2026-11-03T08:00:00Z')
  settled.add({ amount: '39.75', at })
  settled.add({ amount: '-0.05', at, status: 'pending' })
  settled.add({ amount: '5.00', at, status: 'processing-at-bank' })
  settled.add({ amount: '5.00', at, status: 'failed' })
  const [failed, in_transit, pending, paid] = await listSettlements()
  assert.deepEqual(paid, {
    id: 'stl_000001',
    amount: 3_975,
    currency: 'EUR',
    status: 'paid',
    grouping: 'complete',
    created_at: at,
    arrives_at: at,
    references: ['1234567.2611.01', 'stl_000001'],
  })
  assert.deepEqual([pending!.amount, pending!.status], [-5, 'pending'])
  assert.deepEqual([in_transit!.status, in_transit!.grouping], ['in_transit', 'in_progress'])
  assert.deepEqual([failed!.status, failed!.grouping], ['failed', 'none'])
})

test('the open and the next settlement are not listed', async (t) => {
  const { settled, listSettlements } = await start(t)
  settled.add({ amount: '1.00' })
  const open = { ...settled.add({ amount: '2.00', status: 'open' }), id: 'open', createdAt: null }
  settled.settlements[1] = { ...open, reference: null }
  settled.settlements.push({ ...open, id: 'next', status: 'pending' })
  settled.add({ amount: '3.00', status: 'open' })
  assert.deepEqual(
    (await listSettlements()).map(({ id }) => id),
    ['stl_000001'],
  )
})

test('an entry is a payment, capture, refund or chargeback of the settlement', async (t) => {
  const { settled, listEntries } = await start(t)
  const capture = {
    resource: 'capture',
    id: 'cpt_1',
    paymentId: 'tr_3',
    amount: eur('7.00'),
    settlementAmount: eur('7.00'),
    createdAt,
    metadata: '{"text":1}',
    _embedded: { payment: { metadata: { florin_account_id: 'acct_2' } } },
  }
  const usd = { currency: 'USD', value: '10.00' }
  const refund = { id: 're_1', paymentId: 'tr_1', amount: usd, settlementAmount: eur('-9.21') }
  const chargeback = { id: 'chb_1', paymentId: 'tr_2', amount: eur('4.00') }
  const { id } = settled.add({
    amount: '42.00',
    rows: {
      payments: [
        // Converted, and partly paid with a gift card that Mollie does not settle.
        payment('tr_1', '18.42', { amount: { currency: 'USD', value: '20.00' } }),
        payment('tr_2', '0.05', { metadata: null, settlementAmount: undefined }),
      ],
      captures: [capture],
      refunds: [{ ...refund, createdAt }],
      chargebacks: [{ ...chargeback, createdAt, settlementAmount: null }],
    },
  })
  const entries = await listEntries(id)
  const short = entries.map(({ charged, ...entry }) =>
    [
      [entry.id, entry.kind, entry.source_id, entry.charge_id, entry.account_id].join(' '),
      `${entry.amount} ${entry.currency}, charged ${charged.amount} ${charged.currency}`,
    ].join(': '),
  )
  assert.deepEqual(short, [
    'tr_2 charge tr_2  : 5 EUR, charged 5 EUR',
    'tr_1 charge tr_1  acct_1: 1842 EUR, charged 2000 USD',
    'cpt_1 charge tr_3  acct_2: 700 EUR, charged 700 EUR',
    're_1 refund re_1 tr_1 : -921 EUR, charged -1000 USD',
    'chb_1 dispute chb_1 tr_2 : -400 EUR, charged -400 EUR',
  ])
  assert.deepEqual(entries[1]!.at, new Date('2026-11-02T09:05:00Z'))
})

const costCases: { what: string; amount: string; costs: string[]; fees: number[] }[] = [
  // The example of Mollie's documentation: 86.10 - 43.20 - 2.541 - 0.605 = 39.754.
  { what: 'are rounded with the settlement', amount: '39.75', costs: ['3.146'], fees: [315] },
  { what: 'are rounded up by Mollie', amount: '39.76', costs: ['3.146'], fees: [314] },
  {
    what: 'of each month are an entry',
    amount: '39.75',
    costs: ['1.004', '2.142'],
    fees: [100, 215],
  },
  { what: 'do not hide a remainder', amount: '30.00', costs: ['3.146'], fees: [315] },
  { what: 'may be zero', amount: '42.90', costs: ['0.0000'], fees: [] },
]

for (const { what, amount, costs, fees } of costCases) {
  test(`costs ${what}`, async (t) => {
    const { settled, listEntries } = await start(t)
    const months = costs.map((value, index) => [`2026-${10 + index}`, value])
    const revenue = { '2026-10': '42.9000' }
    const { id } = settled.add({ amount, costs: Object.fromEntries(months), revenue })
    const entries = await listEntries(id)
    assert.deepEqual(
      entries.map(({ fee }) => fee),
      fees,
    )
    for (const [index, entry] of entries.entries()) {
      assert.equal(entry.id, `${id} costs 2026-${10 + index}`)
      assert.deepEqual([entry.kind, entry.amount, entry.currency], ['other', 0, 'EUR'])
    }
  })
}

test('entries of a settlement that is not paid out are not read', async (t) => {
  const { settled, listEntries } = await start(t)
  const rows = { payments: [payment('tr_1', '1.00')] }
  const { id } = settled.add({ amount: '1.00', status: 'pending', rows })
  assert.deepEqual(await listEntries(id), [])
})

test('every page is read, and none that is older than the start', async (t) => {
  const { fake, settled, listEntries, listSettlements } = await start(t)
  settled.page_max = 2
  const payments = [1, 2, 3, 4, 5].map((number) => payment(`tr_${number}`, '1.00'))
  const refunds = [1, 2, 3].map((number) => ({
    ...payment(`re_${number}`, '-1.00'),
    paymentId: `tr_${number}`,
  }))
  for (const day of [1, 2, 3, 4, 5, 6]) {
    const at = new Date(Date.UTC(2026, 10, day))
    settled.add({ amount: '2.00', at, rows: { payments, refunds } })
  }
  const entries = await listEntries('stl_000001')
  assert.deepEqual(
    entries.map(({ id }) => id),
    ['tr_5', 'tr_4', 'tr_3', 'tr_2', 'tr_1', 're_3', 're_2', 're_1'],
  )
  assert.equal((await listSettlements()).length, 6)
  fake.requests.length = 0
  const newer = await listSettlements(new Date(Date.UTC(2026, 10, 5)))
  assert.deepEqual(
    newer.map(({ id }) => id),
    ['stl_000006', 'stl_000005', 'stl_000004', 'stl_000003'],
  )
  assert.equal(fake.requests.length, 2)
})

test('a rejected token is named without its value, and is final', async (t) => {
  const { settled } = await start(t)
  for (const [token, code] of [
    ['access_wrong', '401'],
    [settled.weak_token, '403'],
  ] as const) {
    const { listSettlements } = await start(t, token)
    await assert.rejects(listSettlements(), (error) => {
      assert.ok(error instanceof ProviderError)
      assert.deepEqual([error.is_final, error.code], [true, code])
      assert.match(
        error.message,
        /^Mollie rejected FLORIN_MOLLIE_ACCESS_TOKEN: [MY].*\. Replace it/,
      )
      assert.match(error.message, /settlements\.read, payments\.read, refunds\.read\.$/)
      assert.ok(!JSON.stringify(error, Object.getOwnPropertyNames(error)).includes(token))
      return true
    })
  }
})

test('a rate limit and an outage are not final', async (t) => {
  const { settled, listSettlements } = await start(t)
  for (const code of [429, 503]) {
    settled.faults.push(code)
    await assert.rejects(
      listSettlements(),
      (error) => error instanceof ProviderError && !error.is_final && error.code === String(code),
    )
  }
  assert.deepEqual(await listSettlements(), [])
})

test('without a token there is no balance', () => {
  const settings = { api_key: 'live_1', access_token: undefined, api_url: undefined }
  assert.equal(openMollie(settings).balance, undefined)
})

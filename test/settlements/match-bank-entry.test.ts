import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type BankMovement,
  matchBankEntry,
  type SettlementCandidate,
  settledAmount,
} from '../../src/settlements/match-bank-entry.ts'

const credit: BankMovement = {
  amount: 8_180,
  currency: 'EUR',
  direction: 'credit',
  is_reversal: false,
  return_reason: null,
  booked_on: '2026-11-04',
  bank_reference: '2026110400123',
  end_to_end_id: 'NOTPROVIDED',
  creditor_reference: null,
  counterparty_name: 'STRIPE PAYMENTS EUROPE',
  description: null,
  remittance: null,
}

const settlement = (
  id: string,
  day: string,
  other: Partial<SettlementCandidate> = {},
): SettlementCandidate => ({
  id,
  provider: 'stripe',
  amount: 8_180,
  currency: 'EUR',
  arrives_at: new Date(`2026-${day}T00:00:00Z`),
  reference_lines: `TRACE${id}\npo_${id}`,
  ...other,
})

const found = (entry: Partial<BankMovement>, ...candidates: SettlementCandidate[]) =>
  matchBankEntry({ ...credit, ...entry }, candidates)?.id

const one = settlement('000001', '11-04')
const two = settlement('000002', '11-06')

test('a reference names a settlement, also with other signs and case', () => {
  const unknown = { counterparty_name: null }
  assert.equal(found({ ...unknown, remittance: 'payout TRACE 000002.' }, one, two), '000002')
  assert.equal(found({ ...unknown, end_to_end_id: 'PO-000001' }, one, two), '000001')
  // A transfer that names two settlements is neither.
  assert.equal(found({ remittance: 'TRACE000001 TRACE000002' }, one, two), undefined)
})

test('without a reference, provider, amount and day decide', () => {
  assert.equal(found({}, one), '000001')
  assert.equal(found({}, one, two), '000001')
  assert.equal(found({ booked_on: '2026-11-06' }, one, two), '000002')
  // Both are one day away.
  assert.equal(found({ booked_on: '2026-11-05' }, one, two), undefined)
  assert.equal(found({ booked_on: null }, one, two), undefined)
  assert.equal(found({ booked_on: null }, one), '000001')
})

test('another payer, amount, currency, direction or time does not match', () => {
  assert.equal(found({ counterparty_name: 'Jane Doe' }, one), undefined)
  assert.equal(found({ amount: 8_181 }, one), undefined)
  assert.equal(found({ currency: 'USD' }, one), undefined)
  assert.equal(found({ direction: 'debit' }, one), undefined)
  assert.equal(found({ booked_on: '2026-11-12' }, one), undefined)
  assert.equal(found({ remittance: 'TRACE000001', amount: 8_000 }, one), undefined)
  assert.equal(found({ is_reversal: true }, one), undefined)
  assert.equal(found({ return_reason: 'AC04' }, one), undefined)
})

test('the text of a payer, and money for a payment request, do not match by name', () => {
  const payer = { counterparty_name: 'Jane Doe' }
  assert.equal(found({ ...payer, remittance: 'Stripe integration' }, one), undefined)
  assert.equal(found({ ...payer, end_to_end_id: 'STRIPE-1' }, one), undefined)
  assert.equal(found({ ...payer, description: 'Stripe payout' }, one), '000001')
  assert.equal(found({ remittance: 'Invoice RF89 JMV9 VFS9' }, one), undefined)
  assert.equal(found({ end_to_end_id: 'pay-01h455vb4pex5vsknk084sn02q' }, one), undefined)
})

test('a debit shows a settlement with a negative amount', () => {
  const negative = settlement('000003', '11-04', { amount: -8_180 })
  assert.equal(found({ direction: 'debit' }, one, negative), '000003')
  assert.equal(found({}, negative), undefined)
})

const anyCandidate: fc.Arbitrary<SettlementCandidate> = fc
  .record({
    id: fc.constantFrom('000001', '000002', '000003', '000004', '000005'),
    day: fc.constantFrom('11-01', '11-03', '11-04', '11-05', '11-20'),
    provider: fc.constantFrom('stripe' as const, 'mollie' as const),
    amount: fc.constantFrom(8_180, 8_180, -8_180, 1),
  })
  .map(({ id, day, ...other }) => settlement(id, day, other))

const anyMovement = fc.record({
  direction: fc.constantFrom('credit' as const, 'debit' as const),
  booked_on: fc.constantFrom(null, '2026-11-02', '2026-11-04'),
  counterparty_name: fc.constantFrom(null, 'STRIPE', 'Mollie B.V.'),
  remittance: fc.constantFrom(null, 'TRACE000001', 'po_000002 PO-000003'),
})

test('the order of settlements does not matter, and only their amount matches', () => {
  const unique = fc.uniqueArray(anyCandidate, { selector: ({ id }) => id })
  const shuffled = unique.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  let matches = 0
  fc.assert(
    fc.property(anyMovement, shuffled, (movement, [list, reordered]) => {
      const entry = { ...credit, ...movement }
      const result = matchBankEntry(entry, list)
      assert.equal(matchBankEntry(entry, reordered), result)
      if (result === undefined) return
      matches += 1
      assert.equal(result.amount, settledAmount(entry))
      assert.equal(result.currency, entry.currency)
    }),
    { numRuns: 1_000 },
  )
  assert.ok(matches > 0)
})

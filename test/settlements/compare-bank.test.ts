// Settlements and payouts are compared with the entries of bank statements.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PayoutComparison } from '../../src/operations/compare-payouts.ts'
import { type PaidOut, sumTransfers } from '../../src/operations/reconcile-bank.ts'
import type { Difference } from '../../src/postgres/difference.ts'
import { newRealTimeUuid, toTypeId } from '../../src/primitives/ids.ts'
import { compareSettlements } from '../../src/settlements/reconcile-settlements.ts'

type Row = Parameters<typeof compareSettlements>[0][number]

const currency = 'EUR'
const coverage = [{ currency, from_day: '2026-10-01', until_day: '2026-11-30' }]
const textOf = ({ rule, found, expected }: Difference) => `${rule}: ${found}; ${expected}`

function settlement(amount: number, day: string, status: Row['status'] = 'paid'): Row {
  const arrives_at = new Date(`${day}T00:00:00Z`)
  return {
    id: newRealTimeUuid(arrives_at.getTime()),
    provider: 'stripe',
    provider_id: 'po_1',
    amount,
    currency,
    status,
    grouping: 'none',
    has_entries: false,
    created_at: arrives_at,
    arrives_at,
    reference_lines: 'po_1',
    bank_entry_id: null,
    returned_entry_id: null,
    sums: [],
  }
}

const shown = ({ id }: Row, amount: number, is_recent = false) => ({
  settles: toTypeId('settlement', id),
  amount,
  is_recent,
})

function compare(rows: Row[], entries: ReturnType<typeof shown>[], days = coverage) {
  const { sums, differences } = compareSettlements(rows, { entries, coverage: days })
  const [sum] = sums
  return [sum?.settled, sum?.at_bank, sum?.in_progress, ...differences.map(textOf)]
}

test('a settlement that a bank statement shows is not a difference', () => {
  const one = settlement(700, '2026-11-03')
  assert.deepEqual(compare([one], [shown(one, 700)]), [700, 700, 0])
})

test('a settlement that statements should show, and another amount, are differences', () => {
  const one = settlement(700, '2026-11-03')
  const rule = 'settlement_is_at_the_bank'
  assert.deepEqual(compare([one], []), [
    700,
    0,
    0,
    `${rule}: nothing at the bank; 700 EUR, because it is paid`,
  ])
  assert.deepEqual(compare([one], [shown(one, 600)]).slice(3), [
    `${rule}: 600 EUR at the bank; 700 EUR, because it is paid`,
  ])
  const failed = settlement(700, '2026-11-03', 'failed')
  assert.deepEqual(compare([failed], []), [0, 0, 0])
  assert.deepEqual(compare([failed], [shown(failed, 700)]).slice(3), [
    `${rule}: 700 EUR at the bank; 0 EUR, because it is failed`,
  ])
  assert.deepEqual(compare([], [shown(one, 700)]).slice(3), [
    `${rule}: 700 at the bank; a settlement of a provider`,
  ])
  // It was stored after the settlements were read.
  assert.deepEqual(compare([], [shown(one, 700, true)]).slice(3), [])
})

test('a settlement is in progress while no statement covers its days', () => {
  for (const day of ['2026-11-26', '2026-10-02']) {
    assert.deepEqual(compare([settlement(700, day)], []), [700, 0, 700], day)
  }
  assert.deepEqual(compare([settlement(700, '2026-11-03')], [], []), [700, null, 700])
})

const entry_id = newRealTimeUuid(Date.now())
const debit = {
  id: entry_id,
  settles: 'po_1' as string | null,
  amount: -900,
  currency,
  is_recent: false,
}

const payout = (amount: number, changed: Partial<PaidOut> = {}): PaidOut => ({
  account_id: newRealTimeUuid(Date.now()),
  id: newRealTimeUuid(Date.now()),
  amount,
  currency,
  status: 'paid',
  kind: 'payout',
  paid_entry_id: entry_id,
  returned_entry_id: null,
  updated_at: new Date('2026-11-03T00:00:00Z'),
  ...changed,
})

function comparePaid(payouts: PaidOut[], entries: (typeof debit)[], offset_ms = 0) {
  const comparison = new PayoutComparison(coverage, offset_ms)
  // In batches, as they are read.
  for (const row of payouts) comparison.addPayouts([row])
  for (const entry of entries) comparison.addEntries([entry])
  const { lines, differences } = comparison.end()
  const sums = lines.map(
    ({ ledger, at_bank, in_progress, difference }) =>
      `${ledger} ${at_bank} ${in_progress} ${difference}`,
  )
  return [...sums, ...differences.map(textOf)]
}

test('the debit of one or of several payouts is their sum', () => {
  assert.deepEqual(comparePaid([payout(900)], [debit]), ['-900 -900 0 0'])
  assert.deepEqual(comparePaid([payout(400), payout(500)], [debit]), ['-900 -900 0 0'])
  assert.deepEqual(comparePaid([payout(400)], [debit]), [
    '-400 -900 0 500',
    'payout_is_at_the_bank: -500 more at the bank than its payouts; the sum of its payouts',
  ])
  assert.deepEqual(comparePaid([], [{ ...debit, is_recent: true }]), ['0 -900 900 0'])
})

test('a payout that the bank returned is nothing on both sides', () => {
  const returned_entry_id = newRealTimeUuid(Date.now())
  const credit = { ...debit, id: returned_entry_id, amount: 900 }
  const returned = payout(900, { status: 'returned', returned_entry_id })
  assert.deepEqual(comparePaid([returned], [debit, credit]), ['0 0 0 0'])
})

test('what a return of one payout lacks is a fee of the bank, up to a limit', () => {
  const returned_entry_id = newRealTimeUuid(Date.now())
  const returned = (amount: number) => payout(amount, { status: 'returned', returned_entry_id })
  const credit = { ...debit, id: returned_entry_id, amount: 850 }
  assert.deepEqual(comparePaid([returned(900)], [debit, credit]), ['0 0 0 0', 'null -50 0 0'])
  const different =
    'payout_is_at_the_bank: -50 more at the bank than its payouts; the sum of its payouts'
  assert.deepEqual(comparePaid([returned(400), returned(500)], [debit, credit]), [
    '0 -50 0 50',
    different,
  ])
  const large = payout(20_000, { status: 'returned', returned_entry_id })
  const all = { ...debit, amount: -20_000 }
  assert.match(comparePaid([large], [all, credit]).at(-1)!, /-19150 more at the bank/)
})

test('a payout from before the first statement stays in progress', () => {
  const before = payout(900, { paid_entry_id: null, updated_at: new Date('2026-09-30') })
  assert.deepEqual(comparePaid([before], []), ['-900 0 -900 0'])
})

test('a payout that a person marked as paid must appear on a statement', () => {
  const marked = payout(900, { paid_entry_id: null })
  assert.deepEqual(comparePaid([marked], []), [
    '-900 0 0 -900',
    'payout_is_at_the_bank: nothing at the bank; -900 EUR, as in the ledger',
  ])
  const later = payout(900, { paid_entry_id: null, updated_at: new Date('2026-11-28') })
  assert.deepEqual(comparePaid([later], []), ['-900 0 -900 0'])
  // The sandbox clock is a month ahead of the bank.
  const ahead_ms = 30 * 86_400_000
  assert.equal(comparePaid([later], [], ahead_ms).length, 2)
})

test('a payout whose entry is settling is in progress', () => {
  const settling = { ...debit, settles: null }
  assert.deepEqual(comparePaid([payout(400)], [settling]), ['-400 0 -400 0'])
  assert.deepEqual(comparePaid([], [settling]), [])
  // The worker gave up, so the entry is open.
  assert.deepEqual(comparePaid([payout(400)], []), [
    '-400 0 0 -400',
    'payout_is_at_the_bank: 400 more at the bank than its payouts; the sum of its payouts',
  ])
})

test('any number of payouts and transfers has one line, and a difference for each', () => {
  // More than a call has room for as arguments.
  const count = 200_000
  const marked = payout(1, { paid_entry_id: null })
  const comparison = new PayoutComparison(coverage, 0)
  comparison.addPayouts(Array.from({ length: count }, () => marked))
  const { lines, differences } = comparison.end()
  assert.deepEqual([lines.map(({ ledger }) => ledger), differences.length], [[-count], count])
  const row = { account_id: '', amount: 1 }
  const charges = Array.from({ length: count }, (_, at) => ({ ...row, charge_id: `${at}` }))
  const entries = charges.map(({ charge_id: id }) => ({ ...row, id, status: 'settled' as const }))
  const sums = sumTransfers(charges, entries, () => currency)
  assert.deepEqual(
    sums.map(({ ledger, at_bank }) => [ledger, at_bank]),
    [[count, count]],
  )
})

// The comparison of the ledger with the balance at a provider, without a database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newRealTimeUuid } from '../../src/primitives/ids.ts'
import {
  type ComparisonTimes,
  compareMovements,
  type LedgerMovement,
} from '../../src/settlements/compare-movements.ts'
import type { ProviderMovement } from '../../src/settlements/queries.ts'

const day_ms = 86_400_000
const now = new Date('2026-11-18T12:00:00Z')
const account_id = newRealTimeUuid(now.getTime() - 99 * day_ms)
const times: ComparisonTimes = { now, offset_ms: 0, imported_at: new Map([['stripe', now]]) }

function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * day_ms)
}

function booked(change: Partial<LedgerMovement> = {}, days = 2): LedgerMovement {
  const recorded_id = newRealTimeUuid(daysAgo(days).getTime())
  const charge = { kind: 'charge', source_id: 'ch_1', amount: 4_200, fee: 88 } as const
  const common = { account_id, recorded_id, provider: 'stripe', currency: 'EUR' } as const
  return { ...common, ...charge, is_open: false, ...change }
}

function found(change: Partial<ProviderMovement> = {}, days = 2): ProviderMovement {
  const charge = { kind: 'charge', source_id: 'ch_1', amount: 4_200, fee: 88 } as const
  const common = { account_id, provider: 'stripe', currency: 'EUR' } as const
  return { ...common, ...charge, at: daysAgo(days), ...change }
}

/** The messages, and the lines as "line ledger provider in-progress". */
function compare(ledger: LedgerMovement[], provider: ProviderMovement[], at = times) {
  const { sums, differences } = compareMovements(ledger, provider, at)
  return {
    differences: differences.map((one) => `${one.object}: ${one.found}; ${one.expected}`),
    lines: sums.map(
      (sum) => `${sum.line} ${sum.currency} ${sum.ledger} ${sum.at_provider} ${sum.in_progress}`,
    ),
  }
}

test('the same charge on both sides is not a difference', () => {
  assert.deepEqual(compare([booked()], [found()]), {
    differences: [],
    lines: ['charges EUR 4200 4200 0', 'fees EUR -88 -88 0'],
  })
})

const cases: {
  what: string
  ledger: LedgerMovement[]
  provider: ProviderMovement[]
  differences: string[]
}[] = [
  {
    what: 'a charge that the ledger lacks',
    ledger: [],
    provider: [found()],
    differences: ['charge ch_1: nothing in the ledger; 4200 EUR with a fee of 88, as at stripe'],
  },
  {
    what: 'a charge that the provider lacks',
    ledger: [booked()],
    provider: [],
    differences: ['charge ch_1: 4200 EUR with a fee of 88 in the ledger; nothing, as at stripe'],
  },
  {
    what: 'another amount',
    ledger: [booked({ amount: 4_201 })],
    provider: [found()],
    differences: [
      'charge ch_1: 4201 EUR with a fee of 88 in the ledger; ' +
        '4200 EUR with a fee of 88, as at stripe',
    ],
  },
  {
    what: 'another fee',
    ledger: [booked({ fee: null })],
    provider: [found()],
    differences: [
      'charge ch_1: 4200 EUR with a fee of unknown in the ledger; ' +
        '4200 EUR with a fee of 88, as at stripe',
    ],
  },
  {
    what: 'another currency',
    ledger: [booked({ currency: 'USD' })],
    provider: [found()],
    differences: [
      'charge ch_1: 4200 USD with a fee of 88 in the ledger; ' +
        '4200 EUR with a fee of 88, as at stripe',
    ],
  },
  {
    what: 'a refund that the ledger lacks',
    ledger: [],
    provider: [found({ kind: 'refund', source_id: 're_1', amount: -10, fee: 0 })],
    differences: ['refund re_1: nothing in the ledger; -10 EUR, as at stripe'],
  },
  {
    what: 'a charge without a fee that the provider never got',
    ledger: [booked({ fee: null }, 15)],
    provider: [],
    differences: [
      'charge ch_1: 4200 EUR with a fee of unknown in the ledger; nothing, as at stripe',
    ],
  },
]

for (const { what, ledger, provider, differences } of cases) {
  test(`reports ${what}`, () => {
    assert.deepEqual(compare(ledger, provider).differences, differences)
  })
}

test('a failed refund and a dispute that was won are nothing on both sides', () => {
  const refund = found({ kind: 'refund', source_id: 're_1', amount: 0, fee: 0 })
  const dispute = { kind: 'dispute', source_id: 'dp_1', amount: 0 } as const
  const at_provider = found({ ...dispute, fee: 1_500 })
  assert.deepEqual(compare([booked({ ...dispute, fee: 0 })], [refund, at_provider]), {
    differences: [],
    lines: ['disputes EUR 0 0 0', 'refunds EUR 0 0 0'],
  })
})

test('what is in progress is shown, and is not a difference', () => {
  const minute = 1 / 1_440
  const refund = { kind: 'refund', source_id: 're_1', amount: -10, fee: 0 } as const
  for (const [ledger, provider] of [
    // Recorded after the balance was imported.
    [[booked({}, minute)], []],
    // The provider has not determined the fee.
    [[booked({ fee: null }, 3)], []],
    // The provider has not paid the refund out.
    [[booked({ ...refund, is_open: true }, 3)], []],
    // The message of the provider has not been processed.
    [[], [found({}, minute)]],
    [[booked({ fee: null })], [found({}, minute)]],
  ] as [LedgerMovement[], ProviderMovement[]][]) {
    const { sums, differences } = compareMovements(ledger, provider, times)
    assert.deepEqual(differences, [])
    for (const sum of sums) assert.equal(sum.ledger - sum.at_provider!, sum.in_progress)
    assert.ok(sums.some(({ in_progress }) => in_progress !== 0))
  }
})

test('the sandbox clock does not hide a difference', () => {
  // Business time is a year ahead, and the charge was recorded two days ago.
  const offset_ms = 365 * day_ms
  const { differences } = compare([booked({}, 2 - 365)], [], { ...times, offset_ms })
  assert.equal(differences.length, 1)
})

test('a provider whose balance is not imported is not compared', () => {
  assert.deepEqual(compare([booked({ provider: 'mollie' })], []), {
    differences: [],
    lines: ['charges EUR 4200 null 0', 'fees EUR -88 null 0'],
  })
})

test('what Mollie lists only with a settlement is in progress until 14 days before it', () => {
  const settled = { ...times, imported_at: new Map([['mollie', daysAgo(20)]] as const) }
  const refund = { provider: 'mollie', kind: 'refund', source_id: 're_1', fee: 0 } as const
  const recent = compare([booked({ ...refund, amount: -10 }, 33)], [], settled)
  assert.deepEqual(recent, { differences: [], lines: ['refunds EUR -10 0 -10'] })
  assert.deepEqual(compare([booked({ ...refund, amount: -10 }, 35)], [], settled).differences, [
    'refund re_1: -10 EUR in the ledger; nothing, as at mollie',
  ])
})

const movements = fc.array(
  fc.record({
    source_id: fc.constantFrom('x_1', 'x_2', 'x_3', 'x_4', 'x_5', 'x_6'),
    kind: fc.constantFrom('charge', 'refund', 'dispute'),
    amount: fc.integer({ min: -3, max: 3 }),
    fee: fc.integer({ min: 0, max: 2 }),
    currency: fc.constantFrom('EUR', 'USD'),
    days: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 8 },
)

test('each line is the sum of its side, and only differences and progress explain a gap', () => {
  fc.assert(
    fc.property(movements, movements, (some, others) => {
      const unique = (list: typeof some) => [
        ...new Map(list.map((one) => [one.source_id, one])).values(),
      ]
      // An id has one kind.
      const kind_of = new Map(unique([...others, ...some]).map((one) => [one.source_id, one.kind]))
      const kinded = (list: typeof some) =>
        unique(list).map((one) => ({ ...one, kind: kind_of.get(one.source_id)! }))
      const ledger = kinded(some).map(({ days, ...one }) => booked(one, days))
      const provider = kinded(others).map(({ days, ...one }) => found(one, days))
      const { sums, differences } = compareMovements(ledger, provider, times)
      const netOf = ({ amount, fee, kind }: LedgerMovement | ProviderMovement) =>
        amount - (kind === 'charge' ? fee! : 0)
      const total = (rows: (LedgerMovement | ProviderMovement)[]) =>
        rows.reduce((sum, one) => sum + netOf(one), 0)
      assert.equal(
        sums.reduce((sum, one) => sum + one.ledger, 0),
        total(ledger),
      )
      assert.equal(
        sums.reduce((sum, one) => sum + one.at_provider!, 0),
        total(provider),
      )
      const gaps = sums.filter((one) => one.ledger - one.at_provider! !== one.in_progress)
      if (differences.length === 0) assert.deepEqual(gaps, [])
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { creditorReference } from '../../src/bank/creditor-reference.ts'
import { groupByFour } from '../../src/bank/iban.ts'
import { type MatchCandidate, matchTransaction } from '../../src/bank/match-transaction.ts'
import { type BankTransaction, bareTransaction } from '../../src/bank/statements/statement.ts'

const booked = { is_booked: true, is_reversal: false, is_complete: true }
const reference = creditorReference('K3M9TXPQ')
const other_reference = creditorReference('W8H2QZBK')

const candidate: MatchCandidate = {
  id: 'pay_01jd0000000000000000000001',
  direction: 'credit',
  amount: 4_200,
  currency: 'EUR',
  references: [reference, 'pay_01jd0000000000000000000001'],
  state: 'open',
  counterparty_name: 'Jane Doe',
}
const other: MatchCandidate = {
  ...candidate,
  id: 'pay_01jd0000000000000000000002',
  references: [other_reference, 'pay_01jd0000000000000000000002'],
  counterparty_name: null,
}

function credit(changes: Partial<BankTransaction> = {}): BankTransaction {
  const bare = bareTransaction({ amount: 4_200, currency: 'EUR', direction: 'credit' })
  return { ...bare, remittance: `Invoice 7 ${groupByFour(reference)}`, ...changes }
}

/** The reason, and the proposals as "id: reasons". */
function reviewOf(transaction: BankTransaction, candidates: MatchCandidate[], entry = booked) {
  const result = matchTransaction(entry, transaction, candidates)
  assert.equal(result.outcome, 'review')
  if (result.outcome !== 'review') throw new Error('settled')
  return {
    reason: result.reason,
    proposals: result.proposals.map((one) => `${one.candidate_id.slice(-1)}: ${one.reasons}`),
    differences: result.proposals.map((one) => one.difference),
    left_off: result.proposals_left_off,
  }
}

test('settles with the exact reference and amount', () => {
  const settled = { outcome: 'settle', candidate_id: candidate.id }
  for (const changes of [
    {},
    { remittance: null, creditor_reference: reference },
    { remittance: null, end_to_end_id: reference.toLowerCase() },
    // Banks drop the underscore of an id, or replace it.
    { remittance: 'PAY-01JD0000000000 000000000001 DANKE' },
  ]) {
    assert.deepEqual(matchTransaction(booked, credit(changes), [other, candidate]), settled)
  }
})

test('another amount, currency or state is reviewed', () => {
  const cases: [Partial<BankTransaction>, Partial<MatchCandidate>, string, number | null][] = [
    [{ amount: 4_199 }, {}, 'short', -1],
    [{ amount: 4_201 }, {}, 'over', 1],
    [{ currency: 'USD' }, {}, 'wrong_currency', null],
    [{}, { state: 'ended' }, 'late', 0],
    [{}, { state: 'paid' }, 'already_paid', 0],
  ]
  for (const [changes, state, reason, difference] of cases) {
    assert.deepEqual(reviewOf(credit(changes), [{ ...candidate, ...state }, other]), {
      reason,
      proposals: [`1: same_reference,${reason}`],
      differences: [difference],
      left_off: 0,
    })
  }
  const twice = reviewOf(credit({ amount: 9 }), [{ ...candidate, state: 'paid' }])
  assert.equal(twice.reason, 'already_paid')
  assert.deepEqual(twice.proposals, ['1: same_reference,already_paid,short'])
})

test('two references are ambiguous', () => {
  const transaction = credit({ amount: 8_400, remittance: `${reference} ${other_reference}` })
  assert.deepEqual(reviewOf(transaction, [other, candidate]), {
    reason: 'ambiguous',
    proposals: ['1: same_reference,over', '2: same_reference,over'],
    differences: [4_200, 4_200],
    left_off: 0,
  })
})

test('an unknown payment gets proposals by reference, amount and name', () => {
  const mistyped = `${reference.slice(0, 5)}${reference[6]}${reference[5]}${reference.slice(7)}`
  const unknown = (changes: Partial<BankTransaction>) =>
    reviewOf(credit({ remittance: null, ...changes }), [other, candidate])
  assert.deepEqual(unknown({ amount: 7 }).proposals, [])
  assert.equal(unknown({ amount: 7 }).reason, 'unknown')
  assert.deepEqual(unknown({ amount: 7, remittance: mistyped }).proposals, [
    '1: similar_reference,short',
  ])
  assert.deepEqual(unknown({ counterparty_name: 'DOE, Jane' }).proposals, [
    '1: same_amount,same_name',
    '2: same_amount',
  ])
  const many = Array.from({ length: 8 }, (_, n) => ({ ...other, id: `pay_${n}` }))
  const { proposals, left_off } = reviewOf(credit({ remittance: 'rent' }), many)
  assert.deepEqual([proposals.length, left_off], [5, 3])
})

test('what is not final money never settles', () => {
  const cases: [Partial<typeof booked>, string][] = [
    [{ is_booked: false }, 'not_booked'],
    [{ is_complete: false }, 'incomplete_batch'],
  ]
  for (const [entry, reason] of cases) {
    const review = reviewOf(credit(), [candidate], { ...booked, ...entry })
    assert.deepEqual(review.proposals, ['1: same_reference'])
    assert.equal(review.reason, reason)
  }
  assert.equal(reviewOf(credit({ direction: 'debit' }), [candidate]).reason, 'unknown')
})

test('a payout is settled by its debit, and a return names it', () => {
  const payout: MatchCandidate = {
    ...candidate,
    id: 'po_01jd0000000000000000000003',
    direction: 'debit',
    references: ['po_01jd0000000000000000000003'],
  }
  const sent = credit({
    direction: 'debit',
    remittance: null,
    end_to_end_id: 'po-01jd0000000000000000000003',
  })
  const settled = { outcome: 'settle', candidate_id: payout.id }
  assert.deepEqual(matchTransaction(booked, sent, [candidate, payout]), settled)
  const returned: BankTransaction = { ...sent, direction: 'credit', return_reason: 'AC04' }
  const paid: MatchCandidate = { ...payout, state: 'paid' }
  assert.deepEqual(reviewOf(returned, [candidate, paid]), {
    reason: 'returned',
    proposals: ['3: same_reference,already_paid'],
    differences: [0],
    left_off: 0,
  })
  const reversed = reviewOf(credit({ direction: 'debit' }), [{ ...candidate, state: 'paid' }], {
    ...booked,
    is_reversal: true,
  })
  assert.equal(reversed.reason, 'reversal')
  assert.deepEqual(reversed.proposals, ['1: same_reference,already_paid'])
})

const references = ['K3M9TXPQ', 'W8H2QZBK', 'B2C3D4FG', 'K3M9TXQQ'].map(creditorReference)

const anyCandidate: fc.Arbitrary<MatchCandidate> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  direction: fc.constantFrom('credit', 'debit'),
  amount: fc.constantFrom(1, 100, 4_200),
  currency: fc.constantFrom('EUR', 'USD'),
  references: fc.subarray(references),
  state: fc.constantFrom('open', 'paid', 'ended'),
  counterparty_name: fc.constantFrom(null, 'Jane Doe', 'Acme'),
})

const anyTransaction: fc.Arbitrary<BankTransaction> = fc
  .record({
    amount: fc.constantFrom(1, 100, 4_200),
    currency: fc.constantFrom('EUR', 'USD'),
    direction: fc.constantFrom('credit' as const, 'debit' as const),
    remittance: fc.constantFrom(null, 'rent', ...references, 'RF00K3M9TXPQ'),
    end_to_end_id: fc.constantFrom(null, ...references),
    counterparty_name: fc.constantFrom(null, 'doe jane', 'Acme'),
    return_reason: fc.constantFrom(null, null, 'AC04'),
  })
  .map((changes) => ({ ...credit(), ...changes }))

const anyEntry = fc.record({
  is_booked: fc.boolean(),
  is_reversal: fc.boolean(),
  is_complete: fc.boolean(),
})

test('the order of candidates does not matter, and only an exact match settles', () => {
  const unique = fc.uniqueArray(anyCandidate, { selector: ({ id }) => id, maxLength: 7 })
  const shuffled = unique.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(
    fc.property(anyEntry, anyTransaction, shuffled, (entry, transaction, [list, reordered]) => {
      const result = matchTransaction(entry, transaction, list)
      assert.deepEqual(matchTransaction(entry, transaction, reordered), result)
      if (result.outcome !== 'settle') return
      const chosen = list.find(({ id }) => id === result.candidate_id)!
      assert.deepEqual({ ...entry }, booked)
      assert.equal(chosen.state, 'open')
      assert.equal(transaction.return_reason, null)
      for (const field of ['amount', 'currency', 'direction'] as const) {
        assert.equal(chosen[field], transaction[field])
      }
      const stated = [transaction.remittance, transaction.end_to_end_id]
      assert.ok(chosen.references.some((one) => stated.includes(one)))
    }),
    { numRuns: 1_000 },
  )
})

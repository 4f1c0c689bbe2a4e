// The provider's disputes of a charge, without a database: what they change, once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRow } from '../../src/accounts/account.ts'
import { applyDisputes } from '../../src/disputes/apply-disputes.ts'
import { DisputeSet } from '../../src/disputes/dispute-set.ts'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import type { AccountLock } from '../../src/ledger/lock-row.ts'
import type { ProviderDispute } from '../../src/processors/provider.ts'
import type { ChargeRow } from '../../src/transactions/charge.ts'
import { TransactionSet } from '../../src/transactions/transaction-set.ts'
import { account_id, lockOf, rowOf, now as shared_now } from '../transactions/rows.ts'

// Another day than that of other files: see test/payments/decide.test.ts.
const now = new Date(shared_now.getTime() + 2 * 86_400_000)

const account = {
  id: account_id,
  email: 'acme@example.com',
  name: 'Acme Ltd',
  language: 'de',
  timezone: 'Europe/Berlin',
} as AccountRow

function start(lock: Partial<AccountLock> = {}) {
  const locked = lockOf({ available: 100, ...lock })
  const payment = rowOf({ status: 'succeeded' })
  const charge: ChargeRow = {
    account_id,
    transaction_id: payment.id,
    provider: 'stripe',
    charge_id: 'ch_1',
    checkout_id: null,
    provider_id: 'cs_1',
    amount: 100,
    fee: null,
    is_disputed: false,
    is_late: false,
    card_brand: null,
    card_last4: null,
  }
  const money = new LockedAccounts(now, [locked])
  const transactions = new TransactionSet(money, { rows: [payment], charges: [charge] })
  const set = new DisputeSet(transactions, new Map([[account_id, account]]))
  return {
    set,
    lock: locked,
    charge,
    apply: (...disputes: Partial<ProviderDispute>[]) =>
      applyDisputes(
        set,
        locked,
        charge,
        disputes.map((some) => ({ ...one, ...some })),
      ),
    moves: () => money.postings.map(({ movement, amount }) => `${movement} ${amount}`),
    events: () => money.events.map(({ type }) => type),
    emails: () => set.emails.map(({ cause }) => cause.replace(/dsp_\w+/, 'dsp')),
    rows: () => [...set.rows.values()],
  }
}

const one: ProviderDispute = {
  id: 'dp_1',
  amount: 100,
  reason: 'fraudulent',
  status: 'needs_response',
  due_at: new Date('2091-01-01T00:00:00.000Z'),
}

test('a new dispute withdraws its amount, marks the charge, and notifies the owner', () => {
  const { apply, moves, events, emails, rows, charge, lock, set } = start()
  apply({})
  assert.deepEqual(moves(), ['withdraw 100'])
  assert.deepEqual(events(), ['dispute.created'])
  assert.deepEqual(emails(), ['dispute_opened:dsp'])
  assert.deepEqual([lock.available, lock.owed, charge.is_disputed], [0, 0, true])
  const [row] = rows()
  assert.deepEqual([row!.amount, row!.currency, row!.status], [100, 'USD', 'needs_response'])
  assert.equal(row!.transaction_id, charge.transaction_id)
  assert.deepEqual(set.inserted, [row])
  assert.equal(lock.last_transaction_id, row!.id, 'ids of all nouns increase together')
})

test('applying the same disputes again changes nothing, in any status', () => {
  for (const status of ['needs_response', 'under_review', 'won', 'lost'] as const) {
    const { apply, moves, events, rows } = start()
    apply({ status })
    const before = structuredClone([moves(), events(), rows()])
    apply({ status })
    apply({ status }, { status })
    assert.deepEqual([moves(), events(), rows()], before, status)
  }
})

test('a dispute above the payment and the balance is owed', () => {
  const { apply, moves, lock } = start({ available: 30 })
  apply({ amount: 250 })
  assert.deepEqual(moves(), ['overdraw 220', 'withdraw 250'])
  assert.deepEqual([lock.available, lock.owed], [0, 220])
})

test('evidence and a new time limit are updates', () => {
  const { apply, moves, events, rows, emails } = start()
  apply({})
  apply({ status: 'under_review' })
  apply({ status: 'under_review', due_at: null })
  apply({ status: 'needs_response', due_at: null })
  assert.deepEqual(moves(), ['withdraw 100'])
  const updated = 'dispute.updated'
  assert.deepEqual(events(), ['dispute.created', updated, updated, updated])
  assert.deepEqual(emails(), ['dispute_opened:dsp'])
  assert.deepEqual([rows()[0]!.status, rows()[0]!.due_at], ['needs_response', null])
})

test('a won dispute returns the amount and repays what is owed first', () => {
  const { apply, moves, events, emails, charge, lock } = start({ available: 40 })
  apply({})
  apply({ status: 'won' })
  assert.deepEqual(moves(), ['overdraw 60', 'withdraw 100', 'reinstate 100', 'repay 60'])
  assert.deepEqual(events(), ['dispute.created', 'dispute.won'])
  assert.deepEqual(emails(), ['dispute_opened:dsp', 'dispute_closed:dsp:won'])
  assert.deepEqual([lock.available, lock.owed, charge.is_disputed], [40, 0, false])
})

test('a lost dispute keeps the amount and the mark of the charge', () => {
  const { apply, moves, events, charge } = start()
  apply({})
  apply({ status: 'lost' })
  assert.deepEqual(moves(), ['withdraw 100'])
  assert.deepEqual(events(), ['dispute.created', 'dispute.lost'])
  assert.equal(charge.is_disputed, true)
})

test('an older snapshot does not reopen a dispute, but a lost one can be won', () => {
  const { apply, moves, events, emails } = start()
  apply({ status: 'lost' })
  apply({ status: 'under_review' })
  assert.deepEqual(events(), ['dispute.created', 'dispute.lost'])
  apply({ status: 'won' })
  apply({ status: 'lost' })
  assert.deepEqual(moves(), ['withdraw 100', 'reinstate 100'])
  assert.deepEqual(events(), ['dispute.created', 'dispute.lost', 'dispute.won'])
  const closed = ['dispute_closed:dsp:lost', 'dispute_closed:dsp:won']
  assert.deepEqual(emails(), ['dispute_opened:dsp', ...closed])
})

test('the charge stays disputed until every dispute is won', () => {
  const { apply, charge, moves } = start({ available: 200 })
  apply({}, { id: 'dp_2', amount: 50 })
  apply({ status: 'won' })
  assert.equal(charge.is_disputed, true)
  apply({ id: 'dp_2', amount: 50, status: 'won' })
  assert.equal(charge.is_disputed, false)
  assert.deepEqual(moves(), ['withdraw 100', 'withdraw 50', 'reinstate 100', 'reinstate 50'])
})

test('a closed account gets the postings, but no events and no emails', () => {
  const { apply, moves, events, emails, rows, lock } = start({ status: 'closed', available: 0 })
  apply({})
  apply({ status: 'lost' })
  assert.deepEqual(moves(), ['overdraw 100', 'withdraw 100'])
  assert.deepEqual([events(), emails()], [[], []])
  assert.deepEqual([rows().length, rows()[0]!.status, lock.owed], [1, 'lost', 100])
})

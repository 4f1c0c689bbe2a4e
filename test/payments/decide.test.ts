// Tests every command without a database: its changes, its emails, and that a rejected command
// leaves the set unchanged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRow } from '../../src/accounts/account.ts'
import { AlreadyHandled } from '../../src/jobs/due-work.ts'
import { LockedAccounts } from '../../src/lanes/locked-accounts.ts'
import type { AccountLock } from '../../src/ledger/lock-row.ts'
import {
  attemptCommand,
  cancelCommand,
  dueCommand,
  type PaymentCommand,
  sendCommand,
  settleCommand,
} from '../../src/payments/commands.ts'
import { decidePayment } from '../../src/payments/decide.ts'
import type { PaymentRow } from '../../src/payments/payment.ts'
import { PaymentSet } from '../../src/payments/payment-set.ts'
import { toTypeId } from '../../src/primitives/ids.ts'
import { Refusal } from '../../src/primitives/refusal.ts'
import { account_id, lockOf, now as shared_now } from '../transactions/rows.ts'

// Another day than that of other files: after 4,096 ids in one millisecond, the process continues
// with the next one.
const now = new Date(shared_now.getTime() + 86_400_000)

const day_ms = 86_400_000

const card = { brand: 'visa', last4: '4242' } as const
const paid = { card, decline_code: null }
const declined = { card, decline_code: 'card_declined' } as const

const account: AccountRow = {
  id: account_id,
  owner_id: account_id,
  type: 'business',
  status: 'active',
  email: 'acme@example.com',
  name: 'Acme Ltd',
  currency: 'USD',
  timezone: 'Europe/Berlin',
  language: 'de',
  updated_at: now,
  closed_at: null,
}

function start(lock: Partial<AccountLock> = {}) {
  const locked = lockOf(lock)
  const money = new LockedAccounts(now, [locked])
  const set = new PaymentSet(money, 'https://pay.example.com', { accounts: [account] })
  return {
    set,
    money,
    lock: locked,
    decide: (command: PaymentCommand) => decidePayment(set, command),
  }
}

const create: PaymentCommand = {
  kind: 'create',
  account_id,
  amount: 7_500,
  currency: 'USD',
  customer_email: 'customer@example.com',
  reference: 'Invoice 114',
  metadata: null,
  token: 'secret',
}

/** A set with one pending request. */
function pending(lock: Partial<AccountLock> = {}) {
  const started = start()
  const row = started.decide(create)
  Object.assign(started.lock, lock)
  started.set.emails.splice(0)
  return { ...started, row }
}

function refusal(code: string) {
  return (error: unknown) => error instanceof Refusal && error.code === code
}

test('create queues an email; the request is due after 27 days and expires after 30', () => {
  const { set, lock, money, decide } = start()
  const row = decide(create)
  assert.equal(row.status, 'pending')
  assert.equal(row.expires_at.getTime(), now.getTime() + 30 * day_ms)
  assert.equal(row.due_at!.getTime(), now.getTime() + 27 * day_ms)
  assert.equal(lock.last_transaction_id, row.id)
  assert.deepEqual([...money.touched], [lock])
  assert.deepEqual(
    money.events.map(({ type, object_id }) => [type, object_id]),
    [['payment.created', row.id]],
  )
  assert.deepEqual(set.emails, [
    {
      cause: `payment_request:${toTypeId('payment', row.id)}:1`,
      account_id,
      to: 'customer@example.com',
      language: 'de',
      timezone: 'Europe/Berlin',
      kind: 'payment_request',
      facts: {
        account_name: 'Acme Ltd',
        amount: 7_500,
        currency: 'USD',
        reference: 'Invoice 114',
        url: 'https://pay.example.com/pay/secret',
        expires_at: row.expires_at.toISOString(),
      },
    },
  ])
})

test('each send queues an email with a different cause', () => {
  const { set, row, decide } = pending()
  const name = toTypeId('payment', row.id)
  decide(sendCommand(row))
  decide(sendCommand(row))
  assert.deepEqual(
    set.emails.map(({ cause }) => cause),
    [`payment_request:${name}:2`, `payment_request:${name}:3`],
  )
})

test('payment creates a transaction, two postings, three events and a receipt', () => {
  const { set, money, lock, row, decide } = pending()
  decide(attemptCommand(row, paid))
  const [transaction, ...more] = set.transactions.inserted
  assert.deepEqual(more, [])
  assert.equal(transaction!.status, 'succeeded')
  assert.equal(transaction!.metadata, `{"payment_request":"${toTypeId('payment', row.id)}"}`)
  assert.equal(row.transaction_id, transaction!.id)
  assert.ok(transaction!.id > row.id, 'ids come from one sequence')
  assert.deepEqual(
    money.postings.map(({ movement }) => movement),
    ['arrive', 'settle'],
  )
  assert.deepEqual(
    money.events.slice(1).map(({ type }) => type),
    ['transaction.created', 'transaction.succeeded', 'payment.succeeded'],
  )
  assert.deepEqual([lock.available, lock.incoming], [7_500, 0])
  const [email] = set.emails
  assert.equal(email!.kind, 'payment_receipt')
  assert.equal(email!.cause, `payment_receipt:${toTypeId('payment', row.id)}`)
})

test('due sends one reminder, then cancels', () => {
  const { set, row, decide } = pending()
  const at = (days: number) => dueCommand(row, new Date(now.getTime() + days * day_ms))
  assert.throws(() => decide(at(26)), AlreadyHandled)
  decide(at(27))
  assert.deepEqual(
    set.emails.map(({ kind }) => kind),
    ['payment_reminder'],
  )
  assert.throws(() => decide(at(28)), AlreadyHandled)
  assert.equal(decide(at(30)).status, 'canceled')
  assert.throws(() => decide(at(31)), AlreadyHandled)
  assert.equal(set.emails.length, 1)
})

test('no reminder is sent after the expiry or for a suspended account', () => {
  const late = pending()
  const end = new Date(now.getTime() + 30 * day_ms)
  assert.equal(late.decide(dueCommand(late.row, end)).status, 'canceled')
  assert.deepEqual(late.set.emails, [])
  const suspended = pending({ status: 'suspended' })
  suspended.decide(dueCommand(suspended.row, new Date(now.getTime() + 28 * day_ms)))
  assert.deepEqual(suspended.set.emails, [])
  assert.deepEqual(suspended.row.due_at, suspended.row.expires_at)
})

test('every attempt is stored, and the tenth decline fails the request', () => {
  const { set, money, row, lock, decide } = pending()
  for (let n = 1; n <= 10; n += 1) decide(attemptCommand(row, declined))
  assert.equal(row.status, 'failed')
  assert.deepEqual([row.declines, row.attempts], [10, 10])
  assert.deepEqual(
    set.attempts.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  assert.deepEqual(set.attempts[0], {
    account_id,
    payment_id: row.id,
    number: 1,
    created_at: money.timeOf(lock),
    outcome: 'declined',
    decline_code: 'card_declined',
    card_brand: 'visa',
    card_last4: '4242',
  })
})

test('a request that predates stored attempts continues the numbers of its declines', () => {
  const { set, row, decide } = pending()
  Object.assign(row, { declines: 3, attempts: null })
  decide(attemptCommand(row, paid))
  assert.deepEqual([set.attempts[0]?.number, set.attempts[0]?.outcome], [4, 'succeeded'])
  assert.equal(row.attempts, null)
})

test('a rejected command changes nothing', () => {
  const commands: [string, Partial<AccountLock>, (row: PaymentRow) => PaymentCommand][] = [
    ['invalid_request', {}, () => ({ ...create, currency: 'EUR' })],
    ['invalid_request', { status: 'pending' }, () => create],
    ['account_not_found', { status: 'closed' }, () => create],
    ['account_not_found', {}, () => ({ ...create, account_id: 'another' })],
    ['not_found', {}, (row) => cancelCommand({ ...row, id: 'another' })],
    ['invalid_request', { status: 'suspended' }, (row) => attemptCommand(row, paid)],
    ['invalid_request', { status: 'suspended' }, (row) => sendCommand(row)],
    ['invalid_request', { available: Number.MAX_SAFE_INTEGER }, (row) => attemptCommand(row, paid)],
    ['conflict', { last_at: new Date(now.getTime() + 31 * day_ms) }, (row) => sendCommand(row)],
  ]
  for (const [code, lock, command] of commands) {
    const { set, money, lock: locked, row, decide } = pending(lock)
    const before = structuredClone([locked, row, money.events, money.postings])
    assert.throws(() => decide(command(row)), refusal(code), code)
    assert.deepEqual([locked, row, money.events, money.postings], before)
    assert.deepEqual([set.emails, set.attempts], [[], []])
  }
})

test('an ended request rejects every command', () => {
  const ends = [
    (row: PaymentRow) => cancelCommand(row),
    (row: PaymentRow) => settleCommand(row, 'succeeded'),
    (row: PaymentRow) => settleCommand(row, 'failed'),
  ]
  for (const end of ends) {
    const { row, decide } = pending()
    decide(end(row))
    assert.throws(() => decide(cancelCommand(row)), refusal('not_cancellable'))
    for (const late of [
      ...ends.slice(1),
      sendCommand,
      (one: PaymentRow) => attemptCommand(one, paid),
    ]) {
      assert.throws(() => decide(late(row)), refusal('conflict'))
    }
  }
})

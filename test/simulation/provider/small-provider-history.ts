// A small history with a payment provider and without violations: a paid request that was refunded
// by the merchant and in the dashboard, and disputed; a refund that failed late; late money that
// was refunded; and a payment that never reached the provider.

import { emptyHistory, type History } from '../history.ts'
import { attempt } from '../small-history.ts'

const account = 'acct_1'

export function smallProviderHistory(): History {
  const history = emptyHistory()
  const row = (id: string, type: string, amount: number, more: object = {}) => {
    const common = { account, id, type, status: 'succeeded', amount, refund_of: null, metadata: {} }
    return { ...common, ...more }
  }
  const posting = (sequence: number, transaction: string, movement: string, amount: number) => {
    return { account, sequence, transaction, movement, amount, available_after: 0, at_ms: 0 }
  }
  const buckets = { available: 72, incoming: 0, held: 0, owed: 0 }
  Object.assign(history.final, {
    balances: [{ account, ...buckets, posting_sequence: 2, event_sequence: 0 }],
    postings: [posting(1, 'txn_8', 'arrive', 40), posting(2, 'txn_8', 'settle', 40)],
    transactions: [
      row('txn_1', 'payment', 100, { metadata: { payment_request: 'pay_1' } }),
      row('txn_2', 'refund', 20, { refund_of: 'txn_1', metadata: { tag: 'w1' } }),
      row('txn_3', 'refund', 10, { refund_of: 'txn_1' }),
      row('txn_4', 'payment', 50, { metadata: { payment_request: 'pay_2', late_payment: true } }),
      row('txn_5', 'refund', 50, { refund_of: 'txn_4' }),
      row('txn_6', 'refund', 7, { refund_of: 'txn_1', metadata: { tag: 'w2' } }),
      row('txn_7', 'credit', 7),
      row('txn_8', 'payment', 40, { metadata: { tag: 'w3' } }),
      row('txn_9', 'refund', 5, { refund_of: 'txn_1', status: 'failed', metadata: { tag: 'w4' } }),
    ],
    payments: [request('pay_1', 'succeeded', 100, 'txn_1'), request('pay_2', 'canceled', 50, null)],
    recorded: recordedMoney(),
  })
  history.attempts = [attempt({ operation: 'request', tag: 'w5', sent_ms: 0, status: 201 })]
  const visit = { kind: 'visit', request: 'pay_1', sent_ms: 10, done_ms: 20 } as const
  history.visits = [{ ...visit, operation: 'begin', status: 303, session: 'cs_1' }]
  const notice = {
    kind: 'notice',
    type: 'charge.refunded',
    is_dropped: false,
    sent_ms: 30,
  } as const
  history.notices = [
    { ...notice, event: 'evt_1', is_forged: false, status: 200 },
    { ...notice, event: 'evt_2', is_forged: true, status: 400 },
  ]
  history.provider = providerState()
  return history
}

function request(id: string, status: string, amount: number, transaction: string | null) {
  return { account, id, status, amount, transaction, metadata: {} }
}

function recordedMoney(): History['final']['recorded'] {
  const refund = (transaction: string, payment: string, at_provider: string | null) => {
    const state = at_provider === null ? 'failed' : 'succeeded'
    return { account, transaction, payment, refund: at_provider, state, credit: null }
  }
  return {
    checkouts: [
      { account, id: 'chk_1', payment: 'pay_1', session: 'cs_1', state: 'paid' },
      { account, id: 'chk_2', payment: 'pay_2', session: 'cs_2', state: 'paid' },
    ],
    charges: [charge('txn_1', 'ch_1', 'chk_1', 100, 5), charge('txn_4', 'ch_2', 'chk_2', 50, 3)],
    refunds: [
      refund('txn_2', 'txn_1', 're_1'),
      refund('txn_3', 'txn_1', 're_2'),
      refund('txn_5', 'txn_4', 're_3'),
      { ...refund('txn_6', 'txn_1', 're_4'), credit: 'txn_7' },
      refund('txn_9', 'txn_1', null),
    ],
    disputes: [{ account, payment: 'txn_1', dispute: 'dp_1', amount: 30, status: 'lost' }],
    inbox: [{ event: 'evt_1', session: 'cs_1', state: 'done' }],
  }
}

function charge(transaction: string, id: string, checkout: string, amount: number, fee: number) {
  return { account, transaction, charge: id, checkout, amount, fee }
}

function providerState(): NonNullable<History['provider']> {
  const refund = (id: string, of: string, amount: number, transaction: string | null) => {
    return { id, charge: of, amount, status: 'succeeded', transaction }
  }
  return {
    kind: 'provider',
    late_payments: 'refund',
    sessions: [
      { id: 'cs_1', checkout: 'chk_1', status: 'complete' },
      { id: 'cs_2', checkout: 'chk_2', status: 'complete' },
    ],
    charges: [
      { id: 'ch_1', session: 'cs_1', checkout: 'chk_1', amount: 100, fee: 5 },
      { id: 'ch_2', session: 'cs_2', checkout: 'chk_2', amount: 50, fee: 3 },
    ],
    refunds: [
      refund('re_1', 'ch_1', 20, 'txn_2'),
      refund('re_2', 'ch_1', 10, null),
      refund('re_3', 'ch_2', 50, 'txn_5'),
      { ...refund('re_4', 'ch_1', 7, 'txn_6'), status: 'failed' },
    ],
    disputes: [{ id: 'dp_1', charge: 'ch_1', amount: 30, status: 'lost' }],
    frozen_keys: [],
  }
}

// A small history without violations: one account, a payment that settles, a pending refund, a
// canceled one, a rejected one, and a paid payment request. Each test of a check corrupts one
// thing.

import { type Attempt, type AuditRow, emptyHistory, type History } from './history.ts'

const account = 'acct_1'
export const ids = {
  payment: 'txn_1',
  refund: 'txn_2',
  canceled: 'txn_3',
  paid: 'txn_5',
  request: 'pay_4',
}

export function attempt(
  fields: Partial<Attempt> & Pick<Attempt, 'operation' | 'sent_ms'>,
): Attempt {
  return {
    kind: 'attempt',
    client: 0,
    tag: null,
    keyed: fields.tag !== undefined,
    credential: 'owner',
    account,
    target: null,
    input: {},
    server: 0,
    done_ms: fields.sent_ms + 5,
    result: 'ok',
    status: 200,
    error: null,
    retry_after: null,
    replayed: false,
    text: '',
    ...fields,
  }
}

const json = (value: unknown) => JSON.stringify(value)
const bodyText = (id: string, status: string, metadata: object = {}) =>
  json({ id, status, metadata })

export function smallHistory(): History {
  return {
    ...emptyHistory(),
    attempts: [...writes(), ...reads(), ...revocation()],
    walks: [
      {
        kind: 'walk',
        client: 0,
        account,
        begun_ms: 200,
        done_ms: 210,
        ended: true,
        pages: [
          [
            { id: ids.paid, status: 'succeeded' },
            { id: ids.canceled, status: 'canceled' },
          ],
          [
            { id: ids.refund, status: 'pending' },
            { id: ids.payment, status: 'succeeded' },
          ],
        ],
      },
    ],
    audits: [{ kind: 'audit', at_ms: 300, rows: [auditRow()] }],
    faults: [
      { kind: 'fault', name: 'kill-server', begun_ms: 40, healed_ms: 60 },
      {
        kind: 'fault',
        name: 'stop-server',
        begun_ms: 400,
        healed_ms: 500,
        exit: { code: 0, signal: null, took_ms: 80 },
      },
    ],
    webhooks: [
      {
        kind: 'webhook',
        at_ms: 90,
        account,
        event: 'evt_2',
        sequence: 2,
        type: 'transaction.succeeded',
        object: ids.payment,
        status: 'succeeded',
        webhook_id: 'evt_2',
        body_hash: 'hash of evt_2',
      },
    ],
    final: finalState(),
  }
}

function writes(): Attempt[] {
  const create = { operation: 'create', status: 201 } as const
  const payment = { ...create, tag: 'w1', input: { type: 'payment', amount: 100 } } as const
  const settle = { operation: 'settle', tag: 'w2', target: ids.payment } as const
  const refund = { type: 'refund', amount: 30, refund_of: ids.payment } as const
  const uncovered = { type: 'refund', amount: 80 } as const
  return [
    attempt({ ...payment, sent_ms: 0, result: 'info', status: null, error: 'ECONNRESET' }),
    attempt({ ...payment, sent_ms: 10, text: bodyText(ids.payment, 'pending') }),
    attempt({ ...payment, sent_ms: 20, text: bodyText(ids.payment, 'pending'), replayed: true }),
    attempt({
      ...settle,
      sent_ms: 30,
      input: { outcome: 'succeeded' },
      text: bodyText(ids.payment, 'succeeded'),
    }),
    attempt({
      ...create,
      tag: 'w3',
      sent_ms: 50,
      input: refund,
      text: bodyText(ids.refund, 'pending'),
    }),
    attempt({ ...create, tag: 'w4', sent_ms: 60, input: uncovered, result: 'fail', status: 402 }),
    attempt({
      ...create,
      tag: 'w5',
      sent_ms: 70,
      input: { type: 'refund', amount: 20 },
      text: bodyText(ids.canceled, 'pending'),
    }),
    attempt({
      operation: 'cancel',
      tag: 'w6',
      target: ids.canceled,
      sent_ms: 80,
      text: bodyText(ids.canceled, 'canceled'),
    }),
    attempt({
      operation: 'patch',
      tag: 'w7',
      target: ids.payment,
      sent_ms: 90,
      input: { patch_key: 'patch_w7' },
      text: bodyText(ids.payment, 'succeeded', { tag: 'w1', patch_w7: 'w7' }),
    }),
    attempt({
      operation: 'request',
      tag: 'w8',
      sent_ms: 100,
      status: 201,
      input: { amount: 50 },
      text: bodyText(ids.request, 'pending'),
    }),
    attempt({ operation: 'pay', tag: 'w9', target: ids.request, sent_ms: 110, status: 303 }),
    attempt({
      ...create,
      tag: 'w10',
      sent_ms: 120,
      result: 'info',
      status: null,
      error: 'timeout',
    }),
  ]
}

function reads(): Attempt[] {
  return [
    attempt({
      operation: 'get',
      target: ids.payment,
      sent_ms: 130,
      text: bodyText(ids.payment, 'succeeded', { tag: 'w1', patch_w7: 'w7' }),
    }),
    attempt({
      operation: 'get_request',
      target: ids.request,
      sent_ms: 140,
      text: bodyText(ids.request, 'succeeded'),
    }),
    attempt({
      operation: 'get',
      target: ids.canceled,
      sent_ms: 150,
      result: 'info',
      status: 503,
      retry_after: '1',
    }),
  ]
}

function revocation(): Attempt[] {
  const use = { operation: 'balance', credential: 'key-1' } as const
  return [
    attempt({ ...use, sent_ms: 160 }),
    attempt({ operation: 'revoke', tag: 'w11', input: { revoked: 'key-1' }, sent_ms: 170 }),
    attempt({ ...use, sent_ms: 180, result: 'fail', status: 401 }),
  ]
}

const balances = {
  account,
  available: 120,
  incoming: 0,
  held: 30,
  owed: 0,
  posting_sequence: 7,
  event_sequence: 10,
}

function auditRow(): AuditRow {
  return {
    ...balances,
    sum_external: -150,
    sum_available: 120,
    sum_incoming: 0,
    sum_held: 30,
    sum_owed: 0,
    postings: 7,
    events: 10,
    begun: 4,
    ended: 3,
    transactions: 4,
    transactions_ended: 3,
    created_events: 4,
    ended_events: 3,
  }
}

function finalState(): History['final'] {
  const posting = (
    sequence: number,
    transaction: string,
    movement: string,
    amount: number,
    available_after: number,
  ) => ({ account, sequence, transaction, movement, amount, available_after, at_ms: sequence })
  const row = (id: string, type: string, status: string, amount: number, metadata = {}) => {
    return { account, id, type, status, amount, refund_of: null, metadata }
  }
  const event = (sequence: number, type: string, object: string) => {
    return { account, sequence, id: `evt_${sequence}`, type, object }
  }
  return {
    kind: 'final',
    balances: [{ ...balances }],
    postings: [
      posting(1, ids.payment, 'arrive', 100, 0),
      posting(2, ids.payment, 'settle', 100, 100),
      posting(3, ids.refund, 'hold', 30, 70),
      posting(4, ids.canceled, 'hold', 20, 50),
      posting(5, ids.canceled, 'release', 20, 70),
      posting(6, ids.paid, 'arrive', 50, 70),
      posting(7, ids.paid, 'settle', 50, 120),
    ],
    transactions: [
      row(ids.payment, 'payment', 'succeeded', 100, { tag: 'w1', patch_w7: 'w7' }),
      { ...row(ids.refund, 'refund', 'pending', 30, { tag: 'w3' }), refund_of: ids.payment },
      row(ids.canceled, 'refund', 'canceled', 20, { tag: 'w5' }),
      row(ids.paid, 'payment', 'succeeded', 50, { payment_request: ids.request }),
    ],
    payments: [
      {
        account,
        id: ids.request,
        status: 'succeeded',
        amount: 50,
        transaction: ids.paid,
        metadata: { tag: 'w8' },
      },
    ],
    transfers: [],
    events: [
      event(1, 'transaction.created', ids.payment),
      event(2, 'transaction.succeeded', ids.payment),
      event(3, 'transaction.created', ids.refund),
      event(4, 'transaction.created', ids.canceled),
      event(5, 'transaction.canceled', ids.canceled),
      event(6, 'transaction.updated', ids.payment),
      event(7, 'payment.created', ids.request),
      event(8, 'transaction.created', ids.paid),
      event(9, 'transaction.succeeded', ids.paid),
      event(10, 'payment.succeeded', ids.request),
    ],
    recorded: { checkouts: [], charges: [], refunds: [], disputes: [], inbox: [] },
    differences: [],
  }
}

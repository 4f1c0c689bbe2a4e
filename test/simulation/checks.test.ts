// Tests the checks: each finds the violations in its bad histories, and none in a good history.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckName, checks } from './checks/all-checks.ts'
import { addRecord, type History, type HistoryRecord, parseHistory } from './history.ts'
import { attempt, ids, smallHistory } from './small-history.ts'

type Corrupt = (history: History) => void

const byTag = (history: History, tag: string) => history.attempts.filter((one) => one.tag === tag)
const rowOf = (history: History, id: string) =>
  [...history.final.transactions, ...history.final.payments].find((row) => row.id === id)!
const drop = (history: History, id: string) => {
  history.final.transactions = history.final.transactions.filter((row) => row.id !== id)
}
const read = (id: string, status: string, sent_ms: number, metadata = {}) =>
  attempt({
    operation: 'get',
    target: id,
    sent_ms,
    text: JSON.stringify({ id, status, metadata }),
  })

const overdraw = (sequence: number) => {
  const at = { account: 'acct_1', sequence, transaction: ids.paid, at_ms: sequence }
  return { ...at, movement: 'overdraw', amount: 5, available_after: 120 + (sequence - 7) * 5 }
}

/** A transfer of 50 with a fee of 5, and its postings in the receiving accounts. */
function addTransfer(history: History, status: string, arrivals: ('in' | 'fee' | 'back')[]): void {
  const facts = { id: 'tr_1', transaction: 'txn_7', status, to: 'acct_2', fee_to: 'acct_3' }
  const row = { ...facts, account: 'acct_1', side: 'out', amount: 50, fee: 5, returned: 0 }
  history.final.transfers.push({ ...row, metadata: { tag: 'w12' } })
  const at = { transaction: 'txn_7', sequence: 8, available_after: 0, at_ms: 8 }
  const credits = {
    in: { account: 'acct_2', amount: 45 },
    fee: { account: 'acct_3', amount: 5 },
    back: { account: 'acct_1', amount: 50 },
  }
  history.final.postings.push(
    { ...at, account: 'acct_1', movement: 'withdraw', amount: 50 },
    ...arrivals.map((name) => ({ ...at, ...credits[name], movement: 'reinstate' })),
  )
}

test('transfers-arrive-once finds nothing in good transfers', () => {
  const good: [string, Parameters<typeof addTransfer>[2]][] = [
    ['completed', ['in', 'fee']],
    ['returned', ['back']],
    ['in_transit', []],
    ['in_transit', ['in']],
    ['in_transit', ['in', 'fee']],
  ]
  for (const [status, arrivals] of good) {
    const history = smallHistory()
    addTransfer(history, status, arrivals)
    assert.deepEqual(checks['transfers-arrive-once'](history), [])
  }
})

const bad: Record<CheckName, Record<string, Corrupt>> = {
  'acknowledged-writes-present': {
    'an acknowledged transfer is missing': (history) => {
      const text = JSON.stringify({ id: 'tr_1', status: 'in_transit' })
      history.attempts.push(attempt({ operation: 'transfer', tag: 'w12', sent_ms: 700, text }))
    },
    'an acknowledged payment is missing': (history) => drop(history, ids.payment),
    'an acknowledged request is missing': (history) => {
      history.final.payments = []
    },
    'an acknowledged cancellation was not applied': (history) => {
      rowOf(history, ids.canceled).status = 'succeeded'
    },
    'an acknowledged patch is missing': (history) => {
      delete rowOf(history, ids.payment).metadata.patch_w7
    },
    'a paid request is pending': (history) => {
      rowOf(history, ids.request).status = 'pending'
    },
  },
  'one-effect-for-each-write': {
    'a transfer exists that no client created': (history) => addTransfer(history, 'in_transit', []),
    'one key created two rows': (history) => {
      history.final.transactions.push({ ...history.final.transactions[0]!, id: 'txn_9' })
    },
    'a rejected refund was created': (history) => {
      const row = history.final.transactions[1]!
      history.final.transactions.push({ ...row, id: 'txn_9', metadata: { tag: 'w4' } })
    },
    'a write with unknown outcome was applied twice': (history) => {
      const row = { ...history.final.transactions[0]!, metadata: { tag: 'w10' } }
      history.final.transactions.push({ ...row, id: 'txn_8' }, { ...row, id: 'txn_9' })
    },
    'a row exists that no client created': (history) => {
      const row = history.final.transactions[0]!
      history.final.transactions.push({ ...row, id: 'txn_9', metadata: { tag: 'w99' } })
    },
  },
  'replayed-responses-identical': {
    'the second response differs in one byte': (history) => {
      byTag(history, 'w1')[2]!.text += ' '
    },
    'the second response has another status': (history) => {
      byTag(history, 'w1')[2]!.status = 200
    },
  },
  'ledger-balances-in-every-snapshot': {
    'a balance is ahead of its postings': (history) => {
      history.audits[0]!.rows[0]!.available += 1
    },
    'postings are ahead of their balance': (history) => {
      history.audits[0]!.rows[0]!.postings += 1
    },
    'an event is ahead of its change': (history) => {
      history.audits[0]!.rows[0]!.created_events += 1
    },
    'an ended transaction has no posting': (history) => {
      history.audits[0]!.rows[0]!.transactions_ended += 1
    },
    'money appeared from nowhere': (history) => {
      history.audits[0]!.rows[0]!.sum_external += 1
    },
    'a debt has no posting': (history) => {
      history.audits[0]!.rows[0]!.owed += 1
    },
  },
  'postings-replayed': {
    'a stored balance differs from its postings': (history) => {
      history.final.balances[0]!.held = 0
    },
    'a posting has another balance than the replay': (history) => {
      history.final.postings[2]!.available_after = 71
    },
    'available was negative for a moment': (history) => {
      history.final.postings[2]!.amount = 130
      history.final.postings[2]!.available_after = -30
    },
    'a debt exists while money is available': (history) => {
      history.final.postings.push(overdraw(8), overdraw(9))
      Object.assign(history.final.balances[0]!, { available: 130, owed: 10 })
    },
    'postings have no balances': (history) => {
      history.final.balances = []
    },
    'florin verify reports a difference': (history) => {
      history.final.differences.push('postings_have_no_gaps')
    },
  },
  'refusals-justified': {
    'a refund was rejected although it was covered': (history) => {
      byTag(history, 'w4')[0]!.input = { type: 'refund', amount: 70 }
    },
    'a refund was rejected because of one that had been canceled': (history) => {
      Object.assign(byTag(history, 'w4')[0]!, { sent_ms: 90, done_ms: 95 })
      byTag(history, 'w4')[0]!.input = { type: 'refund', amount: 60 }
    },
  },
  'pending-ends-once': {
    'a cancellation and a settlement were both acknowledged': (history) => {
      const settled = { operation: 'settle', tag: 'w20', target: ids.canceled } as const
      history.attempts.push(attempt({ ...settled, sent_ms: 85, input: { outcome: 'succeeded' } }))
    },
    'a hold was released twice': (history) => {
      history.final.postings.push({ ...history.final.postings[4]!, sequence: 8 })
    },
    'a canceled refund was never released': (history) => {
      history.final.postings.splice(4, 1)
    },
    'a canceled request was paid': (history) => {
      rowOf(history, ids.request).status = 'canceled'
    },
    'a request was paid twice': (history) => {
      history.final.transactions.push({ ...history.final.transactions[3]!, id: 'txn_9' })
    },
  },
  'refunds-within-payment': {
    'more was refunded than was paid': (history) => {
      history.final.postings[2]!.amount = 101
    },
    'too much was refunded for a moment': (history) => {
      history.final.postings[3]!.amount = 71
      history.final.postings[4]!.amount = 71
      history.final.transactions[2]!.refund_of = ids.payment
    },
    'a payment was refunded that failed': (history) => {
      rowOf(history, ids.payment).status = 'failed'
    },
  },
  'transfers-arrive-once': {
    'a completed transfer did not arrive': (history) => addTransfer(history, 'completed', []),
    'a transfer arrived twice': (history) => addTransfer(history, 'completed', ['in', 'fee', 'in']),
    'one in transit arrived twice': (history) => addTransfer(history, 'in_transit', ['in', 'in']),
    'its fee is missing': (history) => addTransfer(history, 'completed', ['in']),
    'a returned transfer arrived': (history) => addTransfer(history, 'returned', ['in', 'fee']),
    'money was returned without a debit': (history) => {
      addTransfer(history, 'returned', ['back'])
      history.final.postings = history.final.postings.filter(
        ({ movement }) => movement !== 'withdraw',
      )
    },
    'money arrived without a transfer': (history) => {
      addTransfer(history, 'completed', ['in', 'fee'])
      for (const row of history.final.transfers) row.side = 'in'
    },
  },
  'sequences-ordered': {
    'a sequence number is missing': (history) => {
      history.final.postings.splice(2, 1)
    },
    'ids are not in commit order': (history) => {
      history.final.postings[0]!.transaction = 'txn_6'
    },
    'time went back': (history) => {
      history.final.postings[4]!.at_ms = 1
    },
    'the account counts more postings than exist': (history) => {
      history.final.balances[0]!.posting_sequence = 8
    },
  },
  'one-event-for-each-change': {
    'an event is missing': (history) => {
      history.final.events.splice(4, 1)
    },
    'the last event is missing': (history) => {
      history.final.events.pop()
    },
    'an end has two events': (history) => {
      history.final.events.push({ ...history.final.events[4]!, sequence: 11 })
      history.final.balances[0]!.event_sequence = 11
    },
    'an event exists for a patch that was not applied': (history) => {
      delete rowOf(history, ids.payment).metadata.patch_w7
    },
    'an event exists for a missing object': (history) => drop(history, ids.canceled),
  },
  'status-never-reverts': {
    'a canceled refund was pending again': (history) => {
      history.attempts.push(read(ids.canceled, 'pending', 300))
    },
    'one process showed the end, but a list did not': (history) => {
      history.walks[0]!.pages[0]![1]!.status = 'pending'
    },
    'the final status differs from the one that was read': (history) => {
      rowOf(history, ids.canceled).status = 'succeeded'
    },
  },
  'read-your-writes': {
    'a new transaction is unknown': (history) => {
      history.attempts.push({
        ...read(ids.refund, 'pending', 60),
        result: 'fail',
        status: 404,
      })
    },
    'a canceled transaction is still pending': (history) => {
      history.attempts.push(read(ids.canceled, 'pending', 86))
    },
    'a patch is not visible': (history) => {
      history.attempts.push(read(ids.payment, 'succeeded', 96, { tag: 'w1' }))
    },
  },
  'lists-complete': {
    'a page repeats a row': (history) => {
      history.walks[0]!.pages[1]!.unshift({ id: ids.canceled, status: 'canceled' })
    },
    'a page skips a row': (history) => {
      history.walks[0]!.pages[0]!.pop()
    },
    'the last row is skipped': (history) => {
      history.walks[0]!.pages[1]!.pop()
    },
    'a listed row does not exist': (history) => drop(history, ids.paid),
  },
  'webhooks-match-events': {
    'a webhook has an event that was rolled back': (history) => {
      history.final.events.splice(1, 1)
    },
    'a webhook has a different event': (history) => {
      history.webhooks[0]!.sequence = 3
    },
    'a webhook has an object that does not exist': (history) => drop(history, ids.payment),
    'a webhook has a status that never occurred': (history) => {
      rowOf(history, ids.payment).status = 'failed'
    },
    'a webhook has an id that its receiver does not know': (history) => {
      history.webhooks.push({ ...history.webhooks[0]!, webhook_id: 'evt_9' })
    },
    'a repeated webhook has another body': (history) => {
      history.webhooks.push({ ...history.webhooks[0]!, body_hash: 'another' })
    },
    'a webhook was repeated although nothing had failed': (history) => {
      const [webhook] = history.webhooks
      webhook!.at_ms = 10_000
      history.webhooks.push({ ...webhook!, at_ms: 11_000 })
    },
  },
  'requests-get-responses': {
    'a request got a 500': (history) => {
      Object.assign(history.attempts[0]!, { status: 500 })
    },
    'a 503 has no Retry-After': (history) => {
      history.attempts.find(({ status }) => status === 503)!.retry_after = null
    },
    'a request hung': (history) => {
      history.attempts[0]!.done_ms = 10_100
    },
    'a server that was stopped had to be killed': (history) => {
      history.faults[1]!.exit = { code: null, signal: 'SIGKILL', took_ms: 80 }
    },
    'a killed server did not recover': (history) => {
      history.faults[0]!.broken = 'florin start is not ready after a minute'
    },
    'a server exited by itself': (history) => {
      const at = { begun_ms: 5_000, healed_ms: 5_000 }
      const broken = 'the server exited by itself with 1'
      history.faults.push({ kind: 'fault', name: 'no fault', ...at, broken })
    },
    'a server took too long to stop': (history) => {
      history.faults[1]!.exit!.took_ms = 10_001
    },
  },
  'revoked-credentials-rejected': {
    'a revoked key was served': (history) => {
      Object.assign(history.attempts.at(-1)!, { result: 'ok', status: 200 })
    },
    'a revoked key got 404 instead of 401': (history) => {
      history.attempts.at(-1)!.status = 404
    },
  },
}

test('there are seventeen checks, and each has bad histories', () => {
  assert.equal(Object.keys(checks).length, 17)
  assert.deepEqual(Object.keys(bad), Object.keys(checks))
})

for (const [name, check] of Object.entries(checks) as [CheckName, (typeof checks)[CheckName]][]) {
  test(`${name} finds nothing in a good history`, () => {
    assert.deepEqual(check(smallHistory()), [])
  })
  for (const [what, corrupt] of Object.entries(bad[name])) {
    test(`${name} detects: ${what}`, () => {
      const history = smallHistory()
      corrupt(history)
      assert.notDeepEqual(check(history), [])
    })
  }
}

test('the time in which a process was paused does not count as response time', () => {
  const history = smallHistory()
  history.attempts[0]!.done_ms = 10_100
  history.faults.push({ kind: 'fault', name: 'pause-server', begun_ms: 50, healed_ms: 9_000 })
  assert.deepEqual(checks['requests-get-responses'](history), [])
})

test('a webhook that was received shortly before a fault or during it may be repeated', () => {
  for (const at_ms of [61_000, 65_100]) {
    const history = smallHistory()
    const [webhook] = history.webhooks
    history.webhooks = [
      { ...webhook!, at_ms },
      { ...webhook!, at_ms: 130_000 },
    ]
    const fault = { name: 'lose-primary', begun_ms: 65_000, healed_ms: 65_200 } as const
    history.faults.push({ kind: 'fault', ...fault })
    assert.deepEqual(checks['webhooks-match-events'](history), [])
  }
})

test('a refund rejected before the money was acknowledged may have been processed first', () => {
  const history = smallHistory()
  Object.assign(byTag(history, 'w4')[0]!, { sent_ms: 32, done_ms: 34 })
  byTag(history, 'w4')[0]!.input = { type: 'refund', amount: 1 }
  assert.deepEqual(checks['refusals-justified'](history), [])
})

test('a history is the same after writing it to a file and reading it', () => {
  const written = smallHistory()
  const { final, provider: _, ...lists } = written
  const records: HistoryRecord[] = [...Object.values(lists).flat(), final]
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  assert.deepEqual(parseHistory(text), written)
  addRecord(written, records[0]!)
  assert.equal(written.attempts.length, smallHistory().attempts.length + 1)
})

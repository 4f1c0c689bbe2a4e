// Tests the checks of runs with a payment provider: each finds the violations in its bad histories,
// and none in a good history.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProviderCheckName, provider_checks } from '../checks/all-checks.ts'
import type { History } from '../history.ts'
import { attempt } from '../small-history.ts'
import { smallProviderHistory } from './small-provider-history.ts'

type Corrupt = (history: History) => void

const transaction = ({ final }: History, id: string) =>
  final.transactions.find((row) => row.id === id)!
const recorded = ({ final }: History) => final.recorded
const provider = (history: History) => history.provider!

const bad: Record<ProviderCheckName, Record<string, Corrupt>> = {
  'one-transaction-for-each-charge': {
    'a charge has no transaction': (history) => void recorded(history).charges.pop(),
    'a charge has two transactions': (history) => {
      recorded(history).charges.push({ ...recorded(history).charges[0]!, transaction: 'txn_8' })
    },
    'a transaction has a charge that was never paid': (history) => {
      provider(history).charges.pop()
    },
    'a transaction has two charges': (history) => {
      recorded(history).charges[1]!.transaction = 'txn_1'
    },
    'a request was paid without a charge': (history) => {
      transaction(history, 'txn_8').metadata = { payment_request: 'pay_3' }
    },
    'a charge has another amount than its transaction': (history) => {
      transaction(history, 'txn_1').amount = 99
    },
    'a charge was booked to another account': (history) => {
      recorded(history).charges[0]!.account = 'acct_2'
    },
    'a charge paid another request': (history) => {
      transaction(history, 'txn_1').metadata.payment_request = 'pay_2'
    },
    'a charge belongs to no checkout': (history) => void recorded(history).checkouts.shift(),
    'the transaction of a charge has failed': (history) => {
      transaction(history, 'txn_1').status = 'failed'
    },
  },
  'refunds-match-provider': {
    'a refund was paid twice': ({ provider }) => {
      provider!.refunds.push({ ...provider!.refunds[0]!, id: 're_9' })
    },
    'a refund in the dashboard was not booked': (history) => {
      recorded(history).refunds.splice(1, 1)
    },
    'a succeeded refund was never paid': ({ provider }) => void provider!.refunds.splice(2, 1),
    'a failed refund was paid': (history) => {
      transaction(history, 'txn_2').status = 'failed'
    },
    'a refund has another amount at the provider': ({ provider }) => {
      provider!.refunds[0]!.amount = 21
    },
    'a refund is still pending': (history) => {
      transaction(history, 'txn_9').status = 'pending'
    },
    'a refund that failed late has no credit': (history) => {
      recorded(history).refunds[3]!.credit = null
    },
    'a refund that did not fail has a credit': (history) => {
      recorded(history).refunds[0]!.credit = 'txn_7'
    },
    'a refund of a charge was not sent to the provider': (history) => {
      recorded(history).refunds.pop()
    },
  },
  'provider-total-equals-ledger': {
    'a fee was posted twice': (history) => {
      history.final.balances[0]!.available -= 5
    },
    'the provider refunded more': ({ provider }) => {
      provider!.refunds[1]!.amount += 1
    },
    'a won dispute was not reinstated': ({ provider }) => {
      provider!.disputes[0]!.status = 'won'
    },
    'a charge is missing in the ledger': ({ provider }) => {
      const more = { id: 'ch_3', session: 'cs_3', checkout: 'chk_1', amount: 60, fee: 4 }
      provider!.charges.push(more)
    },
    'a debt is not in the ledger': (history) => {
      history.final.balances[0]!.owed = 3
    },
  },
  'late-money-follows-policy': {
    'late money was not refunded': ({ provider }) => {
      provider!.refunds[2]!.amount = 30
    },
    'late money was refunded although it is kept': ({ provider }) => {
      provider!.late_payments = 'keep'
    },
    'late money is not marked': (history) => {
      delete transaction(history, 'txn_4').metadata.late_payment
    },
    'money in time is marked as late': (history) => {
      transaction(history, 'txn_1').metadata.late_payment = true
    },
    'money for a pending request is late': (history) => {
      history.final.payments[1]!.status = 'pending'
    },
  },
  'provider-state-recorded': {
    'a fee is missing': (history) => {
      recorded(history).charges[0]!.fee = null
    },
    'a dispute is missing': (history) => {
      recorded(history).disputes = []
    },
    'a dispute has an old status': (history) => {
      recorded(history).disputes[0]!.status = 'needs_response'
    },
    'a dispute was never opened': ({ provider }) => {
      provider!.disputes = []
    },
    'a checkout is open, but has ended at the provider': (history) => {
      recorded(history).checkouts[1]!.state = 'open'
    },
    'a session was created without a stored checkout': (history) => {
      recorded(history).checkouts.pop()
    },
    'a checkout has two sessions': (history) => {
      provider(history).sessions[1]!.checkout = 'chk_1'
    },
    'a message was not processed': (history) => {
      recorded(history).inbox[0]!.state = 'due'
    },
    'a message matches no checkout': (history) => {
      recorded(history).inbox[0]!.state = 'unmatched'
    },
  },
  'provider-failures-contained': {
    'the API returned 503 while only the provider was down': (history) => {
      const at = { begun_ms: 0, healed_ms: 90 }
      history.faults.push({ kind: 'fault', name: 'provider-down', ...at })
      Object.assign(history.attempts[0]!, { status: 503, result: 'info' })
    },
    'the payment page returned 500': (history) => {
      history.visits[0]!.status = 500
    },
    'a forged message was accepted': (history) => {
      history.notices[1]!.status = 200
    },
    'a genuine message was rejected': (history) => {
      history.notices[0]!.status = 400
    },
  },
}

test('each check of the provider has bad histories', () => {
  assert.deepEqual(Object.keys(bad), Object.keys(provider_checks))
})

type Entry = [ProviderCheckName, (typeof provider_checks)[ProviderCheckName]]
for (const [name, check] of Object.entries(provider_checks) as Entry[]) {
  test(`${name} finds nothing in a good history, or without a provider`, () => {
    assert.deepEqual(check(smallProviderHistory()), [])
    assert.deepEqual(check({ ...smallProviderHistory(), provider: undefined }), [])
  })
  for (const [what, corrupt] of Object.entries(bad[name])) {
    test(`${name} detects: ${what}`, () => {
      const history = smallProviderHistory()
      corrupt(history)
      assert.notDeepEqual(check(history), [])
    })
  }
}

const good: Record<string, [ProviderCheckName, Corrupt]> = {
  'an admin may settle a request that has no charge': [
    'one-transaction-for-each-charge',
    (history) => {
      transaction(history, 'txn_8').metadata = { payment_request: 'pay_3' }
      const input = { outcome: 'succeeded' } as const
      const settled = { operation: 'settle_request', target: 'pay_3', input } as const
      history.attempts.push(attempt({ ...settled, tag: 'w9', sent_ms: 50 }))
    },
  ],
  'a refund whose key returns 500 may be pending': [
    'refunds-match-provider',
    (history) => {
      transaction(history, 'txn_9').status = 'pending'
      provider(history).frozen_keys.push('txn_9')
    },
  ],
  'late money with a dispute need not be refunded': [
    'late-money-follows-policy',
    (history) => {
      provider(history).refunds[2]!.amount = 30
      const dispute = { id: 'dp_2', charge: 'ch_2', amount: 50, status: 'needs_response' }
      provider(history).disputes.push(dispute)
    },
  ],
  'a part that the dashboard refunded first is left to a person': [
    'late-money-follows-policy',
    (history) => {
      transaction(history, 'txn_5').status = 'failed'
      Object.assign(provider(history).refunds[2]!, { amount: 30, transaction: null })
    },
  ],
  'a dashboard may refund late money that is kept': [
    'late-money-follows-policy',
    (history) => {
      provider(history).late_payments = 'keep'
      provider(history).refunds[2]!.transaction = null
    },
  ],
  'a 503 may follow a killed server': [
    'provider-failures-contained',
    (history) => {
      const at = { begun_ms: 0, healed_ms: 90 }
      history.faults.push({ kind: 'fault', name: 'kill-server', ...at })
      Object.assign(history.attempts[0]!, { status: 503, result: 'info' })
    },
  ],
}

for (const [what, [name, change]] of Object.entries(good)) {
  test(what, () => {
    const history = smallProviderHistory()
    change(history)
    assert.deepEqual(provider_checks[name](history), [])
  })
}

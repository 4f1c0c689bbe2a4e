// The checks: seventeen of every run, and six of runs with a payment provider. Each is a pure
// function from a history to descriptions of its violations.

import type { History } from '../history.ts'
import { acknowledgedWritesPresent } from './acknowledged-writes-present.ts'
import { lateMoneyFollowsPolicy } from './late-money-follows-policy.ts'
import { ledgerBalancesInEverySnapshot } from './ledger-balances-in-every-snapshot.ts'
import { listsComplete } from './lists-complete.ts'
import { oneEffectForEachWrite } from './one-effect-for-each-write.ts'
import { oneEventForEachChange } from './one-event-for-each-change.ts'
import { oneTransactionForEachCharge } from './one-transaction-for-each-charge.ts'
import { pendingEndsOnce } from './pending-ends-once.ts'
import { postingsReplayed } from './postings-replayed.ts'
import { providerFailuresContained } from './provider-failures-contained.ts'
import { providerStateRecorded } from './provider-state-recorded.ts'
import { providerTotalEqualsLedger } from './provider-total-equals-ledger.ts'
import { readYourWrites } from './read-your-writes.ts'
import { refundsMatchProvider } from './refunds-match-provider.ts'
import { refundsWithinPayment } from './refunds-within-payment.ts'
import { refusalsJustified } from './refusals-justified.ts'
import { replayedResponsesIdentical } from './replayed-responses-identical.ts'
import { requestsGetResponses } from './requests-get-responses.ts'
import { revokedCredentialsRejected } from './revoked-credentials-rejected.ts'
import { sequencesOrdered } from './sequences-ordered.ts'
import { statusNeverReverts } from './status-never-reverts.ts'
import { transfersArriveOnce } from './transfers-arrive-once.ts'
import { webhooksMatchEvents } from './webhooks-match-events.ts'

type Check = (history: History) => string[]

export const checks = {
  'acknowledged-writes-present': acknowledgedWritesPresent,
  'one-effect-for-each-write': oneEffectForEachWrite,
  'replayed-responses-identical': replayedResponsesIdentical,
  'ledger-balances-in-every-snapshot': ledgerBalancesInEverySnapshot,
  'postings-replayed': postingsReplayed,
  'refusals-justified': refusalsJustified,
  'pending-ends-once': pendingEndsOnce,
  'refunds-within-payment': refundsWithinPayment,
  'transfers-arrive-once': transfersArriveOnce,
  'sequences-ordered': sequencesOrdered,
  'one-event-for-each-change': oneEventForEachChange,
  'status-never-reverts': statusNeverReverts,
  'read-your-writes': readYourWrites,
  'lists-complete': listsComplete,
  'webhooks-match-events': webhooksMatchEvents,
  'requests-get-responses': requestsGetResponses,
  'revoked-credentials-rejected': revokedCredentialsRejected,
} satisfies Record<string, Check>

/** They find nothing in a history without a provider. */
export const provider_checks = {
  'one-transaction-for-each-charge': oneTransactionForEachCharge,
  'refunds-match-provider': refundsMatchProvider,
  'provider-total-equals-ledger': providerTotalEqualsLedger,
  'late-money-follows-policy': lateMoneyFollowsPolicy,
  'provider-state-recorded': providerStateRecorded,
  'provider-failures-contained': providerFailuresContained,
} satisfies Record<string, Check>

export type CheckName = keyof typeof checks
export type ProviderCheckName = keyof typeof provider_checks

export interface Violation {
  check: CheckName | ProviderCheckName
  what: string
}

export function checkHistory(history: History): Violation[] {
  const all: Record<string, Check> = { ...checks, ...provider_checks }
  return Object.entries(all).flatMap(([check, find]) =>
    find(history).map((what) => ({ check: check as Violation['check'], what })),
  )
}

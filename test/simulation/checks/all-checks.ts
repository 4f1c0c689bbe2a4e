// The sixteen checks. Each is a pure function from a history to descriptions of its violations.

import type { History } from '../history.ts'
import { acknowledgedWritesPresent } from './acknowledged-writes-present.ts'
import { ledgerBalancesInEverySnapshot } from './ledger-balances-in-every-snapshot.ts'
import { listsComplete } from './lists-complete.ts'
import { oneEffectForEachWrite } from './one-effect-for-each-write.ts'
import { oneEventForEachChange } from './one-event-for-each-change.ts'
import { pendingEndsOnce } from './pending-ends-once.ts'
import { postingsReplayed } from './postings-replayed.ts'
import { readYourWrites } from './read-your-writes.ts'
import { refundsWithinPayment } from './refunds-within-payment.ts'
import { refusalsJustified } from './refusals-justified.ts'
import { replayedResponsesIdentical } from './replayed-responses-identical.ts'
import { requestsGetResponses } from './requests-get-responses.ts'
import { revokedCredentialsRejected } from './revoked-credentials-rejected.ts'
import { sequencesOrdered } from './sequences-ordered.ts'
import { statusNeverReverts } from './status-never-reverts.ts'
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
  'sequences-ordered': sequencesOrdered,
  'one-event-for-each-change': oneEventForEachChange,
  'status-never-reverts': statusNeverReverts,
  'read-your-writes': readYourWrites,
  'lists-complete': listsComplete,
  'webhooks-match-events': webhooksMatchEvents,
  'requests-get-responses': requestsGetResponses,
  'revoked-credentials-rejected': revokedCredentialsRejected,
} satisfies Record<string, Check>

export type CheckName = keyof typeof checks

export interface Violation {
  check: CheckName
  what: string
}

export function checkHistory(history: History): Violation[] {
  return (Object.keys(checks) as CheckName[]).flatMap((check) =>
    checks[check](history).map((what) => ({ check, what })),
  )
}

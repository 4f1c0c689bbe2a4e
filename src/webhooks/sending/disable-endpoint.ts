// An endpoint that Florin gives up: its receiver said that it is gone, or took nothing for days.
// Its owner is told by mail, in the same step.

import { queueEmails } from '../../email/queue-emails.ts'
import { findAccountLock } from '../../ledger/account-lock.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import { cancelDeliveries, disableEndpointRow, lockEndpoint } from '../queries.ts'

/** Who reads the account's mail, and how. Accounts stand above this room, so it is handed in. */
export interface Recipient {
  to: string
  account_name: string
  language: string
  timezone: string
}

/** Undefined for an account that is closed: nobody is there to read. */
export type FindRecipient = (db: Queryable, account_id: string) => Promise<Recipient | undefined>

type Reason = 'gone' | 'failing'

export interface EndpointToDisable extends EndpointName {
  reason: Reason
  /** Which of its URLs is given up: it may have been changed since. */
  url: string
}

const words: Record<Reason, string> = {
  gone: 'The receiver answered 410, and the endpoint was disabled.',
  failing: 'Nothing was accepted for days, and the endpoint was disabled.',
}

export async function disableEndpoint(
  db: Db,
  { reason, url, ...name }: EndpointToDisable,
  findRecipient: FindRecipient,
): Promise<void> {
  await db.transaction(async (tx) => {
    await findAccountLock(tx, name.account_id)
    const endpoint = await lockEndpoint(tx, name)
    if (endpoint?.status !== 'enabled' || endpoint.url !== url) return
    // Something was accepted between the look and the lock.
    if (reason === 'failing' && endpoint.failing_since === null) return
    const at = new Date()
    await disableEndpointRow(tx, name, { reason, at })
    await cancelDeliveries(tx, name, words[reason])
    const recipient = await findRecipient(tx, name.account_id)
    if (recipient !== undefined) queueEmails(tx, [emailTo(recipient, endpoint, reason, at)])
  })
}

function emailTo(recipient: Recipient, endpoint: EndpointRow, reason: Reason, at: Date) {
  const { to, account_name, language, timezone } = recipient
  const id = toTypeId('webhook_endpoint', endpoint.id)
  return {
    cause: `webhook_disabled ${id} ${toIso(at)}`,
    account_id: endpoint.account_id,
    to,
    language,
    timezone,
    kind: 'webhook_disabled' as const,
    facts: { account_name, endpoint_url: endpoint.url, endpoint_id: id, reason },
  }
}

// Disables an endpoint that returned 410 or has failed for days, and emails its owner in the same
// transaction.

import { queueEmails } from '../../email/outbox.ts'
import { lockAccountIfExists } from '../../ledger/account-lock.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import type { EndpointName, EndpointRow } from '../endpoint.ts'
import { cancelDeliveries, disableEndpointRow, lockEndpoint } from '../queries.ts'

/** The account's email recipient. Injected, because webhooks must not import accounts. */
export interface Recipient {
  to: string
  account_name: string
  language: string
  timezone: string
}

/** Undefined for a closed account. */
export type FindRecipient = (db: Queryable, account_id: string) => Promise<Recipient | undefined>

type Reason = 'gone' | 'failing'

export interface EndpointToDisable extends EndpointName {
  reason: Reason
  /** The URL that failed. If it has changed since, the endpoint is not disabled. */
  url: string
}

const cancelReasons: Record<Reason, string> = {
  gone: 'The endpoint returned 410 and was disabled.',
  failing: 'The endpoint failed for days and was disabled.',
}

export async function disableEndpoint(
  db: Db,
  { reason, url, ...name }: EndpointToDisable,
  findRecipient: FindRecipient,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccountIfExists(tx, name.account_id)
    const endpoint = await lockEndpoint(tx, name)
    if (endpoint?.status !== 'enabled' || endpoint.url !== url) return
    // A delivery succeeded before the lock was acquired.
    if (reason === 'failing' && endpoint.failing_since === null) return
    const at = new Date()
    await disableEndpointRow(tx, name, { reason, at })
    await cancelDeliveries(tx, name, cancelReasons[reason])
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

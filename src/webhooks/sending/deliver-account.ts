// Records what receivers would have returned for the due deliveries of one account, without
// sending anything. For demo data, whose receivers do not exist; a worker uses the dispatcher.

import { newLease } from '../../outbox/lease.ts'
import type { Db } from '../../postgres/database.ts'
import type { EndpointRow } from '../endpoint.ts'
import { selectEndpointPage } from '../queries.ts'
import { attemptOf } from './attempt-delivery.ts'
import { fanOut } from './fan-out.ts'
import { type ClaimedDelivery, claimDue } from './queries.ts'
import { recordAttempts } from './record-attempts.ts'

/** The response of a receiver in the demo. */
interface DemoResponse {
  status: number
  body: string
  duration_ms: number
}

const all = { before: null, after: null, limit: 100 }
const deliveries_max = 1_000
const lease_ms = 60_000

export async function deliverAccount(
  db: Db,
  account_id: string,
  respond: (url: string) => DemoResponse,
): Promise<void> {
  const endpoints = await selectEndpointPage(db, account_id, undefined, all)
  while ((await fanOut(db, endpoints)).more);
  const lease = newLease(lease_ms)
  const capacities = endpoints.map(({ id }) => ({ id, capacity: deliveries_max }))
  const account = { account_id, capacity: deliveries_max, endpoints: capacities }
  const claimed = await claimDue(db, lease, [account], deliveries_max)
  const attempts = claimed.map((delivery) => {
    const endpoint = endpoints.find(({ id }) => id === delivery.endpoint_id)!
    return demoAttempt(endpoint, delivery, lease.id, respond(endpoint.url))
  })
  if (attempts.length > 0) await recordAttempts(db, attempts)
}

function demoAttempt(
  endpoint: EndpointRow,
  delivery: ClaimedDelivery,
  lease_id: string,
  { status, body, duration_ms }: DemoResponse,
) {
  const facts = { attempted_at: new Date(), duration_ms, response_body: Buffer.from(body) }
  return attemptOf(endpoint, { delivery, body: '', lease_id }, { status }, facts)
}

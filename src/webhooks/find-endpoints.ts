// Reads the webhook endpoints of an account.

import type { Queryable } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { toTypeId } from '../primitives/ids.ts'
import { readEndpointId } from './change-endpoints.ts'
import { type Endpoint, type EndpointHealth, presentEndpoint, unknownEndpoint } from './endpoint.ts'
import { selectEndpoint, selectEndpointPage } from './queries.ts'

export { findEndpointOwner } from './queries.ts'

/** Newest first. Ids are assigned in ascending order under the account lock. */
export async function listEndpoints(
  db: Queryable,
  account_id: string,
  { health, ...query }: CursorQuery & { health?: EndpointHealth },
): Promise<CursorPage<Endpoint>> {
  const page = await pageByCursor(query, 'webhook_endpoint', {
    exists: async (id) => (await selectEndpoint(db, { account_id, id })) !== undefined,
    select: (range) => selectEndpointPage(db, account_id, health, range),
  })
  return { ...page, data: page.data.map(presentEndpoint) }
}

// An account has at most 20.
const all = { before: null, after: null, limit: 100 }

/** The ids of the endpoints in this health state, newest first. */
export async function findEndpointIds(
  db: Queryable,
  account_id: string,
  health: EndpointHealth,
): Promise<string[]> {
  const rows = await selectEndpointPage(db, account_id, health, all)
  return rows.map(({ id }) => toTypeId('webhook_endpoint', id))
}

export async function getEndpoint(
  db: Queryable,
  account_id: string,
  endpoint_id: string,
): Promise<Endpoint> {
  const row = await selectEndpoint(db, { account_id, id: readEndpointId(endpoint_id) })
  if (row === undefined) throw unknownEndpoint()
  return presentEndpoint(row)
}

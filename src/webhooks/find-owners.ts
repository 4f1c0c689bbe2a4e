// Finds the account of an endpoint or delivery by id alone. Undefined if there is none.

import type { Queryable } from '../postgres/database.ts'
import { selectDeliveryOwner, selectEndpointOwner } from './queries.ts'

export function findEndpointOwner(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return selectEndpointOwner(db, id)
}

export function findDeliveryOwner(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return selectDeliveryOwner(db, id)
}

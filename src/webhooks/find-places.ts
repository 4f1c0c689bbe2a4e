// Whose endpoint or delivery it is, for those who only have its id; undefined when there is none.

import type { Queryable } from '../postgres/database.ts'
import { selectDeliveryPlace, selectEndpointPlace } from './queries.ts'

export function findEndpointPlace(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return selectEndpointPlace(db, id)
}

export function findDeliveryPlace(
  db: Queryable,
  id: string,
): Promise<{ account_id: string } | undefined> {
  return selectDeliveryPlace(db, id)
}

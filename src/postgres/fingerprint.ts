// One number for a whole set of movements, whatever their order: two rooms can tell that they agree
// about millions of rows without sending any of them. PostgreSQL's own hash is fast and good
// against accidents; it is no proof against someone who forges both sides.

import { type Sql, sql } from './sql.ts'

export function fingerprint(transaction_id: Sql, movement: Sql, amount: Sql): Sql {
  return sql`uuid_hash_extended(${transaction_id}, hashtextextended(${movement}, ${amount}))`
}

/** The 48 bits of time in a UUIDv7: 0.7 µs. Its own function came only with PostgreSQL 17. */
export function timeOfId(id: Sql): Sql {
  return sql`to_timestamp(
        ('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000::float8)`
}

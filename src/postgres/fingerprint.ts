// An order-independent fingerprint of a set of movements. Two folders can check that they agree on
// millions of rows without reading them. PostgreSQL's built-in hash is fast and detects accidental
// differences; it does not detect deliberate forgery of both sides.

import { type Sql, sql } from './sql.ts'

export function fingerprint(transaction_id: Sql, movement: Sql, amount: Sql): Sql {
  return sql`uuid_hash_extended(${transaction_id}, hashtextextended(${movement}, ${amount}))`
}

/** The 48 bits of time in a UUIDv7: 0.7 µs. uuid_extract_timestamp needs PostgreSQL 17. */
export function timeOfId(id: Sql): Sql {
  return sql`to_timestamp(
        ('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000::float8)`
}

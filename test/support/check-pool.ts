// The connection on which a test process checks its database: hashes and invariants. The statements
// are large: planning takes 50 to 100 ms for each connection, so they do not use the pool of the
// server.

import pg from 'pg'
import type { Connection } from '../../src/postgres/database.ts'

// The tables are empty when the statements are planned, and plans for empty tables are slow later:
// with nested loops the rules took 219 ms with 600 transactions, with these settings 16 ms.
// PostgreSQL 15 finds no hash join for some of the rules, and then scans whole tables in a loop.
const planner_text = `
  select set_config('enable_' || name, 'off', false)
  from unnest(array['nestloop', 'mergejoin', 'indexscan', 'indexonlyscan', 'bitmapscan', 'memoize'])
    as name
  where current_setting('server_version_num')::int >= 180000`

const options = '-c max_parallel_workers_per_gather=0 -c timezone=UTC'

const check_pools = new WeakMap<pg.Pool, pg.Pool>()

/** Opens it for the database of a pool. Close it before the database is dropped. */
export function openCheckPool(pool: pg.Pool, connection: Connection): pg.Pool {
  const check_pool = new pg.Pool({
    ...connection,
    max: 1,
    idleTimeoutMillis: 0,
    application_name: 'florin-checks',
    options,
  })
  check_pool.on('connect', (client) => void client.query(planner_text).catch(() => {}))
  // A test may end the connection.
  check_pool.on('error', () => {})
  check_pools.set(pool, check_pool)
  return check_pool
}

/** Returns the pool for checks of a database; the pool itself if none was opened. */
export function checkPoolOf(pool: pg.Pool): pg.Pool {
  return check_pools.get(pool) ?? pool
}

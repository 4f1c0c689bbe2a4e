// How Citus ran the statements of a server: in one shard or in several, with how many two-phase
// commits.

import { ask } from './ask.ts'
import type { ClusterDatabase } from './citus.ts'
import { type SecondServer, serveOn } from './florin.ts'

interface Counters {
  single: number
  multi: number
  prepared: number
}

/** Sessions report to these when they end, so every pool must be closed. */
async function readCounters({ connection, name }: ClusterDatabase): Promise<Counters> {
  const found = await ask(
    connection,
    `select query_execution_single_shard::int as single, query_execution_multi_shard::int as multi,
       (select n_tup_ins::int from pg_stat_all_tables where relname = 'pg_dist_transaction')
         as prepared
     from citus_stat_counters((select oid from pg_database where datname = '${name}'))`,
  )
  return found.rows[0]
}

/** Starts counting, for sessions that are opened afterwards. */
export async function countShards({ connection, name }: ClusterDatabase): Promise<void> {
  await ask(connection, `alter database ${name} set citus.enable_stat_counters = on`)
}

/** Runs `work` on a server that is closed afterwards, and returns what it cost. */
export async function measure(
  on: ClusterDatabase,
  work: (florin: SecondServer) => Promise<void>,
): Promise<Counters> {
  const before = await readCounters(on)
  const florin = await serveOn(on.connection)
  await work(florin).finally(() => florin.close())
  const { single, multi, prepared } = await readCounters(on)
  return {
    single: single - before.single,
    multi: multi - before.multi,
    prepared: prepared - before.prepared,
  }
}

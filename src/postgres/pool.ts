// A connection pool that applies Florin's session settings to each connection.

import pg from 'pg'
import {
  type Connection,
  fact_columns,
  hostsOf,
  is_citus_text,
  mayTryNext,
  requireCustomPlans,
  requireWritable,
  type ServerFacts,
} from './connect.ts'
import { isPoolFull, limited, processOf } from './driver/client.ts'
import { resultTypes } from './driver/result-types.ts'
import { requirePreparedStatements } from './pooler.ts'
import type { Shards } from './shards.ts'
import { Sql } from './sql.ts'

export interface SessionOptions {
  /** For commands, which no HTTP request waits for: statements have no timeout. */
  no_timeouts?: boolean
  /**
   * Commits do not wait for the disk, so they do not delay commits of money changes. Only for work
   * that may be repeated after a machine crash: never for money or user data.
   */
  async_commit?: boolean
  /** May connect to a standby, because the session never writes. */
  reads_only?: boolean
}

const lock_timeout_ms = 3_000
const statement_timeout_ms = 5_000

// Set after connecting, because poolers reject or drop startup parameters. `is_local` limits a
// setting to its transaction: behind a pooler no setting may stay in the server process.
//
// PostgreSQL's default random_page_cost of 4 is for spinning disks: with it, batches scanned whole
// partitions instead of an index. The embedded server is configured with 1.1; others get it here.
//
// force_generic_plan plans a statement once per connection. With `auto`, PostgreSQL replans many
// statements every time, because a custom plan for one row looks cheaper than the generic one.
// Citus needs custom plans: only the values show in which shard the rows are.
//
// An async_commit session still waits for a synchronous standby, if there is one: what it has
// passed on must survive a failover.
const session_text = `
  select ${fact_columns}, is_citus,
    set_config('lock_timeout', $2, is_local),
    set_config('statement_timeout', $3, is_local),
    set_config('idle_in_transaction_session_timeout', $3, is_local),
    set_config('random_page_cost', '1.1', is_local),
    set_config('plan_cache_mode',
      case when is_citus then 'auto' else 'force_generic_plan' end, is_local),
    set_config('timezone', 'UTC', is_local),
    set_config('synchronous_commit',
      case when $4::bool and current_setting('synchronous_standby_names') = '' then 'off'
        else current_setting('synchronous_commit') end, is_local)
  from (
    select pg_backend_pid() is distinct from $1::int as is_local,
      coalesce($5::bool, ${is_citus_text}) as is_citus) as session`

function sessionValues(
  { no_timeouts, async_commit = false }: SessionOptions,
  process_id: number | null,
  is_citus: boolean | null,
) {
  const statement_ms = no_timeouts ? 0 : statement_timeout_ms
  return [process_id, String(lock_timeout_ms), String(statement_ms), async_commit, is_citus]
}

const packet_settings = new WeakMap<object, Sql>()

/** The settings to send before each packet of statements; undefined without a pooler. */
export function settingsFor(client: pg.PoolClient): Sql | undefined {
  return packet_settings.get(client)
}

interface PoolerCheck {
  passed?: true
}

/** Shared by all pools of one database. */
interface DatabaseState {
  check: PoolerCheck
  shards: Shards
}

export function openPool(
  connection: Connection,
  options: SessionOptions,
  max: number,
  { check, shards }: DatabaseState,
): pg.Pool {
  const within = (limit_ms: number) => (options.no_timeouts ? 0 : limit_ms)
  const hosts = new Hosts(connection)
  const pool = new HostPool(hosts, {
    max,
    types: resultTypes,
    application_name: 'florin',
    keepAlive: true,
    // A request waits at most this long for a client, then gets 503: responses are due within 10 s.
    connectionTimeoutMillis: 3_000,
    // If the network drops packets, the server's timeout error never reaches the client.
    query_timeout: within(6_000),
    pipeline: true,
    onConnect: async (client) => {
      const { is_citus } = await openSession(client as pg.Client, hosts, options, check)
      if (is_citus)
        await shards.loadOnce((statement) =>
          client.query(limited({ text: statement.text, values: statement.values }, 3_000)),
        )
    },
  })
  // An idle client that loses its connection emits an error; the pool replaces the client.
  pool.on('error', () => {})
  // A client has no error listener while it is handed over. A server that accepts and closes a
  // connection at once, as during shutdown, would crash this process with an unhandled error.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The hosts of a connection. New connections go to the last one that worked. */
class Hosts {
  readonly all: Connection[]
  readonly target: Connection['target']
  at = 0

  constructor(connection: Connection) {
    this.all = hostsOf(connection)
    this.target = connection.target
  }

  get current(): Connection {
    const connection = this.all[this.at]!
    const host = connection.findHost?.()
    return host === undefined ? connection : { ...connection, host }
  }

  /** Several connections may fail at once: only the first failure moves to the next host. */
  failed(at: number): void {
    if (at === this.at) this.at = (at + 1) % this.all.length
  }
}

/** A pool over several hosts: a failed connection is retried on each of the others. */
class HostPool extends pg.Pool {
  readonly #hosts: Hosts

  constructor(hosts: Hosts, config: pg.PoolConfig) {
    class HostClient extends pg.Client {
      constructor(given: pg.ClientConfig) {
        super({ ...given, ...hosts.current })
      }
    }
    super({ ...config, Client: HostClient as never })
    this.#hosts = hosts
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: PoolCallback): void
  override connect(callback?: PoolCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connectSomewhere()
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  async #connectSomewhere(): Promise<pg.PoolClient> {
    for (let hosts_left = this.#hosts.all.length; ; hosts_left--) {
      const { at } = this.#hosts
      try {
        return await super.connect()
      } catch (error) {
        if (isPoolFull(error) || !mayTryNext(error, this.#hosts.target)) throw error
        this.#hosts.failed(at)
        if (hosts_left === 1) throw error
      }
    }
  }
}

type PoolCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

async function openSession(
  client: pg.Client,
  hosts: Hosts,
  options: SessionOptions,
  check: PoolerCheck,
): Promise<ServerFacts> {
  const values = sessionValues(options, processOf(client), null)
  const result = await client.query(limited({ text: session_text, values }, 3_000))
  const facts = result.rows[0] as ServerFacts
  if (!options.reads_only) requireWritable(facts)
  requireCustomPlans(facts)
  if (!facts.is_pooled) return facts
  await checkPooler(client, hosts.current, check)
  // No process has the id 0, so every setting is local to its transaction.
  const settings = sessionValues(options, 0, facts.is_citus)
  packet_settings.set(client, new Sql(session_text, settings, 'florin_session'))
  return facts
}

async function checkPooler(client: pg.Client, host: Connection, check: PoolerCheck): Promise<void> {
  if (check.passed) return
  const other = new pg.Client({ ...host, connectionTimeoutMillis: 3_000 })
  other.on('error', () => {})
  try {
    await other.connect()
    await requirePreparedStatements(client, other)
    check.passed = true
  } finally {
    await other.end().catch(() => {})
  }
}

// Connections to the database. Hosts are tried in order. A server that Florin cannot work with is
// rejected with an explanation before anything else is sent to it.

import pg from 'pg'
import { Refusal } from '../primitives/refusal.ts'
import { parseDatabaseUrl, type SessionTarget } from '../server-urls.ts'
import { processOf } from './driver/client.ts'
import { sql } from './sql.ts'

export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  database?: string
  ssl?: false
  /** Where an embedded database listens now: each start of its owner chooses another socket. */
  findHost?: () => string | undefined
  /** The other hosts of DATABASE_URL, in order, each as a URL. */
  other_hosts?: string[]
  target?: SessionTarget
}

/** A URL that config.ts has accepted. */
export function connectionOf(database_url: string): Connection {
  const parsed = parseDatabaseUrl(database_url)
  if ('rule' in parsed) throw new Error(`the database URL ${parsed.rule}`)
  const [connectionString, ...other_hosts] = parsed.urls
  return { connectionString: connectionString!, other_hosts, target: parsed.target }
}

/** One connection for each host. */
export function hostsOf({ other_hosts = [], ...first }: Connection): Connection[] {
  const { target: _, ...bare } = first
  return [bare, ...other_hosts.map((connectionString) => ({ ...bare, connectionString }))]
}

/** The server responds, but Florin cannot work with it. */
class UnsuitableServer extends Refusal {
  constructor(message: string) {
    super('unavailable', message, { retry_after_s: 5 })
  }
}

const is_standby =
  'The database is a standby, which is read-only. Point DATABASE_URL at the primary, ' +
  'or list all hosts in it and add target_session_attrs=read-write.'

const is_read_only =
  'The database is read-only: default_transaction_read_only is on. Turn it off, ' +
  'or point DATABASE_URL at a server that accepts writes.'

// With a generic plan Citus cannot see in which shard a row is. It rejects most statements, and an
// UPDATE with now() in a CASE ends the server process with a segmentation fault.
const has_generic_plans =
  'The database has the Citus extension, and plan_cache_mode is force_generic_plan, which Citus ' +
  'does not support. Find where it is set with "select * from pg_db_role_setting", in ' +
  'postgresql.conf or in the pooler, and remove it.'

export interface ServerFacts {
  version: string
  /**
   * The statement ran in another server process than the one that accepted the connection: there is
   * a pooler in between, and every transaction may run in a different process.
   */
  is_pooled: boolean
  is_standby: boolean
  is_read_only: boolean
  /** The database has the Citus extension. */
  is_citus: boolean
  /** The default of the session, before Florin sets another. */
  plan_mode: string
}

/** The columns of a statement that takes the id of the session's process as $1. */
export const fact_columns = `
  current_setting('server_version') as version,
  pg_backend_pid() is distinct from $1::int as is_pooled,
  pg_is_in_recovery() as is_standby,
  current_setting('transaction_read_only')::bool as is_read_only,
  current_setting('plan_cache_mode') as plan_mode`

/** Whether the server runs plain PostgreSQL or Citus. */
export const is_citus_text = `exists (select from pg_extension where extname = 'citus')`

export type Writability = Pick<ServerFacts, 'is_standby' | 'is_read_only'>

export const readWritability = sql`
  select pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::bool as is_read_only`

export function requireWritable(facts: Writability): void {
  if (facts.is_standby) throw new UnsuitableServer(is_standby)
  if (facts.is_read_only) throw new UnsuitableServer(is_read_only)
}

export function requireCustomPlans(facts: ServerFacts): void {
  if (facts.is_citus && facts.plan_mode === 'force_generic_plan') {
    throw new UnsuitableServer(has_generic_plans)
  }
}

export interface ClientOptions {
  application_name?: string
  /** Accepts a standby: nothing is written. */
  reads_only?: boolean
}

interface ConnectedClient {
  client: pg.Client
  facts: ServerFacts
}

/** Opens one connection outside of all pools; the caller closes it. */
export async function connectClient(
  connection: Connection,
  options: ClientOptions = {},
): Promise<ConnectedClient> {
  return connectFirst(connection, options).catch(({ failures }: NoHost) => {
    throw failures.at(-1)!.error
  })
}

/** Like connectClient, but fails with the error of each host. */
export async function connectFirst(
  connection: Connection,
  options: ClientOptions = {},
): Promise<ConnectedClient> {
  const failures: { host: Connection; error: Error }[] = []
  for (const host of hostsOf(connection)) {
    try {
      return await connectHost(host, options)
    } catch (error) {
      failures.push({ host, error: error as Error })
      if (!mayTryNext(error, connection.target)) break
    }
  }
  throw new NoHost(failures)
}

/** `any` uses the first host that responds, standby or not, as libpq does. */
export function mayTryNext(error: unknown, target: SessionTarget = 'any'): boolean {
  return !(error instanceof UnsuitableServer) || target !== 'any'
}

export class NoHost extends Error {
  readonly failures: { host: Connection; error: Error }[]

  constructor(failures: { host: Connection; error: Error }[]) {
    const last = failures.at(-1)!.error
    super(last.message, { cause: last })
    this.failures = failures
  }
}

async function connectHost(host: Connection, options: ClientOptions): Promise<ConnectedClient> {
  const { application_name = 'florin' } = options
  const client = new pg.Client({ ...host, application_name, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const text = `select ${fact_columns}, ${is_citus_text} as is_citus`
    const result = await client.query(text, [processOf(client)])
    const facts = result.rows[0] as ServerFacts
    requireCustomPlans(facts)
    if (!options.reads_only) requireWritable(facts)
    return { client, facts }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

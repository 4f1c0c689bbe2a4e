// pgledger, a double-entry ledger in PL/pgSQL (https://github.com/pgr0ss/pgledger), called by its
// functions over node-postgres. Its SQL is not part of this repository.
//
// Run as a program, this file is the load generator: options arrive as JSON on stdin, the result
// goes to stdout. Each connection sends its next call when it has the result of the last one.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { type LoadResult, measure } from './load.ts'

export interface PgledgerLoadOptions {
  connection: object
  connections: number
  seconds: number
  /** Pairs of account ids, used in turn over all connections. */
  pairs: AccountPair[]
}

export type AccountPair = [from_account_id: string, to_account_id: string]

const schema = 'pgledger'

/**
 * Installs pgledger in a schema of Florin's database, so both use the same server and settings.
 * Creates pairs of accounts: in Florin, too, both ends of a posting belong to one account.
 */
export async function installPgledger(
  connection: object,
  sql_file: string,
  pairs: number,
): Promise<AccountPair[]> {
  const files = filesOf(sql_file)
  return withClient(connection, async (client) => {
    await client.query(`create schema ${schema}`)
    for (const file of files) await client.query(readFileSync(file, 'utf8'))
    const created = await client.query<{ payer: string; merchant: string }>(
      `select payer.id as payer, merchant.id as merchant from generate_series(1, $1::int) as n,
        pgledger_create_account('payer ' || n, 'USD') as payer,
        pgledger_create_account('merchant ' || n, 'USD') as merchant`,
      [pairs],
    )
    return created.rows.map(({ payer, merchant }): AccountPair => [payer, merchant])
  })
}

/** In a clone of its repository, the functions that pgledger.sql needs are in vendor/. */
function filesOf(sql_file: string): string[] {
  if (!existsSync(sql_file)) {
    throw new Error(`FLORIN_BENCH_PGLEDGER must name pgledger.sql; got "${sql_file}", not a file.`)
  }
  const folder = dirname(sql_file)
  const vendored = globSync('vendor/**/*.sql', { cwd: folder }).sort()
  return [...vendored.map((file) => join(folder, file)), sql_file]
}

/** Throws if a transfer is missing that was counted, or if the ledger does not balance. */
export function checkPgledger(connection: object, counted: number): Promise<void> {
  return withClient(connection, async (client) => {
    const found = await client.query<{ transfers: string; sum: string }>(
      `select (select count(*) from pgledger_transfers_view) as transfers,
        (select sum(balance) from pgledger_accounts_view) as sum`,
    )
    const { transfers, sum } = found.rows[0]!
    if (Number(transfers) >= counted && Number(sum) === 0) return
    throw new Error(`pgledger has ${transfers} transfers of ${counted}, with a sum of ${sum}`)
  })
}

async function withClient<Result>(
  connection: object,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(connection)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connect(connection: object): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, options: `-c search_path=${schema}` })
  await client.connect()
  return client
}

// Shared, so connections do not keep using the same pair at the same time.
let next = 0

// As much text as a transaction of the bench has.
const metadata = { reference: 'Invoice 2026-114', order: '114' }

class PgledgerConnection {
  readonly #client: pg.Client
  readonly #pairs: AccountPair[]
  readonly #latencies: number[]
  readonly ended: Promise<void>
  #stopped = false
  wrong = 0
  refused = 0

  constructor(client: pg.Client, pairs: AccountPair[], latencies: number[]) {
    this.#client = client
    this.#pairs = pairs
    this.#latencies = latencies
    this.ended = this.#run()
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const [from, to] = this.#pairs[next++ % this.#pairs.length]!
      const started = performance.now()
      const { rows } = await this.#client.query({
        name: 'transfer',
        text: 'select * from pgledger_create_transfer($1, $2, $3, metadata => $4)',
        values: [from, to, 75, metadata],
      })
      if (rows.length === 1) this.#latencies.push(performance.now() - started)
      else this.wrong += 1
    }
    await this.#client.end()
  }

  stop(): void {
    this.#stopped = true
  }
}

async function run(options: PgledgerLoadOptions): Promise<LoadResult> {
  const { connection, pairs, seconds } = options
  const several = { length: options.connections }
  const clients = await Promise.all(Array.from(several, () => connect(connection)))
  const latencies: number[] = []
  const connections = clients.map((client) => new PgledgerConnection(client, pairs, latencies))
  const result = await measure(connections, latencies, seconds)
  await Promise.all(connections.map(({ ended }) => ended))
  return result
}

if (import.meta.main) {
  const result = await run(JSON.parse(await text(process.stdin)))
  console.log(JSON.stringify(result))
}

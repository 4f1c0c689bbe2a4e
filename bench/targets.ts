// Where a bench runs: an embedded database in a temporary folder, or a new database on the server
// that DATABASE_URL names. Both are removed afterwards.

import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { joinPostgres } from '../src/embedded-postgres/open-postgres.ts'
import { type Db, openDatabase } from '../src/postgres/database.ts'
import { withFolder, withoutDatabase } from './processes.ts'

export interface BenchTarget {
  env: Record<string, string>
  data_path: string
  database_url: string | undefined
}

export type WithTarget = <Result>(work: (target: BenchTarget) => Promise<Result>) => Promise<Result>

export const embedded: WithTarget = (work) =>
  withFolder((data_path) =>
    work({ env: { FLORIN_DATA: data_path }, data_path, database_url: undefined }),
  )

let created = 0

export function onServer(server_url: string): WithTarget {
  return async (work) => {
    const name = `florin_bench_${process.pid}_${created++}`
    const url = new URL(server_url)
    url.pathname = `/${name}`
    await administer(server_url, `create database ${name}`)
    try {
      const env = { DATABASE_URL: url.href }
      return await withFolder((data_path) =>
        work({ env: { ...env, FLORIN_DATA: data_path }, data_path, database_url: url.href }),
      )
    } finally {
      await administer(server_url, `drop database ${name} with (force)`)
    }
  }
}

async function administer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Opens a separate connection to the target's database. The server must be running. */
export async function withDatabase<Result>(
  target: BenchTarget,
  work: (db: Db, connection: object) => Promise<Result>,
): Promise<Result> {
  const postgres = await joinPostgres(target)
  const db = openDatabase(postgres.connection, { no_timeouts: true })
  try {
    return await work(db, postgres.connection)
  } finally {
    await db.close()
    await postgres.stop()
  }
}

/** Returns connection settings for another process on the same database. */
export function connectionOf(target: BenchTarget): Promise<object> {
  return withDatabase(target, async (_db, connection) => connection)
}

/** Creates demo data with `florin seed` and returns transactions per second. */
export function seed(target: BenchTarget, accounts: number, transactions: number): number {
  const amounts = ['--accounts', String(accounts), '--transactions', String(transactions)]
  const args = ['bin/florin.mjs', 'seed', '--json', ...amounts]
  const env = { ...withoutDatabase(), ...target.env }
  const run = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`florin seed failed: ${run.stderr}`)
  return transactions / JSON.parse(run.stdout).seconds
}

// The cost of one transaction: bytes on disk once it has settled, and WAL flushes while it is
// created.

import { readTime } from '../src/postgres/clock.ts'
import type { Db } from '../src/postgres/database.ts'
import { sandboxProcessor } from '../src/processors/processor.ts'
import { TransactionLanes } from '../src/transactions/lanes.ts'
import { settleAllDue } from '../src/transactions/settle-due.ts'
import { createRequest, openAccountSessions } from './account-sessions.ts'
import type { Figure } from './figure.ts'
import type { Options } from './interleaved-runs.ts'
import { load, startFlorin } from './processes.ts'
import { ratio } from './statistics.ts'
import { type BenchTarget, seed, type WithTarget, withDatabase } from './targets.ts'

export function costs(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 1_000, 0)
    const florin = await startFlorin({ ...target.env, FLORIN_SETTLE_AFTER: '0' })
    try {
      return await withDatabase(target, (db) => measure(db, target, florin.port, options))
    } finally {
      await florin.stop()
    }
  })
}

async function measure(
  db: Db,
  target: BenchTarget,
  port: number,
  options: Options,
): Promise<Figure[]> {
  const requests = (await openAccountSessions(target)).map(createRequest)
  const plan = { port, requests, status: 201, connections: 64 }
  const bytes_before = await bytesOf(db)
  const flushes_before = await countFlushes(db)
  // Long enough for a few dozen transactions on each account.
  await load({ ...plan, seconds: options.quick ? 4 : 12 })
  const created = await countTransactions(db)
  // A backend reports its statistics only once it is idle.
  await new Promise((done) => setTimeout(done, 1_500))
  const flushes = (await countFlushes(db)) - flushes_before
  await settleAll(db)
  await db.pool.query('vacuum')
  const bytes = await bytesOf(db)
  const each = (name: keyof Bytes) => Math.round((bytes[name] - bytes_before[name]) / created)
  return [
    {
      name: 'bytes on disk per settled transaction, including postings and indexes',
      value: each('money'),
      unit: 'bytes',
      max: 750,
      goal: 600,
      details: { created, events_bytes: each('events'), idempotency_bytes: each('keys'), bytes },
    },
    {
      name: '  bytes on disk for its two events',
      value: each('events'),
      unit: 'bytes',
      details: { created },
    },
    {
      name: 'WAL flushes per 1 000 transactions at 64 connections',
      value: Math.round(ratio(flushes * 1_000, created)),
      unit: 'flushes',
      max: 50,
      goal: 20,
      details: { flushes, created },
    },
  ]
}

/** Settles in this process, with the function that the worker uses. */
async function settleAll(db: Db): Promise<void> {
  const parts = { db, lanes: new TransactionLanes(db), processor: sandboxProcessor(0) }
  await settleAllDue(parts, await readTime(db), 600_000)
}

async function countTransactions(db: Db): Promise<number> {
  const found = await db.pool.query<{ n: number }>('select count(*) as n from transactions')
  return found.rows[0]!.n
}

interface Bytes {
  money: number
  events: number
  keys: number
}

async function bytesOf(db: Db): Promise<Bytes> {
  const money = ['transactions_pending', 'transactions_succeeded', 'transactions_failed']
  const tables = [...money, 'transactions_canceled', 'postings', 'balances', 'refund_totals']
  const of = async (names: string[]) => {
    const found = await db.pool.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(name::regclass))::bigint as bytes
       from unnest($1::text[]) as it (name)`,
      [names],
    )
    return found.rows[0]!.bytes
  }
  return {
    money: await of(tables),
    events: await of(['events']),
    keys: await of(['idempotency_keys']),
  }
}

// PostgreSQL 18 reports WAL flushes in pg_stat_io, older versions in pg_stat_wal.
async function countFlushes(db: Db): Promise<number> {
  const version = await db.pool.query<{ n: number }>(
    "select current_setting('server_version_num')::int as n",
  )
  const text =
    version.rows[0]!.n >= 180_000
      ? "select sum(fsyncs)::bigint as n from pg_stat_io where object = 'wal'"
      : 'select wal_sync as n from pg_stat_wal'
  return (await db.pool.query<{ n: number }>(text)).rows[0]!.n
}

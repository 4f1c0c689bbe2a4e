// Florin, the plain handler and pgledger in turns, on one PostgreSQL: creates spread over a
// thousand accounts, and all on one. pgledger takes part if FLORIN_BENCH_PGLEDGER names its SQL.
//
// All have 64 clients that wait for each response, and durable commits. What they do differs:
// docs/concepts/performance.md#peers.

import { createRequest, openAccountSessions } from './account-sessions.ts'
import type { Figure } from './figure.ts'
import { default_connections, InterleavedRuns, type Options } from './interleaved-runs.ts'
import { type AccountPair, checkPgledger, installPgledger } from './pgledger.ts'
import {
  loadPgledger,
  type RunningProcess,
  startBaseline,
  startEcho,
  startFlorin,
} from './processes.ts'
import { median, ratio } from './statistics.ts'
import { type BenchTarget, connectionOf, seed, type WithTarget, withDatabase } from './targets.ts'

interface PeerOptions {
  accounts?: number
  /** pgledger.sql; without it pgledger is left out. */
  pgledger_file?: string | undefined
}

export function peers(
  withTarget: WithTarget,
  options: Options,
  { accounts = 1_000, pgledger_file = process.env.FLORIN_BENCH_PGLEDGER }: PeerOptions = {},
): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, accounts, 0)
    const florin = await startFlorin(target.env)
    const started: RunningProcess[] = [florin]
    try {
      await requireDurable(target)
      const requests = (await openAccountSessions(target)).map(createRequest)
      const connection = await connectionOf(target)
      const plain = await startBaseline(connection)
      started.push(plain)
      const echo = await startEcho('{}')
      started.push(echo)
      const pgledger = await preparePgledger(connection, pgledger_file, requests.length)
      const runs = new InterleavedRuns()
      const plans = (['spread', 'hot'] as const).flatMap((load) => {
        const some = load === 'spread' ? requests : requests.slice(0, 1)
        return [
          { name: `Florin, ${load}`, port: florin.port, requests: some, status: 201 },
          { name: `plain handler, ${load}`, port: plain.port, requests: some, status: 201 },
          ...(pgledger === undefined ? [] : pgledger.plans(load)),
        ]
      })
      await runs.run(
        [...plans, { name: 'bare echo', port: echo.port, requests, status: 200 }],
        options,
      )
      await pgledger?.check()
      return figuresOf(runs, pgledger !== undefined)
    } finally {
      for (const server of started.reverse()) await server.stop()
    }
  })
}

/** Without a flush per commit, figures of PostgreSQL say nothing about payments. */
function requireDurable(target: BenchTarget): Promise<void> {
  return withDatabase(target, async (db) => {
    const found = await db.pool.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where setting <> 'on'
       and name in ('fsync', 'full_page_writes', 'synchronous_commit')`,
    )
    const wrong = found.rows.map(({ name, setting }) => `${name} = ${setting}`)
    if (wrong.length > 0) {
      throw new Error(`The database server must commit durably; got ${wrong.join(', ')}.`)
    }
  })
}

// As many as clients is faster for spread traffic. On one account they wait for the same lock, and
// the number of the plain handler's pool is faster.
const pgledger_pools = { pgledger: default_connections, 'pgledger with 10 connections': 10 }

async function preparePgledger(connection: object, file: string | undefined, accounts: number) {
  if (!file) {
    console.log('pgledger: skipped. Set FLORIN_BENCH_PGLEDGER to its pgledger.sql to include it.')
    return undefined
  }
  const pairs = await installPgledger(connection, file, accounts)
  let counted = 0
  const load = async (some: AccountPair[], connections: number, seconds: number) => {
    const result = await loadPgledger({ connection, connections, pairs: some, seconds })
    counted += result.responses
    return result
  }
  return {
    plans: (kind: 'spread' | 'hot') => {
      const some = kind === 'spread' ? pairs : pairs.slice(0, 1)
      return Object.entries(pgledger_pools).map(([name, connections]) => ({
        name: `${name}, ${kind}`,
        load: (seconds: number) => load(some, connections, seconds),
      }))
    },
    check: () => checkPgledger(connection, counted),
  }
}

function figuresOf(runs: InterleavedRuns, has_pgledger: boolean): Figure[] {
  const rates = Object.keys(runs.all).map((name) => rateFigure(runs, name))
  const others = ['plain handler', ...(has_pgledger ? Object.keys(pgledger_pools) : [])]
  const ratios = others.flatMap((other) => [
    ratioFigure(runs, 'Florin, spread', `${other}, spread`),
    ratioFigure(runs, 'Florin, hot', `${other}, hot`),
  ])
  return [
    ...rates,
    ...ratios,
    ratioFigure(runs, 'Florin, spread', 'Florin, hot'),
    ratioFigure(runs, 'Florin, spread', 'bare echo'),
  ]
}

function rateFigure(runs: InterleavedRuns, name: string): Figure {
  const { per_second } = runs.all[name]!
  const spread = spreadOf(per_second)
  return { name, value: median(per_second), spread, unit: 'per second', details: runs.all }
}

function ratioFigure(runs: InterleavedRuns, one: string, other: string): Figure {
  const ratios = runs.ratios(one, other).map((value) => ratio(value, 1))
  const value = ratio(median(ratios), 1)
  const spread = spreadOf(ratios)
  return { name: `${one} ÷ ${other}`, value, spread, unit: 'ratio', details: runs.all }
}

function spreadOf(values: number[]): [lowest: number, highest: number] {
  return [Math.min(...values), Math.max(...values)]
}

// Throughput and pages read must not depend on how many transactions are stored.

import type { Caller } from '../src/identity/caller.ts'
import type { Db } from '../src/postgres/database.ts'
import { toTypeId } from '../src/primitives/ids.ts'
import { sandboxProcessor } from '../src/processors/processor.ts'
import { createCommand } from '../src/transactions/commands.ts'
import { transactionFinder } from '../src/transactions/find-transaction.ts'
import { TransactionLanes } from '../src/transactions/lanes.ts'
import { transactionLister } from '../src/transactions/list-transactions.ts'
import { listedJson } from '../src/transactions/transaction.ts'
import { createRequest, openAccountSessions } from './account-sessions.ts'
import { countBuffers } from './buffers.ts'
import type { Figure } from './figure.ts'
import { InterleavedRuns, type Options } from './interleaved-runs.ts'
import { startFlorin } from './processes.ts'
import { median, ratio } from './statistics.ts'
import { type BenchTarget, seed, type WithTarget, withDatabase } from './targets.ts'

export async function sizes(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  const many = options.quick ? 100_000 : 1_000_000
  const both = (compare: (small: BenchTarget, large: BenchTarget) => Promise<Figure[]>) =>
    withTarget((small) => withTarget((large) => compare(small, large)))
  return [
    ...(await both((small, large) => compareThroughput(small, large, many, options))),
    ...(await both((small, large) => compareBuffers(small, large, many))),
  ]
}

async function compareThroughput(
  small: BenchTarget,
  large: BenchTarget,
  many: number,
  options: Options,
): Promise<Figure[]> {
  seed(small, 1_000, 1_000)
  const seeded_per_second = seed(large, 1_000, many)
  const few = await startFlorin(small.env)
  const full = await startFlorin(large.env)
  try {
    const [few_sessions, many_sessions] = [
      await openAccountSessions(small),
      await openAccountSessions(large),
    ]
    const runs = new InterleavedRuns()
    await runs.run(
      [
        { name: 'few', port: few.port, requests: few_sessions.map(createRequest), status: 201 },
        { name: 'many', port: full.port, requests: many_sessions.map(createRequest), status: 201 },
      ],
      options,
    )
    const value = runs.ratio('many', 'few')
    const name = `throughput with ${many} stored ÷ with 1 000`
    return [
      { name, value, unit: 'ratio', min: 0.9, goal: 0.97, details: runs.all },
      {
        name: 'transactions created by florin seed',
        value: Math.round(seeded_per_second),
        unit: 'per second',
        min: 20_000,
        details: {},
      },
    ]
  } finally {
    await few.stop()
    await full.stop()
  }
}

/** All rows belong to one account, so the middle of its list is as deep as a list can be. */
async function compareBuffers(
  small: BenchTarget,
  large: BenchTarget,
  many: number,
): Promise<Figure[]> {
  const buffers: Buffers[] = []
  for (const [target, rows] of [
    [small, 1_000],
    [large, many],
  ] as const) {
    seed(target, 1, rows)
    const florin = await startFlorin(target.env)
    buffers.push(await buffersOf(target).finally(() => florin.stop()))
  }
  return bufferFigures({ few: buffers[0]!, many: buffers[1]! }, many)
}

type Buffers = Record<'create' | 'get' | 'page' | 'deep page' | 'deep page of all', number>

function bufferFigures(buffers: { few: Buffers; many: Buffers }, many: number): Figure[] {
  return (Object.keys(buffers.few) as (keyof Buffers)[]).map((name) => ({
    name: `buffers of a ${name}, with ${many} ÷ with 1 000`,
    value: ratio(buffers.many[name], buffers.few[name]),
    unit: 'ratio',
    max: 1.5,
    goal: 1.2,
    details: { few: buffers.few[name], many: buffers.many[name] },
  }))
}

interface MiddleRow {
  account_id: string
  user_id: string
  currency: string
}

function buffersOf(target: BenchTarget): Promise<Buffers> {
  return withDatabase(target, async (db) => {
    await db.pool.query('vacuum analyze')
    const found = await db.pool.query<MiddleRow>(
      `select balances.account_id, accounts.owner_id as user_id, balances.currency
       from balances join accounts on accounts.id = account_id
       order by posting_sequence desc limit 1`,
    )
    return measureAccount(db, found.rows[0]!)
  })
}

async function measureAccount(db: Db, row: MiddleRow): Promise<Buffers> {
  const owner = callerFor({ ...row, role: 'owner' })
  const admin = callerFor({ ...row, account_id: null, role: 'admin' })
  const own = await middleIds(db, row.account_id)
  const any = await middleIds(db, undefined)
  const list = (caller: Caller, starting_after?: string) => (on: Db) =>
    transactionLister(on)(caller, { limit: 20, starting_after })
  return {
    create: (await countBuffers(db, (on) => createMany(on, row, 32))) / 32,
    get: await countBuffers(db, (on) =>
      transactionFinder(on)({ account_id: row.account_id, id: own[0]! }),
    ),
    page: await newestPage(db, row, list(owner)),
    'deep page': await deepPage(db, own, (after) => list(owner, after)),
    'deep page of all': await deepPage(db, any, (after) => list(admin, after)),
  }
}

/**
 * Rows are stored in settlement order, which is nearly id order. Most list pages touch
 * two table pages, some touch ten. The median over many list positions evens this out.
 */
async function deepPage(
  db: Db,
  ids: string[],
  list: (starting_after: string) => (on: Db) => Promise<unknown>,
): Promise<number> {
  const counts: number[] = []
  for (const id of ids) counts.push(await countBuffers(db, list(toTypeId('transaction', id))))
  return median(counts)
}

/**
 * Whether twenty rows share one table page or span two is chance, and one page of ten changes the
 * ratio a lot. The mean over forty reads, with a row inserted after each, evens this out.
 */
async function newestPage(db: Db, row: MiddleRow, list: (on: Db) => Promise<unknown>) {
  const moments = 40
  let buffers = 0
  for (let moment = 0; moment < moments; moment++) {
    buffers += await countBuffers(db, list)
    await createMany(db, row, 1)
  }
  return buffers / moments
}

/** About forty ids, evenly spaced over the middle tenth of the list. */
async function middleIds(db: Db, account_id: string | undefined): Promise<string[]> {
  const where = account_id === undefined ? '' : `where account_id = '${account_id}'`
  const found = await db.pool.query<{ id: string }>(
    `select id
     from (select id, row_number() over (order by id desc) as position, count(*) over () as all_rows
       from transactions ${where}) as numbered
     where position between all_rows * 0.45 and all_rows * 0.55
       and position % (all_rows / 400) = 0
     order by position`,
  )
  return found.rows.map(({ id }) => id)
}

async function createMany(on: Db, row: MiddleRow, count: number): Promise<unknown> {
  const lanes = new TransactionLanes(on)
  const { account_id, currency } = row
  const caller = callerFor({ ...row, role: 'owner' })
  const input = { amount: 7_500, currency, type: 'payment', reference: 'Invoice 2026-114' } as const
  const created = Array.from({ length: count }, () => {
    const id = toTypeId('account', account_id)
    const command = createCommand(caller, { ...input, account_id: id }, processor)
    const entry = { command, account_id, background: false, isWanted: () => true }
    const response = { token: undefined, key: undefined, status: 201, render: listedJson }
    return lanes.submit({ ...entry, ...response })
  })
  return Promise.all(created)
}

const processor = sandboxProcessor(30)

function callerFor(who: Pick<Caller, 'account_id' | 'user_id' | 'role'>): Caller {
  return {
    ...who,
    kind: 'session',
    principal_id: who.user_id,
    token_hash: Buffer.alloc(32),
    request_id: 'bench',
    scopes: undefined,
    header_account_id: undefined,
  }
}

// Creating and reading transactions, compared with a bare echo of the same body and with the
// baseline handler on the same database.

import {
  type AccountSession,
  bulkRequest,
  createRequest,
  fetchBody,
  openAccountSessions,
  requestOf,
} from './account-sessions.ts'
import type { Figure } from './figure.ts'
import { compareWithEcho, InterleavedRuns, type Options } from './interleaved-runs.ts'
import {
  type RunningProcess,
  startBareLane,
  startBaseline,
  startEcho,
  startFlorin,
} from './processes.ts'
import { connectionOf, seed, type WithTarget } from './targets.ts'

export function transactions(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 1_000, 25_000)
    const florin = await startFlorin(target.env)
    const started: RunningProcess[] = [florin]
    try {
      const sessions = await openAccountSessions(target)
      const connection = await connectionOf(target)
      const baseline = await startBaseline(connection)
      const bare_lane = await startBareLane(connection)
      started.push(baseline, bare_lane)
      const runs = new InterleavedRuns()
      const spread = sessions.map(createRequest)
      const writes = await compareWrites(
        runs,
        { florin, baseline, bare_lane },
        spread,
        started,
        options,
      )
      const bulk = await compareBulk(florin, sessions, options)
      const reads = await compareReads(florin, sessions, started, options)
      const overload = await measureOverload(runs, florin, spread, options)
      return [...writes, ...bulk, ...overload, ...reads]
    } finally {
      for (const server of started.reverse()) await server.stop()
    }
  })
}

async function compareWrites(
  runs: InterleavedRuns,
  servers: { florin: RunningProcess; baseline: RunningProcess; bare_lane: RunningProcess },
  spread: string[],
  started: RunningProcess[],
  options: Options,
): Promise<Figure[]> {
  const echo = await startEcho('{}')
  started.push(echo)
  const { florin, baseline, bare_lane } = servers
  const create = { port: florin.port, requests: spread, status: 201 }
  const baseline_create = { port: baseline.port, requests: spread, status: 201 }
  const against = { name: 'create', port: echo.port, requests: spread, status: 200 }
  const mark = { name: 'POST /v1/transactions ÷ bare echo', min: 0.35, goal: 0.6 }
  const echoed = await compareWithEcho({ name: 'create', ...create }, against, mark, options)
  const bare = { ...create, name: 'bare lane', port: bare_lane.port }
  const bare_mark = { name: '  the lanes alone ÷ bare echo' }
  const ceiling = await compareWithEcho(bare, against, bare_mark, options)
  await runs.run(
    [
      { name: 'create', ...create },
      { name: 'baseline create', ...baseline_create },
      { name: 'create on one account', ...create, requests: spread.slice(0, 1) },
      { name: 'create, one client', ...create, connections: 1 },
      { name: 'baseline create, one client', ...baseline_create, connections: 1 },
    ],
    options,
  )
  const details = runs.all
  return [
    ...echoed,
    ...ceiling,
    {
      name: 'POST /v1/transactions ÷ baseline handler',
      value: runs.ratio('create', 'baseline create'),
      unit: 'ratio',
      min: 4,
      goal: 8,
      details,
    },
    {
      name: 'all on one account ÷ spread over 1 000',
      value: runs.ratio('create on one account', 'create'),
      unit: 'ratio',
      min: 0.9,
      goal: 1,
      details,
    },
    {
      name: 'p50 of one client ÷ p50 of the baseline handler',
      value: runs.ratio('create, one client', 'baseline create, one client', 'p50_ms'),
      unit: 'ratio',
      max: 1.2,
      goal: 1,
      details,
    },
  ]
}

const items_per_request = 100

/** Bulk requests and single creates in turns, counted in transactions. */
async function compareBulk(
  { port }: RunningProcess,
  sessions: AccountSession[],
  options: Options,
): Promise<Figure[]> {
  const runs = new InterleavedRuns()
  const single = {
    name: 'single creates',
    port,
    requests: sessions.map(createRequest),
    status: 201,
  }
  const requests = sessions.map((session) => bulkRequest(session, items_per_request))
  // More would fill the queue of the lane, which counts items.
  const bulk = { name: 'bulk creates', port, requests, status: 200, connections: 16 }
  await runs.run([single, bulk], options)
  return [
    {
      name: `transactions per second, ${items_per_request} per request ÷ single creates`,
      value: runs.ratio('bulk creates', 'single creates', 'per_second', {
        items: items_per_request,
      }),
      unit: 'ratio',
      min: 4,
      goal: 6,
      details: runs.all,
    },
  ]
}

async function compareReads(
  florin: RunningProcess,
  sessions: AccountSession[],
  started: RunningProcess[],
  options: Options,
): Promise<Figure[]> {
  const { port } = florin
  const paths = await pathsOf(port, sessions.slice(0, 200))
  const gets = paths.map(({ session, path }) => requestOf(session, 'GET', path))
  const lists = sessions.map((session) => requestOf(session, 'GET', '/v1/transactions'))
  const get_echo = await startEcho(await fetchBody(port, paths[0]!.session, paths[0]!.path))
  const list_echo = await startEcho(await fetchBody(port, paths[0]!.session, '/v1/transactions'))
  started.push(get_echo, list_echo)
  const get = { name: 'get', port, requests: gets, status: 200 }
  const list = { name: 'list', port, requests: lists, status: 200 }
  return [
    ...(await compareWithEcho(get, { ...get, port: get_echo.port }, marks.get, options)),
    ...(await compareWithEcho(list, { ...list, port: list_echo.port }, marks.list, options)),
  ]
}

const marks = {
  get: { name: 'GET /v1/transactions/{id} ÷ echo', min: 0.45, goal: 0.6 },
  list: { name: 'GET /v1/transactions, a page of 20 ÷ echo', min: 0.2, goal: 0.3 },
}

async function pathsOf(
  port: number,
  sessions: AccountSession[],
): Promise<{ session: AccountSession; path: string }[]> {
  const paths: { session: AccountSession; path: string }[] = []
  for (const session of sessions) {
    const page = JSON.parse(await fetchBody(port, session, '/v1/transactions?limit=1'))
    const id = page.data[0]?.id
    if (id) paths.push({ session, path: `/v1/transactions/${id}` })
  }
  return paths
}

/** Sends twice the measured maximum without waiting for responses, and compares the goodput. */
async function measureOverload(
  runs: InterleavedRuns,
  florin: RunningProcess,
  requests: string[],
  { rounds, seconds }: Options,
): Promise<Figure[]> {
  const plan = { port: florin.port, requests, status: 201 }
  for (let round = 0; round < rounds; round++) {
    await runs.once({ name: 'create at maximum', ...plan }, seconds)
    const rate = runs.perSecond('create at maximum') * 2
    await runs.once({ name: 'create at twice the load', ...plan, connections: 256, rate }, seconds)
  }
  return [
    {
      name: 'goodput at twice the load ÷ the maximum',
      value: runs.ratio('create at twice the load', 'create at maximum'),
      unit: 'ratio',
      min: 0.9,
      goal: 0.95,
      details: runs.all,
    },
  ]
}

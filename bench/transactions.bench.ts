// The write path and the read paths of money, each against a bare echo of the same body and against
// a plain handler on the same database.

import { againstEcho, Legs, type Options } from './legs.ts'
import { connectionOf, seed, type WithTarget } from './targets.ts'
import { type Started, startBareLane, startEcho, startFlorin, startPlain } from './processes.ts'
import type { Figure } from './run.ts'
import { fetchBody, createRequest, openTills, requestOf, type Till } from './tills.ts'

export function transactions(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 1_000, 25_000)
    const florin = await startFlorin(target.env)
    const started: Started[] = [florin]
    try {
      const tills = await openTills(target)
      const connection = await connectionOf(target)
      const plain = await startPlain(connection)
      const bare_lane = await startBareLane(connection)
      started.push(plain, bare_lane)
      const legs = new Legs()
      const spread = tills.map(createRequest)
      const writes = await writeLegs(legs, { florin, plain, bare_lane }, spread, started, options)
      const reads = await readLegs(florin, tills, started, options)
      const overload = await overloadLeg(legs, florin, spread, options)
      return [...writes, ...overload, ...reads]
    } finally {
      for (const server of started.reverse()) await server.stop()
    }
  })
}

async function writeLegs(
  legs: Legs,
  servers: { florin: Started; plain: Started; bare_lane: Started },
  spread: string[],
  started: Started[],
  options: Options,
): Promise<Figure[]> {
  const echo = await startEcho('{}')
  started.push(echo)
  const { florin, plain, bare_lane } = servers
  const create = { port: florin.port, requests: spread, status: 201 }
  const plainly = { port: plain.port, requests: spread, status: 201 }
  const against = { name: 'create', port: echo.port, requests: spread, status: 200 }
  const mark = { name: 'POST /v1/transactions ÷ bare echo', least: 0.35, aim: 0.6 }
  const echoed = await againstEcho({ name: 'create', ...create }, against, mark, options)
  const bare = { ...create, name: 'bare lane', port: bare_lane.port }
  const bare_mark = { name: '  the lanes alone, nothing before them ÷ bare echo' }
  const ceiling = await againstEcho(bare, against, bare_mark, options)
  await legs.run(
    [
      { name: 'create', ...create },
      { name: 'plain create', ...plainly },
      { name: 'create on one account', ...create, requests: spread.slice(0, 1) },
      { name: 'create, one client', ...create, connections: 1 },
      { name: 'plain create, one client', ...plainly, connections: 1 },
    ],
    options,
  )
  const details = legs.all
  return [
    ...echoed,
    ...ceiling,
    {
      name: 'POST /v1/transactions ÷ plain handler',
      value: legs.ratio('create', 'plain create'),
      unit: 'ratio',
      least: 4,
      aim: 8,
      details,
    },
    {
      name: 'all on one account ÷ spread over a thousand',
      value: legs.ratio('create on one account', 'create'),
      unit: 'ratio',
      least: 0.9,
      aim: 1,
      details,
    },
    {
      name: 'p50 of one client ÷ of the plain handler',
      value: legs.ratio('create, one client', 'plain create, one client', 'p50_ms'),
      unit: 'ratio',
      most: 1.2,
      aim: 1,
      details,
    },
  ]
}

async function readLegs(
  florin: Started,
  tills: Till[],
  started: Started[],
  options: Options,
): Promise<Figure[]> {
  const { port } = florin
  const paths = await pathsOf(port, tills.slice(0, 200))
  const gets = paths.map(({ till, path }) => requestOf(till, 'GET', path))
  const lists = tills.map((till) => requestOf(till, 'GET', '/v1/transactions'))
  const get_echo = await startEcho(await fetchBody(port, paths[0]!.till, paths[0]!.path))
  const list_echo = await startEcho(await fetchBody(port, paths[0]!.till, '/v1/transactions'))
  started.push(get_echo, list_echo)
  const get = { name: 'get', port, requests: gets, status: 200 }
  const list = { name: 'list', port, requests: lists, status: 200 }
  return [
    ...(await againstEcho(get, { ...get, port: get_echo.port }, marks.get, options)),
    ...(await againstEcho(list, { ...list, port: list_echo.port }, marks.list, options)),
  ]
}

const marks = {
  get: { name: 'GET /v1/transactions/{id} ÷ echo', least: 0.45, aim: 0.6 },
  list: { name: 'GET /v1/transactions, a page of 20 ÷ echo', least: 0.2, aim: 0.3 },
}

async function pathsOf(port: number, tills: Till[]): Promise<{ till: Till; path: string }[]> {
  const paths: { till: Till; path: string }[] = []
  for (const till of tills) {
    const page = JSON.parse(await fetchBody(port, till, '/v1/transactions?limit=1'))
    const id = page.data[0]?.id
    if (id) paths.push({ till, path: `/v1/transactions/${id}` })
  }
  return paths
}

/** Twice what it can take, sent whether or not answers come, against the most it took. */
async function overloadLeg(
  legs: Legs,
  florin: Started,
  requests: string[],
  { rounds, seconds }: Options,
): Promise<Figure[]> {
  const plan = { port: florin.port, requests, status: 201 }
  for (let round = 0; round < rounds; round++) {
    await legs.once({ name: 'create at its most', ...plan }, seconds)
    const rate = legs.perSecond('create at its most') * 2
    await legs.once({ name: 'create at twice', ...plan, connections: 256, rate }, seconds)
  }
  return [
    {
      name: 'goodput at twice the load ÷ the most',
      value: legs.ratio('create at twice', 'create at its most'),
      unit: 'ratio',
      least: 0.9,
      aim: 0.95,
      details: legs.all,
    },
  ]
}

// The write path and the read paths of money, each against a bare echo of the same body and against
// a plain handler on the same database.

import {
  httpRequest,
  load,
  type Started,
  startEcho,
  startFlorin,
  startPlain,
  withFolder,
} from './processes.ts'
import type { Figure } from './run.ts'
import { median, ratio } from './statistics.ts'
import { connectionOf, openTills, seed, type Till } from './tills.ts'

interface Options {
  rounds: number
  seconds: number
}

export async function transactions(options: Options): Promise<Figure[]> {
  return withFolder(async (data_path) => {
    seed(data_path, 1_000, 10_000)
    const florin = await startFlorin(data_path)
    const tills = await openTills(data_path)
    const plain = await startPlain(await connectionOf(data_path))
    const echo = await startEcho('{}')
    try {
      const legs = await runLegs({ florin, plain, echo }, tills, options)
      return figuresOf(legs)
    } finally {
      for (const started of [echo, plain, florin]) await started.stop()
    }
  })
}

function createRequest(till: Till): string {
  const body = JSON.stringify({
    account_id: till.account_id,
    amount: 7_500,
    currency: till.currency,
    type: 'payment',
    reference: 'Invoice 2026-114',
    metadata: { order: '114' },
  })
  return httpRequest('POST', '/v1/transactions', headersOf(till), body)
}

function headersOf(till: Till): string[] {
  return [`authorization: Bearer ${till.token}`, 'content-type: application/json']
}

type Leg = { name: string; per_second: number[]; p50_ms: number[] }

async function runLegs(
  servers: { florin: Started; plain: Started; echo: Started },
  tills: Till[],
  { rounds, seconds }: Options,
): Promise<Record<string, Leg>> {
  const spread = tills.map(createRequest)
  const one = [createRequest(tills[0]!)]
  const lists = tills.map((till) => httpRequest('GET', '/v1/transactions', headersOf(till)))
  const gets = await getRequests(servers.florin.port, tills.slice(0, 200))
  const plan = [
    { name: 'echo', port: servers.echo.port, requests: spread, status: 200, connections: 64 },
    { name: 'create', port: servers.florin.port, requests: spread, status: 201, connections: 64 },
    { name: 'plain', port: servers.plain.port, requests: spread, status: 201, connections: 64 },
    { name: 'one account', port: servers.florin.port, requests: one, status: 201, connections: 64 },
    {
      name: 'one client',
      port: servers.florin.port,
      requests: spread,
      status: 201,
      connections: 1,
    },
    {
      name: 'one client plain',
      port: servers.plain.port,
      requests: spread,
      status: 201,
      connections: 1,
    },
    { name: 'echo get', port: servers.echo.port, requests: gets, status: 200, connections: 64 },
    { name: 'get', port: servers.florin.port, requests: gets, status: 200, connections: 64 },
    { name: 'list', port: servers.florin.port, requests: lists, status: 200, connections: 64 },
  ]
  const legs: Record<string, Leg> = {}
  for (let round = 0; round < rounds; round++) {
    for (const { name, ...options } of plan) {
      legs[name] ??= { name, per_second: [], p50_ms: [] }
      const leg = legs[name]
      const result = await load({ ...options, seconds })
      if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} answers were wrong`)
      leg.per_second.push(result.per_second)
      leg.p50_ms.push(result.p50_ms)
    }
  }
  legs.overload = await overload(servers.florin.port, spread, legs.create!, seconds)
  return legs
}

async function getRequests(port: number, tills: Till[]): Promise<string[]> {
  const requests: string[] = []
  for (const till of tills) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/transactions?limit=1`, {
      headers: { authorization: `Bearer ${till.token}` },
    })
    const page = (await answer.json()) as { data: { id: string }[] }
    const id = page.data[0]?.id
    if (id) requests.push(httpRequest('GET', `/v1/transactions/${id}`, headersOf(till)))
  }
  return requests
}

// Twice what it can take, sent whether or not answers come.
async function overload(port: number, requests: string[], create: Leg, seconds: number) {
  const rate = median(create.per_second) * 2
  const options = { port, requests, status: 201, connections: 256, rate, seconds }
  const result = await load(options)
  return { name: 'overload', per_second: [result.per_second], p50_ms: [result.p50_ms] }
}

function figuresOf(legs: Record<string, Leg>): Figure[] {
  const rate = (name: string) => median(legs[name]!.per_second)
  const p50 = (name: string) => median(legs[name]!.p50_ms)
  const details = { legs }
  const figure = (name: string, value: number, mark: Partial<Figure>): Figure => ({
    name,
    value,
    unit: 'ratio',
    details,
    ...mark,
  })
  return [
    figure('POST /v1/transactions ÷ bare echo', ratio(rate('create'), rate('echo')), {
      least: 0.35,
      aim: 0.6,
    }),
    figure('POST /v1/transactions ÷ plain handler', ratio(rate('create'), rate('plain')), {
      least: 4,
      aim: 8,
    }),
    figure('one account ÷ a thousand', ratio(rate('one account'), rate('create')), {
      least: 0.9,
      aim: 1,
    }),
    figure(
      'p50 of one client ÷ of the plain handler',
      ratio(p50('one client'), p50('one client plain')),
      {
        most: 1.2,
        aim: 1,
      },
    ),
    figure('goodput at twice the load ÷ the most', ratio(rate('overload'), rate('create')), {
      least: 0.9,
      aim: 0.95,
    }),
    figure('GET one transaction ÷ echo', ratio(rate('get'), rate('echo get')), {
      least: 0.45,
      aim: 0.6,
    }),
    figure('list of 20 ÷ echo', ratio(rate('list'), rate('echo get')), { least: 0.2, aim: 0.3 }),
  ]
}

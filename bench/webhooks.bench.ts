// Webhooks under load: how much ten endpoints and an event stream slow down creating transactions,
// and how fast a backlog reaches a receiver that responds immediately. Worker and receiver run on
// the same machine.

import { type AccountSession, createRequest, openAccountSessions } from './account-sessions.ts'
import { EventStreamReaders } from './event-readers.ts'
import type { Figure } from './figure.ts'
import { InterleavedRuns, type Options } from './interleaved-runs.ts'
import { type RunningProcess, startFlorin, startSink, startWorker } from './processes.ts'
import { type BenchTarget, seed, type WithTarget } from './targets.ts'

export function webhooks(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (base) => {
    // Otherwise the settlement of created transactions would be measured too, half a minute later.
    const target = { ...base, env: { ...base.env, FLORIN_SETTLE_AFTER: '86400' } }
    seed(target, 200, 2_000)
    const florin = await startFlorin(target.env)
    const started: RunningProcess[] = [florin]
    try {
      const sink = await startSink()
      started.push(sink)
      const sessions = await openAccountSessions(target)
      return [
        await throughput(target, florin, sink, sessions, options),
        await deliveries(target, florin, sink, sessions, options),
      ]
    } finally {
      for (const server of started.reverse()) await server.stop()
    }
  })
}

const endpoint_count = 10

/**
 * Alternates the same load with and without ten endpoints and one event stream, next to a worker.
 * The load goes only to the ten accounts with endpoints, so every create causes a delivery.
 */
async function throughput(
  target: BenchTarget,
  florin: RunningProcess,
  sink: RunningProcess,
  sessions: AccountSession[],
  { rounds, seconds }: Options,
): Promise<Figure> {
  const runs = new InterleavedRuns()
  const some = sessions.slice(0, endpoint_count)
  const plan = { port: florin.port, requests: some.map(createRequest), status: 201 }
  const worker = await startWorker(target.env)
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up server and worker and is discarded.
    await runs.once({ ...plan, name: round === 0 ? 'warm' : 'without' }, seconds)
    const ids = await createEndpoints(florin.port, sink.port, sessions)
    const readers = new EventStreamReaders()
    await readers.open(florin.port, sessions.slice(0, 1))
    await runs.once({ ...plan, name: round === 0 ? 'warm' : 'with' }, seconds)
    if ((await readers.close()) === 0) throw new Error('the event stream received nothing')
    await removeEndpoints(florin.port, ids)
  }
  await worker.stop()
  return {
    name: 'creates with ten webhook endpoints and an event reader ÷ without',
    value: runs.ratio('with', 'without'),
    unit: 'ratio',
    min: 0.8,
    details: runs.all,
  }
}

/** Builds a backlog without a worker, then delivers it with no other load. */
async function deliveries(
  target: BenchTarget,
  florin: RunningProcess,
  sink: RunningProcess,
  sessions: AccountSession[],
  { seconds }: Options,
): Promise<Figure> {
  const ids = await createEndpoints(florin.port, sink.port, sessions)
  const runs = new InterleavedRuns()
  const some = sessions.slice(0, endpoint_count)
  const plan = { port: florin.port, requests: some.map(createRequest), status: 201 }
  await runs.once({ ...plan, name: 'backlog' }, Math.max(2, seconds))
  const worker = await startWorker(target.env)
  const from = await countOnceItGrows(sink.port)
  const began_ms = performance.now()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const count = (await countOf(sink.port)) - from
  const per_second = Math.round((count * 1000) / (performance.now() - began_ms))
  await worker.stop()
  await removeEndpoints(florin.port, ids)
  const name = 'webhook deliveries per second to a fast local sink'
  return { name, value: per_second, unit: 'per second', min: 500, details: { count } }
}

async function countOnceItGrows(port: number): Promise<number> {
  const first = await countOf(port)
  for (;;) {
    const now = await countOf(port)
    if (now > first + 100) return now
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function countOf(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/count`)).text())
}

interface EndpointRef {
  id: string
  session: AccountSession
}

async function createEndpoints(
  port: number,
  sink_port: number,
  sessions: AccountSession[],
): Promise<EndpointRef[]> {
  const endpoints: EndpointRef[] = []
  for (const session of sessions.slice(0, endpoint_count)) {
    const body = { url: `http://127.0.0.1:${sink_port}/`, events: ['*'] }
    const { id } = (await callApi(port, 'POST', '', session, body)) as { id: string }
    endpoints.push({ id, session })
  }
  return endpoints
}

async function removeEndpoints(port: number, endpoints: EndpointRef[]): Promise<void> {
  for (const { id, session } of endpoints) await callApi(port, 'DELETE', `/${id}`, session)
}

async function callApi(
  port: number,
  method: string,
  path: string,
  session: AccountSession,
  body?: object,
) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhook_endpoints${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

// Webhooks beside money: what ten endpoints and a reader of events cost those who create
// transactions, and how fast a backlog reaches a receiver that answers at once. The worker and the
// receiver share the machine.

import { type AccountSession, createRequest, openAccountSessions } from './account-sessions.ts'
import { EventStreamReaders } from './event-readers.ts'
import { InterleavedRuns, type Options } from './interleaved-runs.ts'
import { type RunningProcess, startFlorin, startSink, startWorker } from './processes.ts'
import type { Figure } from './run.ts'
import { type BenchTarget, seed, type WithTarget } from './targets.ts'

export function webhooks(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (given) => {
    // Settling what was created would be measured too, half a minute after it was.
    const target = { ...given, env: { ...given.env, FLORIN_SETTLE_AFTER: '86400' } }
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
 * The same load with and without ten endpoints and a reader, one round after another, beside a
 * worker. All of it goes to the ten accounts that have the endpoints, so that every create makes a
 * delivery; the reader follows one of them.
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
    // The first round warms server and worker up, and is lost.
    await runs.once({ ...plan, name: round === 0 ? 'warm' : 'without' }, seconds)
    const ids = await makeEndpoints(florin.port, sink.port, sessions)
    const readers = new EventStreamReaders()
    await readers.open(florin.port, sessions.slice(0, 1))
    await runs.once({ ...plan, name: round === 0 ? 'warm' : 'with' }, seconds)
    if ((await readers.close()) === 0) throw new Error('the reader heard nothing')
    await removeEndpoints(florin.port, ids)
  }
  await worker.stop()
  return {
    name: 'creates with ten webhook endpoints and an event reader ÷ without',
    value: runs.ratio('with', 'without'),
    unit: 'ratio',
    least: 0.8,
    details: runs.all,
  }
}

/** A backlog made without a worker, then delivered with nothing else going on. */
async function deliveries(
  target: BenchTarget,
  florin: RunningProcess,
  sink: RunningProcess,
  sessions: AccountSession[],
  { seconds }: Options,
): Promise<Figure> {
  const ids = await makeEndpoints(florin.port, sink.port, sessions)
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
  const name = 'webhook deliveries a second to a fast local sink'
  return { name, value: per_second, unit: 'per second', least: 500, details: { count } }
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

interface Made {
  id: string
  session: AccountSession
}

async function makeEndpoints(
  port: number,
  sink_port: number,
  sessions: AccountSession[],
): Promise<Made[]> {
  const made: Made[] = []
  for (const session of sessions.slice(0, endpoint_count)) {
    const body = { url: `http://127.0.0.1:${sink_port}/`, events: ['*'] }
    const { id } = (await ask(port, 'POST', '', session, body)) as { id: string }
    made.push({ id, session })
  }
  return made
}

async function removeEndpoints(port: number, made: Made[]): Promise<void> {
  for (const { id, session } of made) await ask(port, 'DELETE', `/${id}`, session)
}

async function ask(
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

// `npm run soak`: runs a real Florin at half of its capacity for half an hour. In the second half
// memory and descriptors must be flat and no queue may grow. The last line has all figures and the
// verdict.

import { appendFileSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../support/free-port.ts'
import { startSmtpServer } from '../../support/smtp-server.ts'
import { BadOption } from '../options.ts'
import { settingsOf } from '../servers/fleet.ts'
import { FlorinServer } from '../servers/florin-server.ts'
import { Guard } from '../servers/guard-client.ts'
import { embeddedDatabase } from '../servers/run-database.ts'
import {
  evaluateMeasure,
  exitCodes,
  type SoakTotals,
  type SoakVerdict,
  soakVerdict,
} from './evaluate-soak.ts'
import { Load } from './load.ts'
import { readSoakOptions, type SoakOptions } from './options.ts'
import { lastLine, printReport } from './report.ts'
import { measures, type Sample, Sampler } from './samples.ts'
import { SoakClient } from './soak-client.ts'
import { SoakWorld } from './soak-world.ts'
import { StreamReaders } from './stream-readers.ts'
import { openCountingSink } from './webhook-sink.ts'

// Long enough for V8 to optimize the code.
const measuring_s = 20

// Fewer than the measuring phase uses, so all connections are open when the run starts, and none
// that a stall opens later looks like a leak.
const connections = 32

const options = readOrExit()
const guard = new Guard()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => process.exit(128 + constants.signals[name]))
}
try {
  process.exitCode = exitCodes[await soak(options)]
} catch (error) {
  // The run itself failed, so it proves nothing.
  console.log(error)
  console.log('soak INVALID')
  process.exitCode = exitCodes.INVALID
}
await guard.end()

function readOrExit(): SoakOptions {
  try {
    return readSoakOptions(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof BadOption)) throw error
    console.error(error.message)
    process.exit(64)
  }
}

async function soak(options: SoakOptions): Promise<SoakVerdict> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-soak-'))
  guard.addDirectory(directory)
  mkdirSync(join(directory, 'data'))
  const mail = await startSmtpServer()
  // Emails are only counted: storing them would leak memory in this process.
  let emails = 0
  mail.onMessage = async () => {
    emails += 1
    mail.received.length = 0
    return undefined
  }
  const sink = await openCountingSink()
  const log_path = join(tmpdir(), `florin-soak-${process.pid}.log`)
  const log_fd = openSync(log_path, 'w', 0o600)
  const port = await findFreePort()
  const env = {
    ...settingsOf(directory, options.plant),
    PORT: String(port),
    FLORIN_SMTP_URL: mail.url,
    FLORIN_EMAIL_FROM: 'Soak <soak@example.com>',
  }
  const server = new FlorinServer({ port, env, log_fd, log_path, guard })
  await server.start()
  const database = embeddedDatabase(join(directory, 'data'))
  try {
    const sampler = new Sampler({ server_pid: server.pid!, port, database })
    const received = () => ({ webhooks: sink.received, emails })
    const verdict = await runUnderLoad(options, port, sampler, sink.url, received)
    await sampler.close()
    const ended = await server.stop()
    const stopped = ended.code === 0
    if (!stopped) console.log(`the server exited with ${ended.code ?? ended.signal}`)
    if (verdict === 'FLAT' && stopped) rmSync(log_path, { force: true })
    else console.log(`saved: ${log_path}`)
    return verdict === 'FLAT' && !stopped ? 'FAILED' : verdict
  } finally {
    await server.kill()
    await sink.close()
    await mail.stop()
    closeSync(log_fd)
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

async function runUnderLoad(
  options: SoakOptions,
  port: number,
  sampler: Sampler,
  webhook_url: string,
  received: () => Record<string, number>,
): Promise<SoakVerdict> {
  const client = new SoakClient(port, connections)
  const world = new SoakWorld(client, options.seed)
  await world.open(webhook_url)
  const readers = new StreamReaders(world, port)
  readers.start()
  const warm_up = new Load(world)
  const capacity = await warm_up.measure(measuring_s)
  const rate = options.rate ?? Math.max(1, Math.round(capacity * options.load))
  console.log(`capacity: ${Math.round(capacity)} requests per second; sending ${rate}`)
  const load = new Load(world)
  const seconds = options.minutes * 60
  const ending = new AbortController()
  const sampling = sampleUntil(sampler, options, ending.signal)
  const from_ms = performance.now()
  await load.runAtRate(rate, seconds, ending.signal)
  const took_s = (performance.now() - from_ms) / 1_000
  ending.abort()
  await sampling
  await readers.stop()
  await client.close()
  const totals: SoakTotals = {
    done: load.done,
    wrong: load.wrong + warm_up.wrong + readers.failed,
    restarts: sampler.restarts,
    seconds,
    per_second: Math.round(load.responses / took_s),
    target_per_second: rate,
  }
  const evaluated = measures
    .filter(({ name }) => sampler.samples.some((sample) => sample[name] !== undefined))
    .map((measure) => evaluateMeasure(measure, pointsOf(sampler.samples, measure.name)))
  const verdict = soakVerdict(evaluated, totals)
  printReport(evaluated, totals, [...warm_up.failures.values(), ...load.failures.values()])
  const { busy, late, responses } = load
  const streams = readers.opened
  const more = { responses, busy, late, streams, ...received(), ...options }
  console.log(lastLine(verdict, totals, more))
  return verdict
}

function pointsOf(samples: Sample[], name: string) {
  return samples.flatMap(({ at_s, [name]: value }) =>
    value === undefined ? [] : [{ at_s, value }],
  )
}

// At least two hundred samples, however short the run is.
async function sampleUntil(
  sampler: Sampler,
  options: SoakOptions,
  signal: AbortSignal,
): Promise<void> {
  const every_ms = Math.max(500, Math.min(5_000, (options.minutes * 60_000) / 200))
  while (!signal.aborted) {
    const sample = await sampler.takeSample().catch((error) => {
      console.log(`failed to take a sample: ${error}`)
      return undefined
    })
    if (options.samples !== undefined && sample !== undefined) {
      appendFileSync(options.samples, `${JSON.stringify(sample)}\n`)
    }
    await sleep(every_ms, undefined, { signal }).catch(() => {})
  }
}

// `npm run soak`: a real Florin at half of what it takes, for half an hour. Memory and descriptors
// must be flat in the second half and no queue may grow; the last line has every figure and a verdict.

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

// Long enough for the compiler to have seen the mix.
const measuring_s = 20

// Fewer than the measuring keeps busy, so that all are open when the run begins and none that a
// stall opens later looks like a leak.
const connections = 32

const options = readOrExit()
const guard = new Guard()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => process.exit(128 + constants.signals[name]))
}
try {
  process.exitCode = exitCodes[await soak(options)]
} catch (error) {
  // The run itself broke: whatever that means, it proves nothing.
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

async function soak(of: SoakOptions): Promise<SoakVerdict> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-soak-'))
  guard.addDirectory(directory)
  mkdirSync(join(directory, 'data'))
  const mail = await startSmtpServer()
  // Counting them is enough; keeping them would be a leak of our own.
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
    ...settingsOf(directory, of.plant),
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
    const verdict = await runUnderLoad(of, port, sampler, sink.url, received)
    await sampler.close()
    const ended = await server.stop()
    const stopped = ended.code === 0
    if (!stopped) console.log(`the server ended with ${ended.code ?? ended.signal}`)
    if (verdict === 'FLAT' && stopped) rmSync(log_path, { force: true })
    else console.log(`kept: ${log_path}`)
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
  of: SoakOptions,
  port: number,
  sampler: Sampler,
  webhook_url: string,
  received: () => Record<string, number>,
): Promise<SoakVerdict> {
  const client = new SoakClient(port, connections)
  const world = new SoakWorld(client, of.seed)
  await world.open(webhook_url)
  const readers = new StreamReaders(world, port)
  readers.start()
  const warm_up = new Load(world)
  const taken = await warm_up.measure(measuring_s)
  const rate = of.rate ?? Math.max(1, Math.round(taken * of.load))
  console.log(`it takes ${Math.round(taken)} requests a second of the mix; ${rate} are sent`)
  const load = new Load(world)
  const seconds = of.minutes * 60
  const ending = new AbortController()
  const sampling = sampleUntil(sampler, of, ending.signal)
  const from_ms = performance.now()
  await load.runAtRate(rate, seconds, ending.signal)
  const took_s = (performance.now() - from_ms) / 1_000
  ending.abort()
  await sampling
  await readers.stop()
  await client.close()
  const seen: SoakTotals = {
    done: load.done,
    wrong: load.wrong + warm_up.wrong + readers.failed,
    restarts: sampler.restarts,
    seconds,
    per_second: Math.round(load.answered / took_s),
    per_second_wanted: rate,
  }
  const judged = measures
    .filter(({ name }) => sampler.samples.some((sample) => sample[name] !== undefined))
    .map((measure) => evaluateMeasure(measure, pointsOf(sampler.samples, measure.name)))
  const verdict = soakVerdict(judged, seen)
  printReport(judged, seen, [...warm_up.complaints.values(), ...load.complaints.values()])
  const { busy, late, answered } = load
  const streams = readers.opened
  console.log(lastLine(verdict, seen, { answered, busy, late, streams, ...received(), ...of }))
  return verdict
}

function pointsOf(samples: Sample[], name: string) {
  return samples.flatMap(({ at_s, [name]: value }) =>
    value === undefined ? [] : [{ at_s, value }],
  )
}

// Two hundred samples or more, however short the run is.
async function sampleUntil(sampler: Sampler, of: SoakOptions, signal: AbortSignal): Promise<void> {
  const every_ms = Math.max(500, Math.min(5_000, (of.minutes * 60_000) / 200))
  while (!signal.aborted) {
    const sample = await sampler.look().catch((error) => {
      console.log(`a sample failed: ${error}`)
      return undefined
    })
    if (of.samples !== undefined && sample !== undefined) {
      appendFileSync(of.samples, `${JSON.stringify(sample)}\n`)
    }
    await sleep(every_ms, undefined, { signal }).catch(() => {})
  }
}

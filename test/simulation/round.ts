// One round: a new Florin, clients and faults for a while, then final reads and the checks.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../../src/operations/seeding/random.ts'
import { auditUntil } from './auditor.ts'
import { checkHistory, type Violation } from './checks/all-checks.ts'
import { Client, type ClientParts } from './clients/client.ts'
import { openWorld } from './clients/open-world.ts'
import { refundSmallPart, runClient } from './clients/run-client.ts'
import { Sender } from './clients/send.ts'
import { walkList } from './clients/walk-list.ts'
import type { World } from './clients/world.ts'
import {
  countPending,
  countTransfersInTransit,
  countUndelivered,
  readFinal,
} from './final-reads.ts'
import type { History } from './history.ts'
import { Nemesis } from './nemesis/nemesis.ts'
import { possibleFaults } from './nemesis/nemesis-names.ts'
import type { Options } from './options.ts'
import { openProvider, type RunProvider } from './provider/open-provider.ts'
import { runParticipants } from './provider/participants.ts'
import { type ChargedPayment, passTime, settleProvider } from './provider/settle-provider.ts'
import { Recorder } from './record.ts'
import { type Fleet, openFleet } from './servers/fleet.ts'
import type { Guard } from './servers/guard-client.ts'
import { type Counts, countHistory } from './verdict.ts'
import { openWebhookSink } from './webhook-sink.ts'

export interface RoundResult {
  violations: Violation[]
  history: History
  counts: Counts
  /** The history file and the server log. */
  saved_paths: string[]
}

// For payers and webhooks of the provider.
const provider_connections = 24

/** Runs before the final reads. Tests of the checks lose a write with it. */
type BeforeFinal = (fleet: Fleet, history: History) => Promise<void>

export async function runRound(
  options: Options,
  guard: Guard,
  history_directory: string,
  beforeFinal?: BeforeFinal,
): Promise<RoundResult> {
  mkdirSync(history_directory, { recursive: true })
  const name = `${options.plant ?? 'florin'}-${options.seed}`
  const recorder = new Recorder(join(history_directory, `${name}.jsonl`))
  const log_path = join(history_directory, `${name}.log`)
  const provider = options.provider ? await openProvider(options.seed) : undefined
  const fleet = await openFleet(options, guard, log_path, provider?.env)
  try {
    await runFleet(options, fleet, recorder, provider, beforeFinal)
  } finally {
    recorder.close()
    await fleet.end()
    await provider?.fake.stop()
  }
  const { history, path } = recorder
  const saved_paths = [path, log_path]
  const checked = options.standby ? withoutUnconfirmed(history) : history
  const violations = checkHistory(checked)
  return { violations, history, counts: countHistory(history), saved_paths }
}

// While the standby is down, reads return what is committed on the primary alone. A failover loses
// it, so reads during a failover are not checked.
function withoutUnconfirmed(history: History): History {
  const failovers = history.faults.filter(({ name }) => name === 'fail-over')
  const isClear = (from_ms: number, to_ms: number) =>
    failovers.every(({ begun_ms, healed_ms }) => to_ms < begun_ms || from_ms > healed_ms)
  return {
    ...history,
    attempts: history.attempts.filter(
      ({ tag, sent_ms, done_ms }) => tag !== null || isClear(sent_ms, done_ms),
    ),
    walks: history.walks.filter(({ begun_ms, done_ms }) => isClear(begun_ms, done_ms)),
    audits: history.audits.filter(({ at_ms }) => isClear(at_ms, at_ms)),
  }
}

async function runFleet(
  options: Options,
  fleet: Fleet,
  recorder: Recorder,
  provider: RunProvider | undefined,
  beforeFinal: BeforeFinal | undefined,
): Promise<void> {
  for (const server of fleet.servers) await server.start()
  const ports = fleet.fronts.map(({ port }) => port)
  const sender = new Sender(ports, options.clients + (provider ? provider_connections : 0))
  const sink = await openWebhookSink(recorder)
  const auditing = new AbortController()
  try {
    const world = await openWorld(sender, sink.url, {
      has_provider: options.provider,
      has_transfers: !options.provider,
    })
    const seconds_end_ms = recorder.now() + options.seconds * 1_000
    // How long Patroni takes is not known before, so clients continue until the faults are over.
    const until_ms = options.patroni ? Number.POSITIVE_INFINITY : seconds_end_ms
    const audits = auditUntil(fleet.database, recorder, auditing.signal)
    const common = { world, sender, recorder, until_ms }
    const clients = makeClients(options, { fleet, ...common })
    const random = new Random(options.seed, 'nemesis')
    const names = possibleFaults(options.nemesis, options)
    const kills_per_minute = options.provider ? 8 : 20
    const nemesis = new Nemesis({ fleet, random, recorder, names, kills_per_minute })
    const clock = passing(provider && fleet)
    const participants = provider && {
      provider,
      ...common,
      randomOf: (name: string, number = 0) => new Random(options.seed, name, number),
      chooseServer: serverChooser(fleet),
    }
    const runFaults = async () => {
      if (!options.patroni) return nemesis.run(until_ms)
      try {
        await nemesis.runEach()
        await sleep(Math.max(0, seconds_end_ms - recorder.now()))
      } finally {
        for (const client of clients) client.until_ms = recorder.now()
      }
    }
    await Promise.all([
      runFaults(),
      ...clients.map(runClient),
      participants && runParticipants(participants),
    ])
    await clock.stop()
    for (const { unexpected_exits } of fleet.servers) {
      for (const exit of unexpected_exits) recordFailure(recorder, exit)
    }
    const refund = (charge: ChargedPayment) => refundSmallPart(clients[0]!, charge)
    if (provider) await settleProvider(fleet, provider, recorder, refund)
    else await untilSettled(fleet)
    if (options.patroni) await untilDelivered(fleet, recorder)
    for (const shop of world.shops) await walkList(clients[0]!, shop)
    auditing.abort()
    await audits
    // Webhooks received so far are about committed changes, which the final reads must show. The
    // worker continues, so webhooks received later could be about newer changes.
    await sink.close()
    await beforeFinal?.(fleet, recorder.history)
    recorder.add(await readFinal(fleet))
  } finally {
    auditing.abort()
    await sender.close()
    await sink.close()
  }
}

function makeClients(
  options: Options,
  parts: Pick<ClientParts, 'world' | 'sender' | 'recorder' | 'until_ms'> & {
    fleet: Fleet
    world: World
  },
): Client[] {
  const { fleet, ...common } = parts
  const chooseServer = serverChooser(fleet)
  const up = () => serversUp(fleet)
  return Array.from({ length: options.clients }, (_, number) => {
    const random = new Random(options.seed, 'client', number)
    return new Client({ ...common, number, random, chooseServer, serversUp: up })
  })
}

function serverChooser(fleet: Fleet): (random: Random) => number | undefined {
  return (random) => {
    const up = serversUp(fleet)
    return up.length === 0 ? undefined : random.pick(up)
  }
}

function serversUp({ servers }: Fleet): number[] {
  return servers.flatMap(({ is_up }, number) => (is_up ? [number] : []))
}

/** With a provider, minutes and hours pass while the run lasts. */
function passing(fleet: Fleet | undefined): { stop(): Promise<void> } {
  const ending = new AbortController()
  const passed = fleet && passTime(fleet, ending.signal)
  return {
    async stop() {
      ending.abort()
      await passed
    },
  }
}

/** Records a failure that no fault explains. */
function recordFailure(recorder: Recorder, broken: string): void {
  const now_ms = recorder.now()
  recorder.add({ kind: 'fault', name: 'no fault', begun_ms: now_ms, healed_ms: now_ms, broken })
}

// A worker that lost its database during a delivery keeps its lease, which lasts a minute.
async function untilDelivered(fleet: Fleet, recorder: Recorder): Promise<void> {
  const until_ms = recorder.now() + 120_000
  for (;;) {
    const missing = await countUndelivered(fleet, recorder.history)
    if (missing === 0) return
    if (recorder.now() > until_ms) {
      return recordFailure(recorder, `${missing} events were not delivered within two minutes`)
    }
    await sleep(300)
  }
}

// The worker continues to settle. Wait a moment, because ends are worth checking.
async function untilSettled(fleet: Fleet): Promise<void> {
  for (let attempts = 0; attempts < 10; attempts++) {
    const counts = await Promise.all([countPending(fleet), countTransfersInTransit(fleet)]).catch(
      () => [1],
    )
    if (counts.every((count) => count === 0)) return
    await sleep(300)
  }
}

// The faults injected into a running Florin. Each resolves when all servers are ready again.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../src/operations/seeding/random.ts'
import { ask } from '../../support/postgres.ts'
import type { StandbyPair } from '../../support/standby-pair.ts'
import type { Fault } from '../history.ts'
import type { Fleet } from '../servers/fleet.ts'
import type { FlorinServer } from '../servers/florin-server.ts'
import { RunSession } from '../servers/run-session.ts'
import type { NemesisName } from './nemesis-names.ts'

interface FaultParts {
  fleet: Fleet
  random: Random
}

type FaultOutcome = keyof Omit<Fault, 'kind' | 'name' | 'begun_ms' | 'healed_ms' | 'failed_starts'>

type InjectFault = (parts: FaultParts) => Promise<Pick<Fault, FaultOutcome> | undefined>

export const faults: Record<NemesisName, InjectFault> = {
  'kill-server': async ({ fleet, random }) => {
    const server = pickLeastKilled(fleet, random)
    await server.kill()
    await server.start()
    return { server: fleet.servers.indexOf(server) }
  },
  'kill-database': async ({ fleet }) => {
    const [killed] = await signalDatabase(fleet, 'SIGKILL', true)
    // The remaining processes of the killed server may still respond for a moment.
    await untilNewDatabase(fleet, killed)
    await untilAllReady(fleet)
    return undefined
  },
  'kill-both': async ({ fleet, random }) => {
    const database_first = random.chance(0.5)
    if (database_first) await signalDatabase(fleet, 'SIGKILL', true)
    await Promise.all(fleet.servers.map((server) => server.kill()))
    if (!database_first) await signalDatabase(fleet, 'SIGKILL', true)
    await startAll(fleet)
    return undefined
  },
  'pause-server': async ({ fleet, random }) => {
    const server = random.pick(fleet.servers)
    server.signal('SIGSTOP')
    await sleep(200 + random.below(1_200))
    server.signal('SIGCONT')
    return undefined
  },
  'pause-database': async ({ fleet, random }) => {
    const pids = await signalDatabase(fleet, 'SIGSTOP')
    await sleep(200 + random.below(1_200))
    for (const pid of pids) signal(pid, 'SIGCONT')
    await untilAllReady(fleet)
    return undefined
  },
  'stop-server': async ({ fleet, random }) => {
    const server = random.pick(fleet.servers)
    const exit = await server.stop()
    await server.start()
    await untilAllReady(fleet)
    return { exit }
  },
  'reset-clients': async ({ fleet, random }) => {
    for (let times = 0; times < 5; times++) {
      for (const front of fleet.fronts) front.reset(() => random.chance(0.4))
      await sleep(random.below(60))
    }
    return undefined
  },
  'lose-replies': async ({ fleet, random }) => {
    const lose = (front: Fleet['fronts'][number]) => front.loseReplies(() => random.chance(0.5), 60)
    for (let times = 0; times < 3; times++) await Promise.all(fleet.fronts.map(lose))
    return undefined
  },
  'reset-database': async ({ fleet, random }) => {
    for (let times = 0; times < 3; times++) {
      fleet.back?.reset(() => random.chance(0.5))
      await fleet.back?.loseReplies(() => random.chance(0.3), 30)
    }
    return undefined
  },
  'end-backends': async ({ fleet, random }) => {
    await inSession(fleet, async (session) => {
      for (let times = 0; times < 3; times++) {
        await session.rows(`select pg_terminate_backend(pid) ${backends}`)
        await sleep(random.below(80))
      }
    })
    return undefined
  },
  // A statement fails in the middle of a change, and PostgreSQL then responds to COMMIT with
  // ROLLBACK.
  'cancel-statements': async ({ fleet, random }) => {
    await inSession(fleet, async (session) => {
      for (let times = 0; times < 60; times++) {
        await session.rows(`select pg_cancel_backend(pid) ${backends} and state = 'active'`)
        await sleep(random.below(12))
      }
    })
    return undefined
  },
  'hold-locks': async ({ fleet }) => {
    await inSession(fleet, async (session) => {
      await session.rows('begin')
      await session.rows('select 1 from balances order by random() limit 1 for update')
      await sleep(2_000)
      await session.rows('rollback')
    })
    return undefined
  },
  // The standby fails, and commits waiting for it are interrupted, as a hasty operator might do.
  // These exist only on the primary, which is then killed most of the time.
  'fail-over': async ({ fleet, random }) => {
    const pair = fleet.pair!
    await pair.standby.kill()
    const interrupted_waits = await interruptWaits(pair, random)
    const failed_over = random.chance(0.75)
    if (failed_over) {
      await pair.failOver()
      await untilAllReady(fleet)
      await sleep(random.below(1_000))
      await pair.rejoin()
    } else {
      await pair.standby.start()
      await pair.untilSynchronous()
    }
    await untilAllReady(fleet)
    return { interrupted_waits, failed_over }
  },
  'switch-over': async ({ fleet }) => {
    const without_primary_ms = await fleet.cluster!.switchOver()
    await fleet.cluster!.untilSynchronous()
    await untilAllReady(fleet)
    return { failed_over: true, without_primary_ms }
  },
  // Like the loss of a machine: PostgreSQL and its Patroni are killed.
  'lose-primary': async ({ fleet, random }) => {
    const without_primary_ms = await fleet.cluster!.failOver()
    await untilAllReady(fleet)
    await sleep(random.below(2_000))
    await fleet.cluster!.rejoin()
    await untilAllReady(fleet)
    return { failed_over: true, without_primary_ms }
  },
}

/** Every server is killed once before any is killed again, so a short run reaches all. */
function pickLeastKilled({ servers }: Fleet, random: Random): FlorinServer {
  const least = Math.min(...servers.map(({ kills }) => kills))
  return random.pick(servers.filter(({ kills }) => kills === least))
}

async function interruptWaits(pair: StandbyPair, random: Random): Promise<number> {
  const until_ms = performance.now() + 800 + random.below(1_200)
  let interrupted = 0
  while (performance.now() < until_ms) {
    for (const pid of await pair.waiting()) {
      const interrupt = random.chance(0.5) ? 'pg_cancel_backend' : 'pg_terminate_backend'
      await ask(pair.primary.connection, `select ${interrupt}(${pid})`)
      interrupted += 1
    }
    await sleep(random.below(60))
  }
  return interrupted
}

const backends = `from pg_stat_activity
  where datname = current_database() and application_name = 'florin' and pid <> pg_backend_pid()`

async function startAll(fleet: Fleet): Promise<void> {
  const [first, ...others] = fleet.servers
  // The first server starts the embedded database; the others join once it responds.
  const started = [first!.start()]
  if (others.length > 0) {
    await Promise.race([untilDatabaseResponds(fleet), ...started])
    started.push(...others.map((server) => server.start()))
  }
  await Promise.all(started)
}

async function untilDatabaseResponds({ database }: Fleet): Promise<void> {
  const session = new RunSession(database, 'chaos nemesis')
  const until_ms = performance.now() + 60_000
  while (performance.now() < until_ms) {
    const rows = await session.rows('select 1').catch(() => undefined)
    if (rows !== undefined) break
    await sleep(20)
  }
  await session.close()
}

export async function untilAllReady({ servers }: Fleet): Promise<void> {
  await Promise.all(servers.map((server) => server.untilReady()))
}

async function untilNewDatabase({ database }: Fleet, killed: number | undefined): Promise<void> {
  const until_ms = performance.now() + 60_000
  for (;;) {
    const [pid] = await database.pids().catch(() => [])
    if (pid !== undefined && pid !== killed) return
    if (performance.now() > until_ms) throw new Error('the database is not ready after a minute')
    await sleep(20)
  }
}

/** Signals all database processes, because pausing the postmaster alone leaves backends running. */
async function signalDatabase(
  { database }: Fleet,
  name: NodeJS.Signals,
  first_only = false,
): Promise<number[]> {
  const pids = await database.pids().catch(() => [])
  const chosen = first_only ? pids.slice(0, 1) : pids
  for (const pid of chosen) signal(pid, name)
  return chosen
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The backend may have exited already.
  }
}

// The database and this session may be killed by another fault, which only ends this one early.
async function inSession(
  { database }: Fleet,
  work: (session: RunSession) => Promise<void>,
): Promise<void> {
  const session = new RunSession(database, 'chaos nemesis')
  await work(session).catch(() => {})
  await session.close()
}

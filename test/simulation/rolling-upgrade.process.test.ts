// Upgrades two servers of the previous version one after the other, as docs/guides/upgrade.md does,
// while clients send requests to all servers that run: from the last version to this one, and from
// this one, as it is packed, to a next version that is made from it.
// FLORIN_PREVIOUS_TARBALL names the package of a release to upgrade to this tree.
//
// The checks of a chaos run cover every request: all acknowledged writes are stored, none twice,
// replays are identical on both versions, and `florin verify` finds no difference. Every event is
// delivered once. The only 5xx is a 503 with Retry-After, for at most one request in twenty: a
// change that waits too long, for a table or for the machine, is rejected.

import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../../src/operations/seeding/random.ts'
import { knownMigrations, pendingMigrations } from '../../src/postgres/migrate.ts'
import { version } from '../../src/version.ts'
import { runToEnd } from '../cli/florin-process.ts'
import { toUrl } from '../cli/shared-database.ts'
import { findFreePort } from '../support/free-port.ts'
import { makeNextVersion, unpackVersion } from '../support/next-version.ts'
import { dropDatabase, emptyDatabase, stopOwnServer } from '../support/postgres.ts'
import { installPreviousVersion } from '../support/previous-version.ts'
import { until } from '../support/until.ts'
import { checkHistory } from './checks/all-checks.ts'
import { Client } from './clients/client.ts'
import { openWorld } from './clients/open-world.ts'
import { runClient } from './clients/run-client.ts'
import { type Request, Sender } from './clients/send.ts'
import type { Shop, World } from './clients/world.ts'
import { countPending, countUndelivered, readFinal } from './final-reads.ts'
import { Recorder } from './record.ts'
import { settingsOf } from './servers/fleet.ts'
import { FlorinServer, launcher } from './servers/florin-server.ts'
import { Guard } from './servers/guard-client.ts'
import type { RunDatabase } from './servers/run-database.ts'
import { openWebhookSink } from './webhook-sink.ts'

after(stopOwnServer)

const clients_count = 6
// With one second, the server with the fewest responses sent 157 of them; the check needs 50.
const load_ms = process.env.FLORIN_LONG ? 5_000 : 1_000

// The last version ends with its contract.
const known = knownMigrations()
const previous = known.findLastIndex((name, at) => /_finish_/.test(name) && at < known.length - 1)

/** What waits for the end of the upgrade to 0.2: a request of each kind. */
async function newIn_0_2(send: Send, to_account_id: string): Promise<[string, object?][]> {
  const destination = { name: 'Shop', iban: 'CH93 0076 2011 6238 5295 7' }
  const set = await send(2, 'PATCH /v1/account/payout_destination', destination)
  assert.equal(set.status, 200, JSON.stringify(set.body))
  const findPaid = async () => (await send(2, 'GET /v1/payments?status=succeeded')).body.data[0]
  await until(async () => (await findPaid()) !== undefined, 'a paid payment request')
  return [
    ['POST /v1/transfers', { amount: 1, currency: 'USD', to_account_id }],
    ['POST /v1/payouts', { amount: 1 }],
    [`GET /v1/payments/${(await findPaid()).id}/receipt`],
  ]
}

async function expectVersions(send: Send, from: string, to: string): Promise<void> {
  const versionOf = async (server: number) =>
    (await send(server, 'GET /openapi.json')).body.info.version
  assert.notEqual(from, to)
  assert.deepEqual([await versionOf(0), await versionOf(2)], [from, to])
}

test('an upgrade under load loses nothing, and repeats nothing', async (t) => {
  const installed = await installPreviousVersion()
  if ('missing' in installed) return t.skip(installed.missing)
  await upgrade(t, {
    from: installed.launcher,
    to: launcher,
    applied: known.slice(previous + 1, -1),
    waiting: known.slice(-1),
    // The previous version must not see these.
    async whileBothRun(send, to_account_id) {
      await expectVersions(send, installed.version, version)
      for (const [route, body] of await newIn_0_2(send, to_account_id)) {
        const refused = await send(2, route, body)
        assert.equal(refused.status, 503, route)
        assert.match(refused.body.message, /until the upgrade of the server is finished/)
      }
    },
    async afterwards(send, to_account_id) {
      for (const [route, body] of await newIn_0_2(send, to_account_id)) {
        const { status } = await send(3, route, body)
        assert.ok(status === 200 || status === 201, `${route}: ${status}`)
      }
    },
  })
})

const tarball = process.env.FLORIN_PREVIOUS_TARBALL

test('a packed version is upgraded to the next one under load', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-next-'))
  t.after(() => rm(directory, { recursive: true }))
  const packed = await unpackVersion(directory, tarball && resolve(tarball))
  const next = await openNextVersion(directory, packed.migrations)
  await upgrade(t, {
    ...next,
    from: packed.launcher,
    to: next.launcher,
    async whileBothRun(send) {
      await expectVersions(send, packed.version, next.version)
    },
    async afterwards() {},
  })
})

/** This tree, if a release is given, and a version that is made from it otherwise. */
async function openNextVersion(directory: string, packed_migrations: string[]) {
  if (!tarball) return makeNextVersion(directory)
  const { next, waiting } = pendingMigrations(packed_migrations)
  return { launcher, version, applied: next, waiting }
}

/**
 * A request of an owner, such as `GET /v1/payments`, by the number of the server: two previous
 * ones, then two new ones.
 */
type Send = (server: number, route: string, body?: object) => Promise<SentResponse>

interface SentResponse {
  status: number | null
  body: ReturnType<typeof JSON.parse>
}

interface Upgrade {
  from: string
  to: string
  /** The migrations that `florin migrate` and `florin migrate --finish` apply. */
  applied: string[]
  waiting: string[]
  /** With another account than that of the requests. */
  whileBothRun(send: Send, other_id: string): Promise<void>
  afterwards(send: Send, other_id: string): Promise<void>
}

async function upgrade(t: TestContext, options: Upgrade): Promise<void> {
  const { from, to, applied, waiting } = options
  const run = await openRun(t, [from, from, to, to])
  const { recorder, sender, env } = run
  const [old_a, old_b, new_a, new_b] = run.servers
  await Promise.all([old_a!.start(), old_b!.start()])
  const sink = await openWebhookSink(recorder)
  t.after(() => sink.close())
  const world = await openWorld(sender, sink.url)
  const [shop, other] = world.shops as [Shop, Shop]
  const send: Send = async (server, route, body) => {
    const [method, path] = route.split(' ') as [Request['method'], string]
    const request: Request = { method, path, token: shop.token, body }
    const { status, text } = await sender.send(server, request)
    return { status, body: JSON.parse(text) }
  }

  const load = startLoad(run, world)
  t.after(() => load.stop())
  await sleep(load_ms)
  const migrated = await runToEnd(['migrate', '--json'], { env, script: to })
  assert.equal(migrated.code, 0, migrated.stderr)
  assert.deepEqual(JSON.parse(migrated.stdout).applied, applied)
  assert.deepEqual(JSON.parse(migrated.stdout).waiting, waiting)
  await sleep(load_ms)
  await new_a!.start()
  await options.whileBothRun(send, other.account)
  await sleep(load_ms)
  await stop(run, old_a!)
  await new_b!.start()
  await sleep(load_ms)
  await stop(run, old_b!)

  await sleep(load_ms / 2)
  const finished = await runToEnd(['migrate', '--finish', '--json'], { env, script: to })
  assert.equal(finished.code, 0, finished.stderr)
  assert.deepEqual(JSON.parse(finished.stdout).applied, waiting)
  await options.afterwards(send, other.account)
  await sleep(load_ms / 2)
  await load.stop()

  await untilSettled(run)
  await sink.close()
  recorder.add(await readFinal(run, to))
  checkRun(t, run)
}

function checkRun(t: TestContext, run: Run): void {
  const { history } = run.recorder
  assert.deepEqual(
    run.servers.flatMap(({ unexpected_exits }) => unexpected_exits),
    [],
  )
  assert.deepEqual(checkHistory(history), [])
  assert.deepEqual(history.final.differences, [])
  const rejected = history.attempts.filter(({ status }) => (status ?? 0) >= 500)
  if (rejected.length > 0) t.diagnostic(`${rejected.length} × 503; logged:\n${run.readLog()}`)
  assert.deepEqual(
    rejected.filter(({ status, retry_after }) => status !== 503 || !retry_after),
    [],
  )
  assert.ok(rejected.length * 20 <= history.attempts.length, `${rejected.length} × 503`)
  const events = history.webhooks.map(({ event }) => event)
  assert.equal(events.length, new Set(events).size)
  const acknowledged = (server: number) =>
    history.attempts.filter((one) => one.server === server && one.result === 'ok').length
  const served = run.servers.map((_, server) => acknowledged(server))
  t.diagnostic(`${served.join(' + ')} responses, ${events.length} webhooks`)
  for (const count of served) assert.ok(count > 50, `a server sent ${count} responses`)
  assert.ok(events.length > 50, `${events.length} webhooks`)
}

interface Run {
  /** Two of the previous version, then two of the next one. */
  servers: FlorinServer[]
  sender: Sender
  recorder: Recorder
  database: RunDatabase
  env: Record<string, string | undefined>
  /** The last warnings and errors of the servers. */
  readLog(): string
}

async function openRun(t: TestContext, launchers: string[]): Promise<Run> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-upgrade-'))
  t.after(() => rm(directory, { recursive: true }))
  const { connection, name } = await emptyDatabase()
  t.after(() => dropDatabase(name))
  const guard = new Guard()
  t.after(() => guard.end())
  const log_path = join(directory, 'servers.log')
  const log_fd = openSync(log_path, 'w', 0o600)
  t.after(() => closeSync(log_fd))
  const env = { ...settingsOf(directory, undefined), DATABASE_URL: toUrl(connection, name) }
  const servers: FlorinServer[] = []
  for (const launcher_path of launchers) {
    const port = await findFreePort()
    const server_env = { ...env, PORT: String(port) }
    const server = new FlorinServer({
      port,
      env: server_env,
      log_fd,
      log_path,
      guard,
      launcher_path,
    })
    t.after(() => server.kill())
    servers.push(server)
  }
  const sender = new Sender(
    servers.map(({ port }) => port),
    clients_count,
  )
  t.after(() => sender.close())
  const recorder = new Recorder(join(directory, 'history.jsonl'))
  t.after(() => recorder.close())
  const database: RunDatabase = {
    kind: 'external',
    connection: async () => connection,
    pids: async () => [],
    remove: async () => {},
  }
  const readLog = () => readFileSync(log_path, 'utf8').slice(-5_000)
  return { servers, sender, recorder, database, env, readLog }
}

function startLoad({ servers, sender, recorder }: Run, world: World): { stop(): Promise<void> } {
  const serversUp = () => servers.flatMap(({ is_up }, number) => (is_up ? [number] : []))
  const clients = Array.from({ length: clients_count }, (_, number) => {
    return new Client({
      number,
      random: new Random(1, 'client', number),
      world,
      sender,
      recorder,
      serversUp,
      chooseServer: (random) => random.pick(serversUp()),
      until_ms: Number.POSITIVE_INFINITY,
    })
  })
  const running = Promise.all(clients.map(runClient))
  return {
    async stop() {
      for (const client of clients) client.until_ms = recorder.now()
      await running
    },
  }
}

/** A load balancer sends no new requests to a server that is about to stop. */
async function stop({ recorder }: Run, server: FlorinServer): Promise<void> {
  const begun_ms = recorder.now()
  server.is_up = false
  await sleep(500)
  const exit = await server.stop()
  recorder.add({ kind: 'fault', name: 'stop-server', begun_ms, healed_ms: recorder.now(), exit })
}

async function untilSettled(run: Run): Promise<void> {
  for (let attempts_left = 100; attempts_left > 0; attempts_left--) {
    const open = await countPending(run)
    const undelivered = await countUndelivered(run, run.recorder.history)
    if (open + undelivered === 0) return
    await sleep(300)
  }
  assert.fail('transactions were not settled, or events not delivered, within 30 seconds')
}

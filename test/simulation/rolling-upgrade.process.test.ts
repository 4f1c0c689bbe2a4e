// Upgrades two servers of the previous version one after the other, as docs/guides/upgrade.md does,
// while clients send requests to all servers that run.
//
// The checks of a chaos run cover every request: all acknowledged writes are stored, none twice,
// replays are identical on both versions, and `florin verify` finds no difference. Every event is
// delivered once. The only 5xx is a 503 on the payment page: a card is not charged while the
// changes of its account wait, for a table or for the machine.

import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../../src/operations/seeding/random.ts'
import { knownMigrations } from '../../src/postgres/migrate.ts'
import { runToEnd } from '../cli/florin-process.ts'
import { toUrl } from '../cli/shared-database.ts'
import { findFreePort } from '../support/free-port.ts'
import { dropDatabase, emptyDatabase, stopOwnServer } from '../support/postgres.ts'
import { installPreviousVersion } from '../support/previous-version.ts'
import { checkHistory } from './checks/all-checks.ts'
import { Client } from './clients/client.ts'
import { openWorld } from './clients/open-world.ts'
import { runClient } from './clients/run-client.ts'
import { type Request, Sender } from './clients/send.ts'
import type { World } from './clients/world.ts'
import { countPending, countUndelivered, readFinal } from './final-reads.ts'
import { Recorder } from './record.ts'
import { settingsOf } from './servers/fleet.ts'
import { FlorinServer, launcher } from './servers/florin-server.ts'
import { Guard } from './servers/guard-client.ts'
import type { RunDatabase } from './servers/run-database.ts'
import { openWebhookSink } from './webhook-sink.ts'

after(stopOwnServer)

const clients_count = 6
const load_ms = 2_000

// The migrations that the previous version has.
const previous = 9

test('an upgrade under load loses nothing, and repeats nothing', async (t) => {
  const installed = await installPreviousVersion()
  if ('missing' in installed) return t.skip(installed.missing)
  const run = await openRun(t, installed.launcher)
  const { recorder, sender, env } = run
  const [old_a, old_b, new_a, new_b] = run.servers
  await Promise.all([old_a!.start(), old_b!.start()])
  const sink = await openWebhookSink(recorder)
  t.after(() => sink.close())
  const world = await openWorld(sender, sink.url)
  const shop = world.shops[0]!
  const send = async (server: number, path: string, body?: unknown) => {
    const method = body === undefined ? 'GET' : 'POST'
    const request: Request = { method, path, token: shop.token, body }
    const { status, text } = await sender.send(server, request)
    return { status, body: JSON.parse(text) }
  }
  const link = { title: 'Tickets', amount: 1_500 }

  const load = startLoad(run, world)
  t.after(() => load.stop())
  await sleep(load_ms)
  const migrated = await runToEnd(['migrate', '--json'], { env })
  assert.equal(migrated.code, 0, migrated.stderr)
  const waiting = knownMigrations().slice(-1)
  const expected = knownMigrations().slice(previous, -waiting.length)
  assert.deepEqual(JSON.parse(migrated.stdout).applied, expected)
  assert.deepEqual(JSON.parse(migrated.stdout).waiting, waiting)
  await sleep(load_ms)
  await new_a!.start()

  // Both versions run. The previous one does not know customers, and must not see links.
  const customer = { account_id: shop.account, amount: 700, currency: 'USD' }
  const request = { ...customer, customer_email: 'Late@example.com' }
  assert.equal((await send(0, '/v1/payments', request)).status, 201)
  const refused = await send(2, '/v1/payment_links', link)
  assert.equal(refused.status, 503)
  assert.match(refused.body.message, /until the upgrade of the server is finished/)
  await sleep(load_ms)
  await stop(run, old_a!)
  await new_b!.start()
  await sleep(load_ms)
  await stop(run, old_b!)

  await sleep(load_ms / 2)
  const finished = await runToEnd(['migrate', '--finish', '--json'], { env })
  assert.equal(finished.code, 0, finished.stderr)
  assert.deepEqual(JSON.parse(finished.stdout).applied, waiting)
  assert.equal((await send(3, '/v1/payment_links', link)).status, 201)
  const found = await send(2, '/v1/customers?email=late')
  assert.deepEqual(
    found.body.data.map(({ email }: { email: string }) => email),
    ['Late@example.com'],
  )
  await sleep(load_ms / 2)
  await load.stop()

  await untilSettled(run)
  await sink.close()
  recorder.add(await readFinal(run))
  const { history } = recorder
  assert.deepEqual(
    run.servers.flatMap(({ unexpected_exits }) => unexpected_exits),
    [],
  )
  assert.deepEqual(checkHistory(history), [])
  assert.deepEqual(history.final.differences, [])
  const rejected = history.attempts.filter(({ status }) => (status ?? 0) >= 500)
  if (rejected.length > 0) t.diagnostic(`${rejected.length} × 503; logged:\n${run.readLog()}`)
  assert.deepEqual(
    rejected.filter(({ operation, status }) => operation !== 'pay' || status !== 503),
    [],
  )
  assert.ok(rejected.length * 100 <= history.attempts.length, `${rejected.length} × 503`)
  const events = history.webhooks.map(({ event }) => event)
  assert.equal(events.length, new Set(events).size)
  const acknowledged = (server: number) =>
    history.attempts.filter((one) => one.server === server && one.result === 'ok').length
  const served = run.servers.map((_, server) => acknowledged(server))
  t.diagnostic(`${served.join(' + ')} responses, ${events.length} webhooks`)
  for (const count of served) assert.ok(count > 50, `a server sent ${count} responses`)
  assert.ok(events.length > 50, `${events.length} webhooks`)
})

interface Run {
  /** Two of the previous version, then two of this one. */
  servers: FlorinServer[]
  sender: Sender
  recorder: Recorder
  database: RunDatabase
  env: Record<string, string | undefined>
  /** The last warnings and errors of the servers. */
  readLog(): string
}

async function openRun(t: TestContext, previous_launcher: string): Promise<Run> {
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
  for (const launcher_path of [previous_launcher, previous_launcher, launcher, launcher]) {
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

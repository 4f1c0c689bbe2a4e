// What callers see when the database is refused, cut off, silent, slow or locked: 503 with
// Retry-After, never 500, in bounded time, and everything works again without a restart.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { findUuid } from '../../src/primitives/ids.ts'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { ask } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { assertErrorShape } from '../support/raw.ts'
import { until } from '../support/until.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()

// Ten seconds are promised; the others are for a machine that is busy with other tests.
const answered_within_ms = 20_000

interface Told {
  what: string
  response: ApiResponse
  ms: number
}

/** A Florin with a proxy of its own before the database, and with an account of its own. */
async function startPlace() {
  const proxy = await startProxy(florin.connection)
  const behind = await florin.startSecondServer({}, proxy.connection)
  const owner = await florin.people.owner()
  const { email, password, token } = owner

  async function tell(method: string, path: string, options: CallOptions = {}): Promise<Told> {
    const started = performance.now()
    const response = await behind.call(method, path, options)
    return { what: `${method} ${path}`, response, ms: performance.now() - started }
  }

  const change = (who = owner) =>
    tell('PATCH', '/v1/account', { token: who.token, body: { name: `Acme ${Math.random()}` } })

  /** One request of every kind that needs the database: reads, writes, batches, log-ins. */
  const everyKind = () => [
    tell('GET', '/v1/account', { token }),
    tell('GET', '/v1/users?search=abc', { token: admin.token }),
    tell('GET', '/v1/auth/sessions', { token }),
    change(),
    tell('POST', '/v1/auth/login', { body: { email, password } }),
    tell('POST', '/v1/auth/refresh', { body: { refresh_token: 'frt_unknown' } }),
    tell('POST', '/v1/users', { body: credentials('trouble') }),
    tell('GET', '/readyz'),
  ]

  async function assertWorking(): Promise<void> {
    const found = (await Promise.all(everyKind())).map((told) => told.response.status)
    assert.deepEqual(found, [200, 200, 200, 200, 200, 401, 201, 200])
  }

  async function assertAlive(): Promise<void> {
    assert.equal((await tell('GET', '/livez')).response.status, 200)
  }

  return { proxy, pool: behind.db.pool, owner, tell, change, everyKind, assertWorking, assertAlive }
}

function assertUnavailable({ what, response, ms }: Told): void {
  assert.equal(response.status, 503, `${what}: ${response.text}`)
  assertErrorShape(response, what)
  assert.equal(response.body.error, 'unavailable', what)
  assert.ok(Number(response.headers.get('retry-after')) >= 1, what)
  assert.ok(ms < answered_within_ms, `${what} took ${ms} ms`)
}

/** In the middle of trouble a request may still succeed; it may not fail in another way. */
function assertServedOrUnavailable(told: Told): void {
  if (told.response.status === 503) assertUnavailable(told)
  assert.ok(told.ms < answered_within_ms, `${told.what} took ${told.ms} ms`)
  assert.notEqual(told.response.status, 500, `${told.what}: ${told.response.text}`)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a database that refuses connections is 503, and back at once when it is back', async () => {
  const { proxy, everyKind, assertWorking, assertAlive } = await startPlace()
  await assertWorking()
  await proxy.refuse()
  for (let round = 0; round < 3; round++) {
    for (const told of await Promise.all(everyKind())) assertUnavailable(told)
    await assertAlive()
  }
  await proxy.heal()
  await assertWorking()
})

test('connections that are cut under way are 503 at the most', async () => {
  const { proxy, everyKind, assertWorking } = await startPlace()
  let unavailable = 0
  for (let round = 0; round < 20; round++) {
    const told = everyKind()
    await pause(round % 10)
    proxy.cut()
    for (const one of await Promise.all(told)) {
      assertServedOrUnavailable(one)
      if (one.response.status === 503) unavailable += 1
    }
  }
  assert.ok(unavailable >= 5, `only ${unavailable} requests met a cut: nothing was tested`)
  await assertWorking()
})

test('backends that an operator ends are 503 at the most', async () => {
  const { everyKind, assertWorking } = await startPlace()
  let unavailable = 0
  for (let round = 0; round < 10; round++) {
    const told = everyKind()
    await pause(round)
    await ask(
      florin.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and not pid = any('{${ownPids()}}'::int[])`,
    )
    for (const one of await Promise.all(told)) {
      assertServedOrUnavailable(one)
      if (one.response.status === 503) unavailable += 1
    }
  }
  assert.ok(unavailable >= 3, `only ${unavailable} requests met an end: nothing was tested`)
  await assertWorking()
})

/** The backends of the test's own pool, which makes people and looks at the books. */
function ownPids(): string {
  const { _clients } = florin.db.pool as unknown as { _clients: { processID: number }[] }
  return _clients.map((client) => client.processID).join(',')
}

describe('trouble that takes long', { concurrency: true }, () => {
  test('a database that says nothing more is 503 in time, however many wait', async () => {
    const { proxy, pool, tell, everyKind, assertWorking, assertAlive } = await startPlace()
    await assertWorking()
    proxy.swallow()
    const waves = [everyKind(), everyKind(), everyKind()]
    await pause(2_500)
    waves.push(everyKind(), everyKind())
    await assertAlive()
    for (const told of await Promise.all(waves.flat())) assertUnavailable(told)
    await assertAlive()
    // No connection is waited on for ever: all are given up while nothing comes through yet.
    const give_up_at = Date.now() + 15_000
    while (pool.totalCount > pool.idleCount) {
      assert.ok(Date.now() < give_up_at, `${pool.totalCount - pool.idleCount} clients are stuck`)
      await pause(50)
    }
    await proxy.heal()
    // A caller searches one thing at a time, and an earlier search may still be waiting.
    const search = () => tell('GET', '/v1/users?search=abc', { token: admin.token })
    await until(async () => (await search()).response.status === 200)
    await assertWorking()
  })

  test('a slow database is slow, but every request is answered in time', async () => {
    const { proxy, everyKind, assertWorking } = await startPlace()
    proxy.delay(800)
    const waves = [everyKind(), everyKind()]
    await pause(1_000)
    waves.push(everyKind())
    const told = await Promise.all(waves.flat())
    for (const one of told) assertServedOrUnavailable(one)
    // A log-in asks too often to be done in time, so the deadline was met at least once.
    assert.ok(told.some((one) => one.response.status === 503))
    await proxy.heal()
    await assertWorking()
  })

  test('an account whose lock is held is 503 until it is free, and others go on', async () => {
    const { owner, tell, change } = await startPlace()
    const other = await florin.people.owner()
    await whileHeld('balances', 'account_id', findUuid('account', owner.account_id)!, async () => {
      const waiting = [change(), change()]
      assert.equal((await change(other)).response.status, 200)
      const read = await tell('GET', '/v1/account', { token: owner.token })
      assert.equal(read.response.status, 200, 'reading takes no lock')
      for (const told of await Promise.all(waiting)) assertUnavailable(told)
    })
    let patient: Promise<Told> | undefined
    await whileHeld('balances', 'account_id', findUuid('account', owner.account_id)!, async () => {
      patient = change()
      await pause(500)
    })
    assert.equal((await patient)?.response.status, 200, 'who waits long enough is served')
  })

  test('a user whose row is held cannot log in until it is free', async () => {
    const { owner, tell } = await startPlace()
    const { email, password } = owner
    const logIn = () => tell('POST', '/v1/auth/login', { body: { email, password } })
    await whileHeld('users', 'id', findUuid('user', owner.id)!, async () => {
      assertUnavailable(await logIn())
    })
    assert.equal((await logIn()).response.status, 200)
  })
})

/** Somebody else's session holds the row until the work is done. */
async function whileHeld(
  table: string,
  key: string,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  const holder = new pg.Client(florin.connection)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(`select 1 from ${table} where ${key} = $1 for update`, [id])
    await work()
  } finally {
    await holder.end()
  }
}

// When the database refuses connections, drops them, hangs, is slow or locked, callers get 503
// with Retry-After, never 500, in bounded time. Everything recovers without a restart.

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

// The limit is ten seconds; the rest is slack for a busy machine.
const respond_within_ms = 20_000

interface TimedResponse {
  what: string
  response: ApiResponse
  ms: number
}

/** A separate server and account, with a proxy in front of the database. */
async function startBehindProxy() {
  const proxy = await startProxy(florin.connection)
  const behind = await florin.startSecondServer({}, proxy.connection)
  const owner = await florin.people.owner()
  const { email, password, token } = owner

  async function send(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<TimedResponse> {
    const started = performance.now()
    const response = await behind.call(method, path, options)
    return { what: `${method} ${path}`, response, ms: performance.now() - started }
  }

  const change = (who = owner) =>
    send('PATCH', '/v1/account', { token: who.token, body: { name: `Acme ${Math.random()}` } })

  /** One request of each kind that needs the database: reads, writes, batches, logins. */
  const everyKind = () => [
    send('GET', '/v1/account', { token }),
    send('GET', '/v1/users?search=abc', { token: admin.token }),
    send('GET', '/v1/auth/sessions', { token }),
    change(),
    send('POST', '/v1/auth/login', { body: { email, password } }),
    send('POST', '/v1/auth/refresh', { body: { refresh_token: 'frt_unknown' } }),
    send('POST', '/v1/users', { body: credentials('outage') }),
    send('GET', '/readyz'),
  ]

  async function assertWorking(): Promise<void> {
    const found = (await Promise.all(everyKind())).map((result) => result.response.status)
    assert.deepEqual(found, [200, 200, 200, 200, 200, 401, 201, 200])
  }

  async function assertAlive(): Promise<void> {
    assert.equal((await send('GET', '/livez')).response.status, 200)
  }

  return { proxy, pool: behind.db.pool, owner, send, change, everyKind, assertWorking, assertAlive }
}

function assertUnavailable({ what, response, ms }: TimedResponse): void {
  assert.equal(response.status, 503, `${what}: ${response.text}`)
  assertErrorShape(response, what)
  assert.equal(response.body.error, 'unavailable', what)
  assert.ok(Number(response.headers.get('retry-after')) >= 1, what)
  assert.ok(ms < respond_within_ms, `${what} took ${ms} ms`)
}

/** During an outage a request may still succeed, but must not fail in another way. */
function assertServedOrUnavailable(result: TimedResponse): void {
  if (result.response.status === 503) assertUnavailable(result)
  assert.ok(result.ms < respond_within_ms, `${result.what} took ${result.ms} ms`)
  assert.notEqual(result.response.status, 500, `${result.what}: ${result.response.text}`)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('returns 503 while the database refuses connections, and recovers at once', async () => {
  const { proxy, everyKind, assertWorking, assertAlive } = await startBehindProxy()
  await assertWorking()
  await proxy.refuse()
  for (let round = 0; round < 3; round++) {
    for (const result of await Promise.all(everyKind())) assertUnavailable(result)
    await assertAlive()
  }
  await proxy.heal()
  await assertWorking()
})

test('dropped connections cause at most 503', async () => {
  const { proxy, everyKind, assertWorking } = await startBehindProxy()
  let unavailable = 0
  for (let round = 0; round < 20; round++) {
    const sent = everyKind()
    await pause(round % 10)
    proxy.cut()
    for (const result of await Promise.all(sent)) {
      assertServedOrUnavailable(result)
      if (result.response.status === 503) unavailable += 1
    }
  }
  assert.ok(unavailable >= 5, `only ${unavailable} lost connections: nothing was tested`)
  await assertWorking()
})

test('terminated backends cause at most 503', async () => {
  const { everyKind, assertWorking } = await startBehindProxy()
  let unavailable = 0
  for (let round = 0; round < 10; round++) {
    const sent = everyKind()
    await pause(round)
    await ask(
      florin.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and not pid = any('{${ownPids()}}'::int[])`,
    )
    for (const result of await Promise.all(sent)) {
      assertServedOrUnavailable(result)
      if (result.response.status === 503) unavailable += 1
    }
  }
  assert.ok(unavailable >= 3, `only ${unavailable} lost backends: nothing was tested`)
  await assertWorking()
})

/** The backends of the test's pool, which creates users and checks the ledger. */
function ownPids(): string {
  const { _clients } = florin.db.pool as unknown as { _clients: { processID: number }[] }
  return _clients.map((client) => client.processID).join(',')
}

describe('long outages', { concurrency: true }, () => {
  test('returns 503 in time when the database hangs, however many requests wait', async () => {
    const { proxy, pool, send, everyKind, assertWorking, assertAlive } = await startBehindProxy()
    await assertWorking()
    proxy.swallow()
    const waves = [everyKind(), everyKind(), everyKind()]
    await pause(2_500)
    waves.push(everyKind(), everyKind())
    await assertAlive()
    for (const result of await Promise.all(waves.flat())) assertUnavailable(result)
    await assertAlive()
    // Every connection is abandoned while the database still hangs.
    const give_up_at = Date.now() + 15_000
    while (pool.totalCount > pool.idleCount) {
      assert.ok(Date.now() < give_up_at, `${pool.totalCount - pool.idleCount} clients are stuck`)
      await pause(50)
    }
    await proxy.heal()
    // A caller may run one search at a time, and an earlier one may still be waiting.
    const search = () => send('GET', '/v1/users?search=abc', { token: admin.token })
    await until(async () => (await search()).response.status === 200)
    await assertWorking()
  })

  test('every request gets a response in time from a slow database', async () => {
    const { proxy, everyKind, assertWorking } = await startBehindProxy()
    proxy.delay(800)
    const waves = [everyKind(), everyKind()]
    await pause(1_000)
    waves.push(everyKind())
    const results = await Promise.all(waves.flat())
    for (const result of results) assertServedOrUnavailable(result)
    // A login needs too many queries to finish in time, so at least one deadline was hit.
    assert.ok(results.some((result) => result.response.status === 503))
    await proxy.heal()
    await assertWorking()
  })

  test('returns 503 for a locked account, and serves other accounts', async () => {
    const { owner, send, change } = await startBehindProxy()
    const other = await florin.people.owner()
    await whileLocked(
      'balances',
      'account_id',
      findUuid('account', owner.account_id)!,
      async () => {
        const waiting = [change(), change()]
        assert.equal((await change(other)).response.status, 200)
        const read = await send('GET', '/v1/account', { token: owner.token })
        assert.equal(read.response.status, 200, 'reading takes no lock')
        for (const result of await Promise.all(waiting)) assertUnavailable(result)
      },
    )
    let patient: Promise<TimedResponse> | undefined
    await whileLocked(
      'balances',
      'account_id',
      findUuid('account', owner.account_id)!,
      async () => {
        patient = change()
        await pause(500)
      },
    )
    assert.equal((await patient)?.response.status, 200, 'served once the lock is released')
  })

  test('a user whose row is locked cannot log in until it is released', async () => {
    const { owner, send } = await startBehindProxy()
    const { email, password } = owner
    const logIn = () => send('POST', '/v1/auth/login', { body: { email, password } })
    await whileLocked('users', 'id', findUuid('user', owner.id)!, async () => {
      assertUnavailable(await logIn())
    })
    assert.equal((await logIn()).response.status, 200)
  })
})

/** Another database session locks the row until the work is done. */
async function whileLocked(
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

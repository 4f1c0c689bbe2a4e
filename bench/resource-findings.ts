// Findings about shared resources: what one caller takes from the others or leaves behind.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid } from '../src/primitives/ids.ts'
import { type ApiResponse, call } from '../test/support/call.ts'
import { credentials, type Owner } from '../test/support/people.ts'
import { addMembers, addPaused, addSucceeded, addUsedTokens } from './many-rows.ts'
import { attack, httpRequest } from './processes.ts'
import {
  callOk,
  createEndpoint,
  createKey,
  createTransaction,
  isServed,
  type Scene,
} from './scene.ts'
import { median } from './statistics.ts'

/** Rows of transactions that the server reads for each request. */
export async function listNextToLargeAccount(scene: Scene): Promise<number> {
  const large = { type: 'payment', amount: 100, count: 300_000 } as const
  await addSucceeded(scene.db, uuidOf(await scene.people.owner()), large)
  const owner = await scene.people.owner()
  await createTransaction(scene, owner)
  const before = await countRowsRead(scene)
  const requests = 9
  for (let sent = 0; sent < requests; sent++) {
    await callOk(scene, 'GET', '/v1/transactions', { token: owner.token })
    // PostgreSQL reports what a connection has read at most once per second.
    await sleep(500)
  }
  return Math.round(((await countRowsRead(scene)) - before) / requests)
}

async function countRowsRead({ db }: Scene): Promise<number> {
  const { rows } = await db.pool.query<{ read: string }>(
    `select sum(seq_tup_read + idx_tup_fetch) as read
     from pg_stat_user_tables
     where relname like 'transactions%'`,
  )
  return Number(rows[0]!.read)
}

/** An admin suspends a user that renewed its session for hours. */
export async function suspendAfterRenewals(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const { id, token } = owner
  await addUsedTokens(scene.db, uuidOf(owner), 600_000)
  const admin = await scene.people.admin()
  const started = performance.now()
  const suspension = { token: admin.token, body: { status: 'suspended' } }
  const elapsedMs = () => Math.round(performance.now() - started)
  while (elapsedMs() < 15_000) {
    await call(scene.url, 'PATCH', `/v1/users/${id}`, suspension)
    const { status } = await call(scene.url, 'GET', '/v1/account', { token })
    if (status === 401) break
  }
  return elapsedMs()
}

/** Sign-ups with an email that exists cost a password hash each. */
export async function delayLogins(scene: Scene): Promise<number> {
  const user = credentials('user')
  await callOk(scene, 'POST', '/v1/users', { body: user })
  const signup = JSON.stringify({ ...user, password: 'another-password' })
  const flood = attack({
    port: Number(new URL(scene.url).port),
    connections: 80,
    rate: 80,
    seconds: 12,
    requests: [httpRequest('POST', '/v1/users', ['content-type: application/json'], signup)],
  })
  await sleep(2_000)
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const { status } = await call(scene.url, 'POST', '/v1/auth/login', { body: user })
    times.push(status === 200 ? performance.now() - started : 10_000)
  }
  if (!(await flood)[409]) throw new Error('no sign-up reached the check of its email')
  return Math.round(median(times))
}

/** Slowest read of another account while eleven accounts with 1 000 members are closed. */
export async function closeWithMembers(scene: Scene): Promise<number> {
  const owners: Owner[] = []
  while (owners.length < 11) owners.push(await scene.people.owner())
  await addMembers(scene.db, owners.map(uuidOf))
  return slowestRead(scene, () => Promise.all(owners.map((owner) => closeAccount(scene, owner))))
}

export async function closeWithSubscriptions(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  await addPaused(scene.db, uuidOf(owner), 150_000)
  return slowestRead(scene, () => closeAccount(scene, owner))
}

async function closeAccount({ url }: Scene, { token }: Owner): Promise<boolean> {
  return isServed(await call(url, 'DELETE', '/v1/account', { token }), 503)
}

/** In milliseconds; ten seconds if a read fails. */
async function slowestRead(scene: Scene, work: () => Promise<unknown>): Promise<number> {
  const { token } = await scene.people.owner()
  let is_working = true
  const working = work().finally(() => {
    is_working = false
  })
  let slowest_ms = 0
  do {
    const started = performance.now()
    const { status } = await call(scene.url, 'GET', '/v1/account', { token })
    slowest_ms = Math.max(slowest_ms, status === 200 ? performance.now() - started : 10_000)
    await sleep(20)
  } while (is_working)
  await working
  return Math.round(slowest_ms)
}

/** Two accounts use up the limit of an inbox. Then a shop requests a payment and is paid. */
export async function suppressEmails(scene: Scene): Promise<number> {
  const customer_email = 'customer@example.com'
  const request = async (owner: Owner, reference: string): Promise<string> => {
    const { account_id, token } = owner
    const body = { account_id, amount: 100, currency: 'USD', customer_email, reference }
    return (await callOk(scene, 'POST', '/v1/payments', { token, body })).body.id
  }
  const arrived = (text: string) =>
    scene.emails.filter(({ to, raw }) => to.includes(customer_email) && raw.includes(text)).length
  const admin = await scene.people.admin()
  for (const attacker of [await scene.people.owner(), await scene.people.owner()]) {
    for (let n = 0; n < 10; n++) await request(attacker, 'unwanted')
  }
  await waitFor(20_000, () => arrived('unwanted') >= 20)
  if (arrived('unwanted') < 20) throw new Error('the attackers did not reach the limit')
  const id = await request(await scene.people.owner(), 'honest')
  // A request that is paid at once is not sent.
  await waitFor(5_000, () => arrived('honest') >= 1)
  const settled = { token: admin.token, body: { outcome: 'succeeded' } }
  await callOk(scene, 'POST', `/v1/payments/${id}/settle`, settled)
  await waitFor(5_000, () => arrived('honest') >= 2)
  return 2 - arrived('honest')
}

async function waitFor(timeout_ms: number, condition: () => boolean): Promise<void> {
  const ends_at = performance.now() + timeout_ms
  while (!condition() && performance.now() < ends_at) await sleep(50)
}

/** Endpoints without events, on unused accounts. */
export async function delayFirstAttempt(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const received: string[] = []
  const receiver = createServer(async (request, response) => {
    received.push((await request.toArray()).join(''))
    response.end()
  })
  await createEndpoint(scene, owner, await listen(receiver))
  await addIdleEndpoints(scene, owner)
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    const { body } = await createTransaction(scene, owner)
    const started = performance.now()
    await waitFor(15_000, () => received.some((text) => text.includes(body.id)))
    times.push(performance.now() - started)
  }
  receiver.close()
  return Math.round(median(times))
}

async function addIdleEndpoints({ db }: Scene, owner: Owner): Promise<void> {
  const account_id = uuidOf(owner)
  await db.pool.query(
    `insert into balances (account_id, currency, status, available, incoming, held,
       posting_sequence, event_sequence, last_transaction_id, last_at)
     select gen_random_uuid(), currency, status, 0, 0, 0, 0, 0, last_transaction_id, last_at
     from balances, generate_series(1, 5000)
     where account_id = $1`,
    [account_id],
  )
  const added = await db.pool.query(
    `insert into webhook_endpoints (account_id, id, url, events, status, secret, event_sequence,
       updated_at)
     select balances.account_id, gen_random_uuid(), url, events, webhook_endpoints.status, secret,
       0, updated_at
     from webhook_endpoints, balances, generate_series(1, 20)
     where webhook_endpoints.account_id = $1 and balances.event_sequence = 0`,
    [account_id],
  )
  if (added.rowCount! < 100_000) throw new Error(`only ${added.rowCount} endpoints were added`)
  await db.pool.query('analyze balances, webhook_endpoints')
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** The receiver fails with 64 KiB, and every attempt is stored. */
export async function storeResponses(scene: Scene): Promise<number> {
  const receiver = createServer((_, response) => {
    response.writeHead(500).end(randomBytes(65_536))
  })
  const owner = await scene.people.owner()
  const path = `/v1/webhook_endpoints/${await createEndpoint(scene, owner, await listen(receiver))}`
  const stored = await measureGrowth(scene, async () => {
    await sendFor(10_000, () => call(scene.url, 'POST', `${path}/test`, { token: owner.token }))
    // The second attempts.
    await sleep(10_000)
  })
  receiver.close()
  return stored
}

export async function storeMetadata(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const quota = 1_073_741_824
  await scene.db.pool.query(
    `update balances
     set metadata_day = floor(extract(epoch from now()) / 86400),
       metadata_day_bytes = ${quota - 1_048_576}
     where account_id = $1`,
    [uuidOf(owner)],
  )
  return measureGrowth(scene, () =>
    sendFor(10_000, () => {
      const values = Array.from({ length: 10 }, () => randomBytes(1_150).toString('base64'))
      return createTransaction(scene, owner, { metadata: { ...values } })
    }),
  )
}

async function measureGrowth({ db }: Scene, work: () => Promise<void>): Promise<number> {
  const sizeMb = async () => {
    const { rows } = await db.pool.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0].bytes) / 1_048_576
  }
  const before = await sizeMb()
  await work()
  return Math.round(((await sizeMb()) - before) * 10) / 10
}

/** Sends over nine connections as fast as the rate limit allows. */
async function sendFor(time_ms: number, send: () => Promise<ApiResponse>): Promise<void> {
  const ends_at = performance.now() + time_ms
  let accepted = 0
  const sendOnConnection = async () => {
    while (performance.now() < ends_at) {
      if ((await send()).status === 201) accepted += 1
      else await sleep(100)
    }
  }
  await Promise.all(Array.from({ length: 9 }, sendOnConnection))
  if (accepted < 20) throw new Error(`only ${accepted} requests were accepted`)
}

export async function rejectStreams(scene: Scene): Promise<number> {
  const streams = new AbortController()
  const opened: number[] = []
  for (let account = 0; account < 10; account++) {
    const { token } = await scene.people.owner()
    for (let at = 0; at < 10; at++) {
      const { key } = await createKey(scene, token, ['events:read'])
      const ten = Array.from({ length: 10 }, () => openStream(scene, key, streams.signal))
      opened.push(...(await Promise.all(ten)).filter((status) => status === 200))
    }
  }
  if (opened.length < 500) throw new Error(`only ${opened.length} streams were opened`)
  const { token } = await scene.people.owner()
  const statuses: number[] = []
  for (let at = 0; at < 3; at++) statuses.push(await openStream(scene, token, streams.signal))
  streams.abort()
  return statuses.filter((status) => status !== 200).length
}

function openStream({ url }: Scene, token: string, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const request = get(`${url}/v1/events/stream`, { headers, signal, agent: false })
    request.on('response', (response) => {
      response.resume().on('error', () => {})
      resolve(response.statusCode!)
    })
    request.on('error', reject)
  })
}

/** The client resets the connection before the response, or just after. */
export async function loseRequestLogs(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const { token, account_id } = owner
  const headers = [`authorization: Bearer ${token}`, 'content-type: application/json']
  for (let at = 0; at < 40; at++) {
    const body = JSON.stringify({ account_id, amount: 1, currency: 'USD', type: 'payment' })
    await sendAndReset(scene, httpRequest('POST', '/v1/transactions', headers, body), 2 + at * 0.4)
  }
  await sleep(2_500)
  const made = await callOk(scene, 'GET', '/v1/transactions?limit=100', { token })
  const path = '/v1/request_logs?limit=100&method=POST&path=/v1/transactions'
  const logged = await callOk(scene, 'GET', path, { token })
  const entries = logged.body.data.filter(({ status }: { status: number }) => status === 201)
  if (made.body.data.length === 0) throw new Error('no transaction was created')
  return made.body.data.length - entries.length
}

async function sendAndReset({ url }: Scene, request: string, after_ms: number): Promise<void> {
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.on('connect', resolve))
  socket.write(request)
  await sleep(after_ms)
  socket.resetAndDestroy()
  await sleep(30)
}

export async function misreportVolume(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const amount = 999_999_999_999
  const count = 9_207
  await addSucceeded(scene.db, uuidOf(owner), { type: 'payment', amount, count })
  const path = '/v1/account/volume?interval=month'
  const { status, text } = await call(scene.url, 'GET', path, { token: owner.token })
  // Rejected, because a JSON number would not be exact.
  if (status === 400 && text.includes('2^53')) return 0
  const reported = /"totals":\{[^}]*"in":(\d+)/.exec(text)?.[1]
  if (reported === undefined) throw new Error(`no volume: ${status} ${text}`)
  return Math.abs(Number(BigInt(reported) - BigInt(amount) * BigInt(count)))
}

export async function lockWithoutIntegrity(): Promise<number> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { link?: boolean; inBundle?: boolean; integrity?: string }>
  }
  return Object.entries(packages).filter(
    ([path, { link, inBundle, integrity }]) =>
      path.includes('node_modules/') && !link && !inBundle && integrity === undefined,
  ).length
}

function uuidOf({ account_id }: Owner): string {
  return findUuid('account', account_id)!
}

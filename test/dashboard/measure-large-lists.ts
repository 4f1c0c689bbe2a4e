// Compares every page of the dashboard with a million rows per list and with a few. Not part of the
// suite, because it takes minutes: `node test/dashboard/measure-large-lists.ts [COUNT]`. With many
// rows a page may not send more requests or show an error, and its slowest call may take at most
// three times as long, or eight times on Home, which aggregates all transactions of the period.

import assert from 'node:assert/strict'
import pg from 'pg'
import { pino } from 'pino'
import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { seedDatabase } from '../../src/operations/seeding/seed-database.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { browser_args, browser_path } from '../support/browser-path.ts'
import { logInThroughPage, waitForNetworkIdle } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { People } from '../support/people.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { type ManyRows, makeManyRows, type PostOrGet } from './many-rows.ts'

const few = 100
const many = Number(process.argv[2] ?? 1_000_000)
const password = 'a million of them'

// Calls take milliseconds, so slack_ms is added before the ratio is compared.
const ratio_max = 3
const ratio_max_of_sums = 8
// The first round warms up the server and the browser.
const rounds = 4
const slack_ms = 25

interface Measurement {
  requests: number
  /** Until the first row or the empty state. */
  shown_ms: number
  /** The slowest of the page's calls. */
  call_ms: number
  call: string
}

type Measurements = Map<string, Measurement>

const browser = await chromium.launch({ executablePath: browser_path!, args: browser_args })
try {
  compare(await measureAll(few), await measureAll(many))
} finally {
  await browser.close()
  await stopOwnServer()
}

async function measureAll(count: number): Promise<Measurements> {
  const { connection, name } = await cloneDatabase()
  // Seeding a million rows is one database transaction, which must not time out.
  const db = openDatabase(connection, { no_timeouts: true })
  const client = new pg.Client(connection)
  await client.connect()
  const config = readConfig({ PORT: '0', FLORIN_RATE_LIMIT: 'off' })
  const served = openDatabase(connection)
  const log = pino({ level: 'silent' })
  const app = await buildApp({ db: served, log, config, version: '0.0.0-test' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const started = performance.now()
    const plan = { accounts: 1, transactions: count, seed: `of ${count}`, password }
    const { email } = await seedDatabase(db, plan, () => {})
    const admin = await new People(db).admin()
    const send = makeSend(url)
    const owner = { email: email!, password, ...(await logIn(url, email!)) }
    const rows = await makeManyRows(client, send, owner, count)
    const seconds = ((performance.now() - started) / 1_000).toFixed(0)
    console.log(`${count} of everything in ${seconds} s`)
    return new Map([
      ...(await measureOwnerPages(browser, url, owner, rows)),
      ...(await measureAdminPages(browser, url, admin, { rows, account_id: owner.account_id })),
    ])
  } finally {
    await app.close()
    await Promise.all([served.close(), db.close(), client.end()])
    await dropDatabase(name)
  }
}

function makeSend(url: string): PostOrGet {
  return async (token, path, body) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, `${path} ${response.status} ${await response.clone().text()}`)
    return (await response.json()) as { id: string }
  }
}

async function logIn(url: string, email: string) {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  const account = await fetch(`${url}/v1/account`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  const { id, settings } = (await account.json()) as { id: string; settings: { currency: string } }
  return { token: access_token, account_id: id, currency: settings.currency }
}

interface Credentials {
  email: string
  password: string
}

function measureOwnerPages(browser: Browser, url: string, who: Credentials, rows: ManyRows) {
  const { payment, subscription, endpoint } = rows
  return measureEach(browser, url, who, 'owner', [
    ['/', '/'],
    ['/?period=90d', '/?period=90d'],
    ['/transactions', '/transactions'],
    ['/transactions?status=failed', '/transactions?status=failed'],
    ['/payments', '/payments'],
    ['/payments?status=failed', '/payments?status=failed'],
    ['/payments/…', `/payments/${payment}`],
    ['/subscriptions', '/subscriptions'],
    ['/subscriptions?status=paused', '/subscriptions?status=paused'],
    ['/subscriptions/…', `/subscriptions/${subscription}`],
    ['/statement', '/statement'],
    ['/settings', '/settings'],
    ['/events', '/events'],
    ['/webhooks', '/webhooks'],
    ['/webhooks/…', `/webhooks/${endpoint}`],
    ['/api-keys', '/api-keys'],
    ['/requests', '/requests'],
    ['/sessions', '/sessions'],
  ])
}

function measureAdminPages(
  browser: Browser,
  url: string,
  who: Credentials,
  { rows, account_id }: { rows: ManyRows; account_id: string },
) {
  return measureEach(browser, url, who, 'admin', [
    ['/', '/'],
    ['/transactions', '/transactions'],
    ['/payments', '/payments'],
    ['/payments/…', `/payments/${rows.payment}?account=${account_id}`],
    ['/users', '/users'],
    ['/users?search=user-77', '/users?search=user-77'],
    ['/accounts', '/accounts'],
    ['/accounts?search=shop 77', '/accounts?search=shop%2077'],
    ['/audit', '/audit'],
    ['/emails', '/emails'],
    ['/health', '/health'],
    ['/clock', '/clock'],
  ])
}

async function measureEach(
  browser: Browser,
  url: string,
  who: Credentials,
  role: string,
  paths: [name: string, path: string][],
): Promise<Measurements> {
  const page = await browser.newPage()
  await logInThroughPage(page, url, who)
  const measured: Measurements = new Map()
  for (let round = 1; round <= rounds; round++) {
    for (const [name, path] of paths) {
      const one = await measurePage(page, `${url}/dashboard${path}`)
      measured.set(`${role} ${name}`, fasterOf(one, measured.get(`${role} ${name}`)))
    }
  }
  await page.context().close()
  return measured
}

/** The fastest round of a page, to exclude noise from other processes. */
function fasterOf(one: Measurement, other: Measurement | undefined): Measurement {
  if (other === undefined) return one
  const shown_ms = Math.min(one.shown_ms, other.shown_ms)
  return { ...(one.call_ms < other.call_ms ? one : other), shown_ms }
}

async function measurePage(page: Page, address: string): Promise<Measurement> {
  const calls: { ms: number; name: string }[] = []
  const note = (request: Request) => {
    const [, call] = request.url().split('/dashboard/api')
    if (call === undefined) return
    // From requestStart: time in the browser's own queue of six connections does not count.
    const { requestStart, responseEnd } = request.timing()
    calls.push({ ms: responseEnd - requestStart, name: call })
  }
  page.on('requestfinished', note)
  const started = performance.now()
  let shown_ms = 0
  await waitForNetworkIdle(page, async () => {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Skeletons disappear once rows or the empty state are shown.
    const waiting = page.locator('main [aria-busy=true], main .skeleton').first()
    await waiting.waitFor({ state: 'detached' })
    shown_ms = performance.now() - started
  })
  await eventually(() => page.getByRole('alert').count(), 0, `${address} shows a failure`)
  page.off('requestfinished', note)
  const slowest = calls.reduce((one, other) => (other.ms > one.ms ? other : one))
  return { requests: calls.length, shown_ms, call_ms: slowest.ms, call: slowest.name }
}

function compare(few: Measurements, many: Measurements): void {
  const failures: string[] = []
  for (const [name, { requests, call_ms, shown_ms, call }] of many) {
    const small = few.get(name)!
    const calls = `call ${small.call_ms.toFixed(0)} → ${call_ms.toFixed(0)} ms`
    const shown = `shown ${small.shown_ms.toFixed(0)} → ${shown_ms.toFixed(0)} ms`
    const ratio = (shown_ms / small.shown_ms).toFixed(2)
    console.log(`${name}: ${requests} requests, ${calls}, ${shown} (${ratio}) ${call}`)
    if (requests > small.requests + moreFor(name)) failures.push(`${name} sends more requests`)
    const allowed =
      name.startsWith('owner /?') || name === 'owner /' ? ratio_max_of_sums : ratio_max
    if (call_ms > allowed * small.call_ms + slack_ms) failures.push(`${name} is too slow`)
  }
  assert.deepEqual(failures, [])
}

/** With many lines the statement requests the balance at the end of each day of the month. */
function moreFor(name: string): number {
  return name.includes('statement') ? 31 : 0
}

// The dashboard over a million transactions of one account, beside a thousand of another:
// `node test/dashboard/million.ts [COUNT]`. It takes minutes, so it is no part of the suite. Each
// page of the navigation must show itself with as many requests for the one as for the other, and
// its list call may take at most three times as long.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { seedDatabase } from '../../src/seeding/seed-database.ts'
import { browser_args, browser_path } from '../support/browser-path.ts'
import { signInByPage } from '../support/dashboard.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'

const few = 1_000
const many = Number(process.argv[2] ?? 1_000_000)
const password = 'a million of them'

// A page of twenty is read in milliseconds, which a busy machine makes of anything; so one is
// allowed some before times are compared.
const ratio_max = 3
const slack_ms = 15

// Pages that must have rows after seeding; others may be empty.
const has_rows = /dashboard\/?$|transactions|statement|events/

interface Look {
  requests: number
  shown_ms: number
  /** The slowest list among the page's calls. */
  list_ms: number
}

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
const browser = await chromium.launch({ executablePath: browser_path!, args: browser_args })
try {
  const emails = await seedBoth()
  const config = readConfig({ PORT: '0', FLORIN_RATE_LIMIT: 'off' })
  const log = pino({ level: 'silent' })
  const app = await buildApp({ db, log, config, version: '0.0.0-test' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    compare(await lookAtAll(browser, url, emails.few), await lookAtAll(browser, url, emails.many))
  } finally {
    await app.close()
  }
} finally {
  await browser.close()
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
}

// A million of one account are one database transaction, which nobody may cut off.
async function seedBoth(): Promise<{ few: string; many: string }> {
  const patient = openDatabase(connection, { patient: true })
  try {
    const emails = { few: await seed(patient, few), many: await seed(patient, many) }
    await patient.pool.query('vacuum analyze')
    return emails
  } finally {
    await patient.close()
  }
}

async function seed(db: Db, transactions: number): Promise<string> {
  const started = performance.now()
  const plan = { accounts: 1, transactions, seed: `of ${transactions}`, password }
  const { email } = await seedDatabase(db, plan, () => {})
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`${transactions} transactions in ${seconds} s`)
  return email!
}

async function lookAtAll(browser: Browser, url: string, email: string): Promise<Map<string, Look>> {
  const page = await browser.newPage()
  await signInByPage(page, url, { email, password })
  const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all()
  const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')))
  const paths = [...hrefs.map(String), '/dashboard/transactions?status=failed']
  const looks = new Map<string, Look>()
  // The first round warms the server's statements and the browser's scripts.
  for (let round = 1; round <= 2; round++) {
    for (const path of paths) looks.set(path, await lookAt(page, url, path))
  }
  await page.context().close()
  return looks
}

async function lookAt(page: Page, url: string, path: string): Promise<Look> {
  const lists: number[] = []
  let requests = 0
  const note = (request: Request) => {
    if (!request.url().includes('/dashboard/api/v1/')) return
    requests += 1
    // From when it was sent: a browser keeps all but six waiting, which is not the server's time.
    const { requestStart, responseEnd } = request.timing()
    if (/[?&]limit=/.test(request.url())) lists.push(responseEnd - requestStart)
  }
  page.on('requestfinished', note)
  const started = performance.now()
  await page.goto(url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (has_rows.test(path)) await page.locator('tbody tr a').first().waitFor()
  const shown_ms = performance.now() - started
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByRole('alert').count(), 0, `${path} shows a failure`)
  page.off('requestfinished', note)
  return { requests, shown_ms, list_ms: Math.max(0, ...lists) }
}

function compare(few: Map<string, Look>, many: Map<string, Look>): void {
  const faults: string[] = []
  for (const [path, { requests, list_ms, shown_ms }] of many) {
    const small = few.get(path)!
    const times = `list ${small.list_ms.toFixed(0)} → ${list_ms.toFixed(0)} ms`
    const shown = `shown ${small.shown_ms.toFixed(0)} → ${shown_ms.toFixed(0)} ms`
    console.log(`${path}: requests ${small.requests} → ${requests}, ${times}, ${shown}`)
    if (requests > small.requests + moreFor(path)) faults.push(`${path} asks more often`)
    if (list_ms > ratio_max * small.list_ms + slack_ms) faults.push(`${path} lists slower`)
  }
  assert.deepEqual(faults, [])
}

/** Of many lines the statement asks for the balance at the end of each day of the month. */
function moreFor(path: string): number {
  return path.includes('statement') ? 31 : 0
}

// florin seed: a year of demo data that satisfies every rule of the ledger.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { seedDatabase } from '../../src/operations/seeding/seed-database.ts'
import { moveClock } from '../../src/postgres/clock.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { timeOfUuid } from '../../src/primitives/ids.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { newPassword } from '../support/secrets.ts'
import { envOf, launcher, runToEnd } from './florin-process.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

// Shared, because the first seed of a database also creates the demo account, which takes longest.
// Before the first test: a file whose tests are all over ends, even if it is still being loaded.
const installation = await makeUsedInstallation({ after })

const plan = { accounts: 40, transactions: 6_000, seed: 'a demo', all_events: true }
const moves: number[] = []
await seedDatabase(db, { ...plan, password: newPassword() }, (done) => moves.push(done))

async function column(text: string): Promise<unknown[]> {
  return (await db.pool.query({ text, rowMode: 'array' })).rows.map(([value]) => value)
}

test('demo data passes verify and all invariants', async () => {
  await assertVerifyPasses(db)
  await checkInvariants(db.pool)
})

test('creates the requested numbers and reports progress', async () => {
  assert.deepEqual(await column('select count(*)::int from accounts'), [40])
  assert.deepEqual(await column('select count(*)::int from users'), [40])
  assert.deepEqual(await column('select count(*)::int from transactions'), [6_000])
  assert.equal(moves.at(-1), 6_000)
  assert.deepEqual(
    moves,
    [...moves].sort((one, other) => one - other),
  )
})

test('creates all types and statuses, in several currencies', async () => {
  const share = async (which: string) =>
    Number((await column(`select count(*) from transactions where ${which}`))[0]) / 6_000
  assert.ok((await share("type = 'payment'")) > 0.8)
  assert.ok((await share("type = 'credit'")) > 0.01)
  assert.ok((await share("type = 'refund'")) > 0.02)
  assert.ok((await share("type = 'refund' and refund_of is not null")) > 0.01)
  assert.ok((await share("status = 'succeeded'")) > 0.85)
  for (const status of ['failed', 'canceled', 'pending']) {
    assert.ok((await share(`status = '${status}'`)) > 0, status)
  }
  assert.ok((await column('select distinct currency from accounts')).length >= 4)
  assert.ok(
    (await column("select 1 from transactions where reference ~ '^Invoice 20'")).length > 900,
  )
  assert.ok((await column('select 1 from transactions where metadata is not null')).length > 3_000)
})

test('amounts have a long tail', async () => {
  const [spread] = await column(`
    select max(top / usual) from (
      select percentile_cont(0.5) within group (order by amount) as usual,
        percentile_cont(0.99) within group (order by amount) as top
      from transactions group by account_id having count(*) > 100) as it`)
  assert.ok(Number(spread) > 4 && Number(spread) < 100, `${spread}`)
})

test('all transactions are within the last year, and ids contain their time', async () => {
  const ids = (await column('select id from transactions')) as string[]
  const times = ids.map((id) => timeOfUuid(id).getTime())
  const year_ago = Date.now() - 366 * 86_400_000
  assert.ok(Math.min(...times) > year_ago && Math.max(...times) <= Date.now())
  for (const id of ids) assert.match(id, /^.{14}7.{4}[89ab]/)
  // Spread over the year, with more transactions at noon than at midnight.
  const hours = times.map((time) => new Date(time).getUTCHours())
  const noon = hours.filter((hour) => hour >= 10 && hour < 14).length
  const night = hours.filter((hour) => hour >= 22 || hour < 2).length
  assert.ok(noon > 2 * night, `${noon} at noon, ${night} at night`)
  const months = new Set(times.map((time) => new Date(time).getUTCMonth()))
  assert.equal(months.size, 12)
})

test('demo emails are undeliverable', async () => {
  const emails = (await column('select email from users')) as string[]
  for (const email of emails) assert.match(email, /(@|\.)example(\.com|\.org|\.net)?$/)
})

test('the same seed produces the same names and amounts; another seed does not', async () => {
  const first = await portrait({ seed: 'one' })
  assert.deepEqual(await portrait({ seed: 'one' }), first)
  assert.notDeepEqual(await portrait({ seed: 'two' }), first)
})

async function portrait({ seed }: { seed: string }): Promise<unknown[]> {
  const database = await cloneDatabase()
  const own = openDatabase(database.connection)
  try {
    await seedDatabase(
      own,
      { accounts: 5, transactions: 50, seed, password: newPassword() },
      () => {},
    )
    return await names(own)
  } finally {
    await own.close()
    await dropDatabase(database.name)
  }
}

async function names(of: Db): Promise<unknown[]> {
  const found = await of.pool.query(`
    select accounts.name, accounts.currency, count(*)::int as count, min(amount) as least
    from accounts join transactions on account_id = accounts.id
    group by accounts.id order by accounts.id`)
  return found.rows
}

test('leaves out events past retention; the rest has no gaps', async () => {
  const database = await cloneDatabase()
  const own = openDatabase(database.connection)
  const some = { accounts: 5, transactions: 2_000, seed: 'x', password: newPassword() }
  await seedDatabase(own, some, () => {})
  const { rows } = await own.pool.query(`
    select count(*)::int as stored, sum(distinct event_sequence)::int as numbered,
      min(at) > now() - interval '91 days' as young
    from events join balances using (account_id)`)
  const [{ stored, numbered, young }] = rows
  assert.ok(young && stored > 100 && stored < numbered * 0.7, `${stored} of ${numbered}`)
  await assertVerifyPasses(own)
  await own.close()
  await dropDatabase(database.name)
})

test('keeps all events within retention when the clock is ahead', async () => {
  for (const days of [60, 1_000]) {
    const database = await cloneDatabase()
    const own = openDatabase(database.connection)
    await own.transaction((tx) => moveClock(tx, days * 86_400_000))
    const some = { accounts: 20, transactions: 500, seed: 'ahead', password: newPassword() }
    await seedDatabase(own, some, () => {})
    await assertVerifyPasses(own)
    await own.close()
    await dropDatabase(database.name)
  }
})

test('the command prints a login, and can run again', async () => {
  const seeded = await installation.run(['seed', '--accounts', '6', '--transactions', '300']).ended
  assert.deepEqual([seeded.code, seeded.stderr], [0, ''])
  const [first, second] = seeded.stdout.split('\n')
  assert.match(
    first!,
    /^✓ Created 6 accounts with 300 transactions in \d+\.\d s\. Repeat with --seed /,
  )
  const printed = /^ {2}Log in as (\S+) or any other owner with the password (\S+)$/.exec(second!)
  const [, email, password] = printed!
  const again = ['seed', '--accounts', '2', '--transactions', '0', '--seed', 's', '--json']
  const more = await installation.run(again).ended
  const { seconds, password: another, email: other, ...rest } = JSON.parse(more.stdout)
  assert.deepEqual(rest, { accounts: 2, transactions: 0, seed: 's', demo_created: false })
  assert.ok(seconds >= 0 && another !== password && other !== email)
  assert.equal(email, 'demo@florin.example')

  const { florin, url } = await installation.start()
  // Not `call`, which records secrets: this password is printed on purpose.
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(login.status, 200)
  const verified = await installation.run(['verify']).ended
  assert.match(
    verified.stdout,
    /^✓ The ledger is consistent: checked 9 accounts, \d{3} transactions and /,
  )
  assert.equal((await florin.stop()).code, 0)
})

test('rejects an invalid number, and live mode', async () => {
  const slips: [string[], RegExp][] = [
    [['--accounts', '0'], /^--accounts must be a whole number from 1 to 1000000; got "0"\.$/m],
    [['--accounts', 'many'], /^--accounts must be/],
    [['--transactions', '1.5'], /^--transactions must be a whole number from 0 to/],
  ]
  for (const [args, sentence] of slips) {
    const { code, stderr } = await runToEnd(['seed', ...args])
    assert.equal(code, 64)
    assert.match(stderr, sentence)
  }
  const env = {
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://none@127.0.0.1:1/nowhere',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  }
  const live = await runToEnd(['seed'], { env })
  assert.deepEqual([live.code, live.stdout], [1, ''])
  assert.equal(live.stderr, 'Demo data can be created only in sandbox mode; FLORIN_MODE is live.\n')
})

const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const needsScript = {
  skip: !script.includes('util-linux') && 'script of util-linux is not installed',
}

test('shows a progress bar in a terminal and removes it at the end', needsScript, async () => {
  const env = envOf({ FLORIN_DATA: installation.data_path })
  const commands = [
    ['seed --transactions 9000', /Seeding █+░* +\d+ % {2}[\d,]+ of 9,000 transactions/],
    ['verify', /Verifying █+░* +\d+ % {2}[\d,]+ of [\d,]+ postings/],
  ] as const
  for (const [command, bar] of commands) {
    const line = `'${process.execPath}' '${launcher}' ${command}`
    const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], {
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
    const drawn = stdout.split('\r\u001b[2K').map(stripVTControlCharacters)
    assert.ok(
      drawn.some((text) => bar.test(text)),
      drawn.join('|'),
    )
    assert.match(drawn.at(-1)!, /^✓ /)
    assert.doesNotMatch(stdout, /[\u2500-\u257f]/, 'no boxes')
  }
})

// florin seed: a year of believable business whose books are as right as real ones.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { moveClock } from '../../src/postgres/clock.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { timeOfUuid } from '../../src/primitives/ids.ts'
import { seedDatabase } from '../../src/seeding/seed-database.ts'
import { assertVerifyPasses, checkInvariants } from '../support/invariants.ts'
import { cloneDatabase, dropDatabase, stopOwnServer } from '../support/postgres.ts'
import { newPassword } from '../support/secrets.ts'
import { envOf, launcher, makeInstallation, runToEnd } from './florin-process.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

const { connection, name } = await cloneDatabase()
const db = openDatabase(connection)
after(async () => {
  await db.close()
  await dropDatabase(name)
  await stopOwnServer()
})

const plan = { accounts: 40, transactions: 6_000, seed: 'a demo', all_events: true }
const moves: number[] = []
await seedDatabase(db, { ...plan, password: newPassword() }, (done) => moves.push(done))

async function column(text: string): Promise<unknown[]> {
  return (await db.pool.query({ text, rowMode: 'array' })).rows.map(([value]) => value)
}

test('the books of a demo hold every rule that real ones hold', async () => {
  await assertVerifyPasses(db)
  await checkInvariants(db.pool)
})

test('there is as much as was asked for, and the progress says so', async () => {
  assert.deepEqual(await column('select count(*)::int from accounts'), [40])
  assert.deepEqual(await column('select count(*)::int from users'), [40])
  assert.deepEqual(await column('select count(*)::int from transactions'), [6_000])
  assert.equal(moves.at(-1), 6_000)
  assert.deepEqual(
    moves,
    [...moves].sort((one, other) => one - other),
  )
})

test('most is paid and some is not, in several currencies', async () => {
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

test('amounts differ as prices do: a few are many times the usual one', async () => {
  const [spread] = await column(`
    select max(top / usual) from (
      select percentile_cont(0.5) within group (order by amount) as usual,
        percentile_cont(0.99) within group (order by amount) as top
      from transactions group by account_id having count(*) > 100) as it`)
  assert.ok(Number(spread) > 4 && Number(spread) < 100, `${spread}`)
})

test('everything happened within the last year, and ids carry their times', async () => {
  const ids = (await column('select id from transactions')) as string[]
  const times = ids.map((id) => timeOfUuid(id).getTime())
  const year_ago = Date.now() - 366 * 86_400_000
  assert.ok(Math.min(...times) > year_ago && Math.max(...times) <= Date.now())
  for (const id of ids) assert.match(id, /^.{14}7.{4}[89ab]/)
  // Spread over the year, and more of it at noon than at midnight.
  const hours = times.map((time) => new Date(time).getUTCHours())
  const noon = hours.filter((hour) => hour >= 10 && hour < 14).length
  const night = hours.filter((hour) => hour >= 22 || hour < 2).length
  assert.ok(noon > 2 * night, `${noon} at noon, ${night} at night`)
  const months = new Set(times.map((time) => new Date(time).getUTCMonth()))
  assert.equal(months.size, 12)
})

test('nobody in a demo can be written to', async () => {
  const emails = (await column('select email from users')) as string[]
  for (const email of emails) assert.match(email, /(@|\.)example(\.com|\.org|\.net)?$/)
})

test('the same seed gives the same names and amounts, another seed gives others', async () => {
  const first = await portrait({ seed: 'one' })
  assert.deepEqual(await portrait({ seed: 'one' }), first)
  assert.notDeepEqual(await portrait({ seed: 'two' }), first)
})

async function portrait({ seed }: { seed: string }): Promise<unknown[]> {
  const place = await cloneDatabase()
  const own = openDatabase(place.connection)
  try {
    await seedDatabase(
      own,
      { accounts: 5, transactions: 50, seed, password: newPassword() },
      () => {},
    )
    return await names(own)
  } finally {
    await own.close()
    await dropDatabase(place.name)
  }
}

async function names(of: Db): Promise<unknown[]> {
  const found = await of.pool.query(`
    select accounts.name, accounts.currency, count(*)::int as count, min(amount) as least
    from accounts join transactions on account_id = accounts.id
    group by accounts.id order by accounts.id`)
  return found.rows
}

test('events that would have been pruned by now are not there, the rest has no gap', async () => {
  const place = await cloneDatabase()
  const own = openDatabase(place.connection)
  const some = { accounts: 5, transactions: 2_000, seed: 'x', password: newPassword() }
  await seedDatabase(own, some, () => {})
  const { rows } = await own.pool.query(`
    select count(*)::int as kept, sum(distinct event_sequence)::int as numbered,
      min(at) > now() - interval '91 days' as young
    from events join balances using (account_id)`)
  const [{ kept, numbered, young }] = rows
  assert.ok(young && kept > 100 && kept < numbered * 0.7, `${kept} of ${numbered}`)
  await assertVerifyPasses(own)
  await own.close()
  await dropDatabase(place.name)
})

test('where the clock is ahead, no event is missing that is still to be kept', async () => {
  for (const days of [60, 1_000]) {
    const place = await cloneDatabase()
    const own = openDatabase(place.connection)
    await own.transaction((tx) => moveClock(tx, days * 86_400_000))
    const some = { accounts: 20, transactions: 500, seed: 'ahead', password: newPassword() }
    await seedDatabase(own, some, () => {})
    await assertVerifyPasses(own)
    await own.close()
    await dropDatabase(place.name)
  }
})

test('the command fills a sandbox that one can log in to, and again', async (t) => {
  const place = await makeUsedInstallation(t)
  const seeded = await place.run(['seed', '--accounts', '6', '--transactions', '300']).ended
  assert.deepEqual([seeded.code, seeded.stderr], [0, ''])
  const [first, second] = seeded.stdout.split('\n')
  assert.match(
    first!,
    /^✓ 6 accounts with 300 transactions, in \d+\.\d s\. The same again: --seed /,
  )
  const told = /^ {2}Log in as (\S+), or as any other owner, with the password (\S+)$/.exec(second!)
  const [, email, password] = told!
  const again = ['seed', '--accounts', '2', '--transactions', '0', '--seed', 's', '--json']
  const more = await place.run(again).ended
  const { seconds, password: another, email: other, ...rest } = JSON.parse(more.stdout)
  assert.deepEqual(rest, { accounts: 2, transactions: 0, seed: 's' })
  assert.ok(seconds >= 0 && another !== password && other !== email)

  const { url } = await place.start()
  // Not by `call`, which notes secrets: this password is printed on purpose, for everyone to use.
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(login.status, 200)
  const verified = await place.run(['verify']).ended
  assert.match(verified.stdout, /^✓ The books are right: 8 accounts, 300 transactions and /)
})

test('a number that is none is wrong usage, and live mode is refused', async () => {
  const slips: [string[], RegExp][] = [
    [['--accounts', '0'], /^--accounts takes a whole number from 1 to 1000000; "0" came\.$/m],
    [['--accounts', 'many'], /^--accounts takes/],
    [['--transactions', '1.5'], /^--transactions takes a whole number from 0 to/],
  ]
  for (const [args, sentence] of slips) {
    const { code, stderr } = await runToEnd(['seed', ...args])
    assert.equal(code, 64)
    assert.match(stderr, sentence)
  }
  const env = {
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  }
  const live = await runToEnd(['seed'], { env })
  assert.deepEqual([live.code, live.stdout], [1, ''])
  assert.equal(live.stderr, 'Demo data is for the sandbox. This is live mode.\n')
})

const told = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const needsScript = { skip: !told.includes('util-linux') && 'there is no script of util-linux' }

test('on a terminal a bar shows how far it is, and is gone in the end', needsScript, async (t) => {
  const place = await makeInstallation(t)
  const env = envOf({ FLORIN_DATA: place.data_path })
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

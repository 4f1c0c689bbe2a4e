import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { dropDatabase, emptyDatabase } from '../support/postgres.ts'
import { countStatus, makeDue, settledOnce, urlOf } from '../transactions/due.ts'
import { openTransactionFixtures } from '../transactions/transaction-fixtures.ts'
import { makeInstallation, runToEnd } from './florin-process.ts'

const florin = await startFlorin()
const till = await openTransactionFixtures(florin)
const home = { FLORIN_PUBLIC_URL: 'http://127.0.0.1:4000' }
const env = { DATABASE_URL: urlOf(florin.connection), ...home }

test('florin clock advance says the new time, and has settled what became due', async () => {
  const shop = await till.shop()
  const { id } = (await till.create(shop)).body
  await makeDue(florin, [shop], 200)
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env })
  assert.deepEqual([code, stderr], [0, ''])
  const now = /^✓ The clock says (\S+) now, and what became due is done\.\n$/.exec(stdout)?.[1]
  assert.ok(Math.abs(Date.parse(now!) - Date.now() - 3 * 86_400_000) < 30_000, stdout)
  assert.equal((await till.get(shop, id)).body.status, 'succeeded')
  assert.equal(await countStatus(florin, 'pending'), 0)
  await settledOnce(florin)
  const made = await till.create(shop)
  assert.ok(made.body.created_at >= now!, 'a server that runs lives in the new time')
})

test('with --json it answers as the endpoint does, and the log says who it was', async () => {
  const { code, stdout } = await runToEnd(['clock', 'advance', '90s', '--json'], { env })
  assert.equal(code, 0)
  const { now, ...more } = JSON.parse(stdout)
  assert.deepEqual(more, {})
  const text = `select actor_role, details from audit_log
    where action = 'clock.advanced' order by id desc limit 1`
  const [row] = (await florin.db.pool.query(text)).rows
  assert.equal(row.actor_role, 'operator')
  assert.deepEqual(JSON.parse(row.details), { seconds: 90, now })
})

test('what is no length of time is wrong usage, and nothing moves', async () => {
  const before = await florin.db.pool.query('select * from clock')
  const cases: [string[], RegExp][] = [
    [['clock', 'advance', '3'], /^Write how far as 90s, 45m, 12h, 3d or 2w; "3" came\.\n$/],
    [['clock', 'advance', '0d'], /^The clock goes ahead by 1s to 3650d at once; "0d" came\.\n$/],
    [['clock', 'advance', '999w'], /^The clock goes ahead by 1s to 3650d at once;/],
    [['clock', 'advance'], /^Missing required argument 'time'\./],
  ]
  for (const [args, sentence] of cases) {
    const { code, stdout, stderr } = await runToEnd(args, { env })
    assert.equal(code, 64, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
  }
  const after = await florin.db.pool.query('select * from clock')
  assert.deepEqual(after.rows, before.rows)
})

test('with PORT=0 it must be told the address that emails and events hold', async () => {
  const before = await florin.db.pool.query('select * from clock')
  const nowhere = { DATABASE_URL: env.DATABASE_URL, PORT: '0' }
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env: nowhere })
  assert.deepEqual([code, stdout], [64, ''])
  assert.equal(
    stderr,
    'With PORT=0 only the server knows its URL. ' +
      'Set FLORIN_PUBLIC_URL to the URL that "florin start" printed.\n',
  )
  const after = await florin.db.pool.query('select * from clock')
  assert.deepEqual(after.rows, before.rows)
})

test('in live mode the clock is nobody’s to advance', async () => {
  const live = {
    ...env,
    FLORIN_MODE: 'live',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  }
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env: live })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(stderr, 'In live mode time is real time, and no clock is advanced.\n')
})

test('where no database is, none is made, and no success is told', async (t) => {
  const place = await makeInstallation(t)
  const { code, stdout, stderr } = await place.run(['clock', 'advance', '3d'], { env: home }).ended
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    `There is no database in ${place.data_path}. ` +
      'Start Florin first, or set FLORIN_DATA or DATABASE_URL to where it is.\n',
  )
  assert.equal(existsSync(place.data_path), false)
})

test('an empty database of the operator is not made a sandbox by it', async () => {
  const { connection, name } = await emptyDatabase()
  const empty = { DATABASE_URL: urlOf(connection), ...home }
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env: empty })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^The database has 0 of this version's \d+ migrations\. Run florin migrate/)
  await dropDatabase(name)
})

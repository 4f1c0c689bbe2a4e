import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { dropDatabase, emptyDatabase } from '../support/postgres.ts'
import { countStatus, makeDue, settledOnce, urlOf } from '../transactions/due.ts'
import { openTransactionFixtures } from '../transactions/transaction-fixtures.ts'
import { makeInstallation, runToEnd } from './florin-process.ts'

const florin = await startFlorin()
const fixtures = await openTransactionFixtures(florin)
const home = { FLORIN_PUBLIC_URL: 'http://127.0.0.1:4000' }
const env = { DATABASE_URL: urlOf(florin.connection), ...home }

test('clock advance prints the new time and settles what became due', async () => {
  const shop = await fixtures.shop()
  const { id } = (await fixtures.create(shop)).body
  await makeDue(florin, [shop], 200)
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env })
  assert.deepEqual([code, stderr], [0, ''])
  const now = /^✓ The clock is now at (\S+)\. Everything due has been processed\.\n$/.exec(
    stdout,
  )?.[1]
  assert.ok(Math.abs(Date.parse(now!) - Date.now() - 3 * 86_400_000) < 30_000, stdout)
  assert.equal((await fixtures.get(shop, id)).body.status, 'succeeded')
  assert.equal(await countStatus(florin, 'pending'), 0)
  await settledOnce(florin)
  const made = await fixtures.create(shop)
  assert.ok(made.body.created_at >= now!, 'a running server uses the new time')
})

test('--json prints the same object as the endpoint, and writes an audit entry', async () => {
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

test('rejects an invalid duration and does not change the clock', async () => {
  const before = await florin.db.pool.query('select * from clock')
  const cases: [string[], RegExp][] = [
    [['clock', 'advance', '3'], /^The duration must look like 90s, .*; got "3"\.\n$/],
    [['clock', 'advance', '0d'], /^The duration must be between 1s and 3650d; got "0d"\.\n$/],
    [['clock', 'advance', '999w'], /^The duration must be between 1s and 3650d;/],
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

test('requires FLORIN_PUBLIC_URL with PORT=0, for links in emails and events', async () => {
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

test('rejects live mode', async () => {
  const live = {
    ...env,
    FLORIN_MODE: 'live',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  }
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env: live })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(stderr, 'The clock can be advanced only in sandbox mode; FLORIN_MODE is live.\n')
})

test('fails without a database and does not create one', async (t) => {
  const installation = await makeInstallation(t)
  const { code, stdout, stderr } = await installation.run(['clock', 'advance', '3d'], { env: home })
    .ended
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    `There is no database in ${installation.data_path}. ` +
      'Run `florin start` first, or set FLORIN_DATA or DATABASE_URL to an existing database.\n',
  )
  assert.equal(existsSync(installation.data_path), false)
})

test('does not migrate an empty external database', async () => {
  const { connection, name } = await emptyDatabase()
  const empty = { DATABASE_URL: urlOf(connection), ...home }
  const { code, stdout, stderr } = await runToEnd(['clock', 'advance', '3d'], { env: empty })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(
    stderr,
    /^The database has 0 of the \d+ migrations of this version\. Run `florin migrate/,
  )
  await dropDatabase(name)
})

// florin verify, tested on corrupted copies of a seeded database: it reports every corruption and
// nothing else.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { seedDatabase } from '../../src/operations/seeding/seed-database.ts'
import { verifyDatabase } from '../../src/operations/verify-database.ts'
import { type Connection, openDatabase } from '../../src/postgres/database.ts'
import type { Difference } from '../../src/postgres/difference.ts'
import {
  ask,
  cloneDatabase,
  dropDatabase,
  stopOwnServer,
  testServer,
  toDatabase,
} from '../support/postgres.ts'
import { newPassword } from '../support/secrets.ts'
import { corruptions, ofBusiest } from './corruptions.ts'
import { dispute_corruptions, disputed } from './dispute-corruptions.ts'
import { makeInstallation, runToEnd } from './florin-process.ts'
import { toUrl } from './shared-database.ts'
import { webhook_corruptions } from './webhook-corruptions.ts'

const seeded = await cloneDatabase()
await fill(seeded.connection)
after(async () => {
  await dropDatabase(seeded.name)
  await stopOwnServer()
})

async function fill(connection: Connection): Promise<void> {
  const db = openDatabase(connection)
  const plan = { accounts: 12, transactions: 900, seed: 'damage', password: newPassword() }
  await seedDatabase(db, plan, () => {})
  await db.close()
}

let copies = 0

async function withCopy<Result>(
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  copies += 1
  const name = `${seeded.name}_${copies}`
  const { connection } = await testServer()
  await ask(connection, `create database ${name} template ${seeded.name}`)
  try {
    return await work(toDatabase(seeded.connection, name))
  } finally {
    await dropDatabase(name)
  }
}

async function findDifferences(connection: Connection): Promise<Difference[]> {
  const db = openDatabase(connection, { no_timeouts: true })
  const found: Difference[] = []
  try {
    const sum = await verifyDatabase(db, { onDifference: (one) => found.push(one) })
    assert.equal(sum.differences, found.length)
    return found
  } finally {
    await db.close()
  }
}

test('finds no difference in the seeded database', async () => {
  assert.deepEqual(await findDifferences(seeded.connection), [])
})

test('finds no difference in an account that lost a dispute and owes money', async () => {
  await withCopy(async (connection) => {
    await ask(connection, disputed)
    assert.deepEqual(await findDifferences(connection), [])
  })
})

const all = [...corruptions, ...dispute_corruptions, ...webhook_corruptions]

for (const { what, sql, rules, shows } of all) {
  test(`finds ${what}`, async () => {
    await withCopy(async (connection) => {
      await ask(connection, sql)
      const found = await findDifferences(connection)
      const reported = found.map(
        (one) => `${one.object}: found ${one.found}, expected ${one.expected}`,
      )
      assert.deepEqual(found.map(({ rule }) => rule).sort(), [...rules].sort(), reported.join('\n'))
      if (shows)
        assert.ok(
          reported.some((text) => shows.test(text)),
          reported.join('\n'),
        )
      for (const { account_id } of found) assert.match(account_id ?? 'acct_', /^acct_/)
    })
  })
}

test('limits the differences per account, and reports every account', async () => {
  await withCopy(async (connection) => {
    await ask(connection, 'update postings set amount = amount + 1')
    const found = await findDifferences(connection)
    const rules = new Set(found.map(({ rule }) => rule))
    assert.ok(rules.has('states_have_their_postings') && rules.has('balance_is_rebuilt'))
    assert.ok(found.length < 1_200, `${found.length} are too many to read`)
    const accounts = new Set(found.map(({ account_id }) => account_id))
    const posted = await ask(connection, 'select distinct account_id from postings')
    assert.equal(accounts.size, posted.rowCount, 'every account is reported')
  })
})

const urlOf = (connection: Connection) => toUrl(connection, connection.database ?? '')

test('the command exits with 0 if there is no difference', async () => {
  const env = { DATABASE_URL: urlOf(seeded.connection) }
  const { code, stdout, stderr } = await runToEnd(['verify'], { env })
  assert.deepEqual([code, stderr], [0, ''])
  const summary =
    /^✓ The ledger is consistent: checked 12 accounts, 900 tr\S+ and \S+ postings in [\d.]+ s\.\n$/
  assert.match(stdout, summary)
  const json = await runToEnd(['verify', '--json'], { env })
  const { seconds, postings, ...rest } = JSON.parse(json.stdout)
  assert.deepEqual(rest, { ok: true, accounts: 12, transactions: 900, differences: 0 })
  assert.ok(seconds >= 0 && postings > 900)
})

test('the command prints each difference and exits with 1', async () => {
  await withCopy(async (connection) => {
    await ask(connection, `update balances set available = available + 1 where ${ofBusiest}`)
    const env = { DATABASE_URL: urlOf(connection) }
    const { code, stdout, stderr } = await runToEnd(['verify'], { env })
    assert.deepEqual([code, stderr], [1, ''])
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, 3)
    assert.match(
      lines[0]!,
      /^✗ balance_is_rebuilt {2}acct_\w{26}, available: found \d+; expected \d+\.$/,
    )
    assert.match(lines[2]!, /^✗ Found 2 differences in 12 accounts, /)
    const json = await runToEnd(['verify', '--json'], { env })
    assert.equal(json.code, 1)
    const [first, , last] = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const keys = ['rule', 'account_id', 'object', 'found', 'expected']
    assert.deepEqual(Object.keys(first), keys)
    assert.deepEqual([last.ok, last.differences], [false, 2])
  })
})

test('rejects another schema version and does not migrate it', async () => {
  await withCopy(async (connection) => {
    await ask(connection, "delete from schema_migrations where name like '0004%'")
    const env = { DATABASE_URL: urlOf(connection) }
    const { code, stdout, stderr } = await runToEnd(['verify'], { env })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      /^The database has \d+ of the \d+ migrations of this version\. Run `florin migrate/,
    )
    const left = await ask(connection, "select 1 from schema_migrations where name like '0004%'")
    assert.equal(left.rowCount, 0)
  })
})

test('fails without a database and does not create one', async (t) => {
  const installation = await makeInstallation(t)
  const { code, stdout, stderr } = await installation.run(['verify']).ended
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    `There is no database in ${installation.data_path}. ` +
      'Run `florin start` first, or set FLORIN_DATA or DATABASE_URL to an existing database.\n',
  )
  assert.equal(existsSync(installation.data_path), false)
})

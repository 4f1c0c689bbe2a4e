// florin migrate sets the mode of a database permanently and prints it; doctor shows it before.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { knownMigrations } from '../../src/postgres/migrate.ts'
import { migrateSome, withClient } from '../postgres/migrate-some.ts'
import { dropDatabase, emptyDatabase, stopOwnServer } from '../support/postgres.ts'
import { makeInstallation, runToEnd } from './florin-process.ts'
import { toUrl } from './shared-database.ts'

after(stopOwnServer)

const live = {
  FLORIN_MODE: 'live',
  FLORIN_PUBLIC_URL: 'https://pay.example.com',
  FLORIN_PROCESSOR: 'manual',
}
const known = knownMigrations().length
const applied_all = `Applied ${known} of ${known} migrations. The schema is up to date.\n`

async function withEmpty(work: (env: { DATABASE_URL: string }) => Promise<void>): Promise<void> {
  const { connection, name } = await emptyDatabase()
  await work({ DATABASE_URL: toUrl(connection, name) }).finally(() => dropDatabase(name))
}

for (const [mode, settings] of [
  ['sandbox', {}],
  ['live', live],
] as const) {
  test(`sets the mode of a new external database to ${mode} and prints it`, async () => {
    await withEmpty(async (given) => {
      const env = { ...given, ...settings }
      const first = await runToEnd(['migrate'], { env })
      assert.deepEqual([first.code, first.stderr], [0, ''])
      const marked = `The mode of this database is now permanently FLORIN_MODE=${mode}.\n`
      assert.ok(first.stdout.endsWith(applied_all + marked), first.stdout)
      const second = await runToEnd(['migrate'], { env })
      assert.equal(second.stdout, `The schema is up to date: ${known} migrations, none pending.\n`)
      const json = await runToEnd(['migrate', '--json'], { env })
      assert.deepEqual(JSON.parse(json.stdout), { applied: [], waiting: [], known, mode })
    })
  })
}

test('prints no mode for the embedded database, which is always a sandbox', async (t) => {
  const installation = await makeInstallation(t)
  const { code, stdout } = await installation.run(['migrate']).ended
  assert.equal(code, 0)
  assert.ok(stdout.endsWith(applied_all), stdout)
})

test('an upgrade waits to be finished, and doctor warns until then', async () => {
  const { connection, name } = await emptyDatabase()
  const env = { DATABASE_URL: toUrl(connection, name) }
  const schema = async () => {
    const { stdout } = await runToEnd(['doctor', '--json'], { env })
    return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === 'Schema')
  }
  try {
    await withClient(connection, (client) => migrateSome(client, 9))
    const migrated = await runToEnd(['migrate'], { env })
    assert.match(migrated.stdout, /The schema is up to date\.\nWhen every process of the previous/)
    assert.deepEqual(await schema(), {
      check: 'Schema',
      state: 'warn',
      message:
        'The upgrade is not finished. ' +
        'Run `florin migrate --finish` when no process of the previous version is left.',
    })
    const finished = await runToEnd(['migrate', '--finish'], { env })
    assert.match(finished.stdout, /Applied 1 of \d+ migrations\. The schema is up to date\.\n$/)
    assert.equal((await schema()).state, 'ok')
  } finally {
    await dropDatabase(name)
  }
})

async function doctorOf(env: Record<string, string>) {
  const { stdout } = await runToEnd(['doctor', '--json'], { env })
  const report = JSON.parse(stdout)
  const of_mode = ({ check }: { check: string }) => check === 'Mode'
  return { mode: report.mode, finding: report.checks.find(of_mode) }
}

test('doctor shows the mode before it is set, and warns about a sandbox', async (t) => {
  await withEmpty(async (given) => {
    const sandbox = await doctorOf(given)
    assert.equal(sandbox.mode, 'sandbox')
    assert.equal(sandbox.finding.state, 'warn')
    assert.match(
      sandbox.finding.message,
      /^sandbox\. The next start or migration sets .* permanently/,
    )
    assert.match(sandbox.finding.message, /set FLORIN_MODE=live first\.$/)
    const as_live = await doctorOf({ ...given, ...live })
    assert.equal(as_live.mode, 'live')
    assert.equal(as_live.finding.state, 'ok')
    assert.match(as_live.finding.message, /^live\. The next start or migration sets /)
  })
  const { data_path } = await makeInstallation(t)
  const { finding } = await doctorOf({ FLORIN_DATA: data_path })
  assert.deepEqual(finding, { check: 'Mode', state: 'ok', message: 'sandbox' })
})

test('doctor shows no mode if the settings are invalid', async () => {
  const { mode, finding } = await doctorOf({ FLORIN_MODE: 'life' })
  assert.deepEqual([mode, finding], [null, undefined])
})

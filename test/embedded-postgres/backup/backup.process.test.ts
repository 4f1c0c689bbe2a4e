// `florin backup` under load, and `florin restore` of the result: every payment that was
// acknowledged before the backup was taken is there, and the balances are right.

import assert from 'node:assert/strict'
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../../src/embedded-postgres/open-embedded.ts'
import { type Installation, makeInstallation, type Options } from '../../cli/florin-process.ts'
import { makeUsedInstallation } from '../../cli/used-data-folder.ts'
import { BusyClient, findLost } from '../../support/busy-client.ts'
import { call } from '../../support/call.ts'
import { isRoot, noOrdinary, ordinary } from '../fixture.ts'

const env = { FLORIN_RATE_LIMIT: 'off' }

async function backUpUnderLoad(
  installation: Installation,
  options: Options,
  times: number,
): Promise<void> {
  const { florin, url } = await installation.start(options)
  const client = (await BusyClient.open(url)).start()
  await client.served(50)
  const folder = join(installation.path, 'taken')
  const reports: { taken_at: string; started_at: string; bytes: number }[] = []
  for (let at = 0; at < times; at++) {
    const ended = await installation.run(['backup', `${folder}-${at}`, '--json'], options).ended
    assert.equal(ended.code, 0, ended.stderr)
    reports.push(JSON.parse(ended.stdout))
    await client.served(20)
  }
  await client.stop()
  assert.deepEqual(client.statuses(), {}, 'no request fails during a backup')
  assert.equal((await florin.stop()).code, 0)
  for (const [at, { taken_at, started_at }] of reports.entries()) {
    const before = client.acknowledged.filter(({ at_ms }) => at_ms <= Date.parse(taken_at))
    const during = before.filter(({ at_ms }) => at_ms > Date.parse(started_at))
    assert.ok(during.length > 0, 'payments are made during the backup')
    // As root, the first one of the other user is restored below.
    if (isRoot && !noOrdinary && at < times - 1) continue
    await restoreAndCheck(installation, `${folder}-${at}`, { client, before }, { ...options, at })
  }
}

async function restoreAndCheck(
  installation: Installation,
  folder: string,
  { client, before }: { client: BusyClient; before: BusyClient['acknowledged'] },
  { at, ...options }: Options & { at: number },
): Promise<void> {
  const data = join(installation.path, `restored-${at}`)
  const there = { ...options, env: { ...env, FLORIN_DATA: data } }
  const restored = await installation.run(['restore', folder], there).ended
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /^✓ Restored to .* in \d+\.\d s: \d+ MB in \d+ files/)
  const florin = installation.run(['start'], there)
  const { url } = await florin.line('florin is ready')
  const verified = await installation.run(['verify', '--json'], there).ended
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  assert.equal(JSON.parse(verified.stdout).differences, 0)
  const { pid: _, ...connection } = (await findRunningEmbedded(data))!
  assert.deepEqual(await findLost(connection, before), [])
  // The restored service is usable, and existing sessions are still valid.
  const { token, account_id } = client
  const own = await call(url, 'GET', '/v1/account', { token })
  assert.deepEqual([own.status, own.body.id], [200, account_id], own.text)
  const seen = await call(url, 'GET', `/v1/transactions/${before.at(-1)!.id}`, { token })
  assert.equal(seen.status, 200, seen.text)
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const paid = await call(url, 'POST', '/v1/transactions', { token, body })
  assert.equal(paid.status, 201, paid.text)
  assert.equal((await florin.stop()).code, 0)
}

test('contains every payment that was acknowledged before a backup under load', async (t) => {
  const installation = await makeUsedInstallation(t)
  // Twice, so that the second backup starts with the WAL of the first.
  await backUpUnderLoad(installation, { env }, 2)
  // It contains hashes and webhook secrets, so only its owner may read it.
  const folder = join(installation.path, 'taken-0')
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, 'florin-backup.json'))).mode & 0o777, 0o600)
  assert.deepEqual((await readdir(folder)).sort(), ['florin-backup.json', 'postgres'])
})

test('backs up and restores as an ordinary user', async (t) => {
  if (!isRoot) return t.skip('the test above ran as an ordinary user')
  if (noOrdinary) return t.skip(noOrdinary)
  const installation = await makeInstallation(t)
  await chown(installation.path, ordinary.uid, ordinary.gid)
  await backUpUnderLoad(installation, { env, user: ordinary }, 1)
  assert.equal((await stat(join(installation.path, 'restored-0', 'postgres'))).uid, ordinary.uid)
})

test('starts a stopped database for the backup, and stops it afterwards', async (t) => {
  const installation = await makeUsedInstallation(t)
  const folder = join(installation.path, 'quiet')
  const ended = await installation.run(['backup', folder], { env }).ended
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(
    ended.stdout,
    /^✓ Backed up to .*quiet in .* s: \d+ MB in \d+ files, taken at .* by Florin \d/,
  )
  assert.equal(await findRunningEmbedded(installation.data_path), undefined)
})

test('excludes and reports foreign files in the database folder', async (t) => {
  const installation = await makeUsedInstallation(t)
  const cluster = join(installation.data_path, 'postgres')
  const left = ['.DS_Store', 'a copy/PG_VERSION', 'pg_tblspc/.nfs0001', 'postgresql.conf~']
  await mkdir(join(cluster, 'a copy'))
  for (const path of left) await writeFile(join(cluster, path), 'not a file of PostgreSQL')
  const folder = join(installation.path, 'clean')
  const ended = await installation.run(['backup', folder, '--json'], { env }).ended
  assert.equal(ended.code, 0, ended.stderr)
  const there = { env: { ...env, FLORIN_DATA: join(installation.path, 'again') } }
  const restored = await installation.run(['restore', folder], there).ended
  assert.equal(restored.code, 0, restored.stderr)
  const reported = ['.DS_Store', 'a copy', 'pg_tblspc/.nfs0001', 'postgresql.conf~']
  assert.deepEqual(JSON.parse(ended.stdout).left_out, reported)
  const as_text = await installation.run(['backup', `${folder}-2`], { env }).ended
  assert.match(as_text.stdout, /^ {2}Skipped files .*: "\.DS_Store", "a copy", .* and 1 more\.$/m)
})

test('rejects a database folder that contains a symbolic link', async (t) => {
  const installation = await makeUsedInstallation(t)
  const cluster = join(installation.data_path, 'postgres')
  await rename(join(cluster, 'base'), join(cluster, 'moved'))
  await symlink('moved', join(cluster, 'base'))
  const refused = await installation.run(['backup', join(installation.path, 'partial')], { env })
    .ended
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /base in the database folder is a symbolic link, .*replace the link/)
  assert.ok(!(await readdir(installation.path)).includes('partial'))
})

test('an interrupted or killed backup leaves no folder with the final name', async (t) => {
  const installation = await makeUsedInstallation(t)
  const { florin } = await installation.start({ env })
  const home = await makeFolder(t)
  const target = join(home, 'cut')
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const backup = installation.run(['backup', target], { env })
    await Promise.race([firstEntry(home), backup.ended])
    await backup.stop(signal)
    const left = await readdir(home)
    assert.ok(!left.includes('cut'), 'only a complete backup gets the name')
    assert.deepEqual(left.length, signal === 'SIGINT' ? 0 : 1)
  }
  const refused = await installation.run(['restore', join(home, (await readdir(home))[0]!)], {
    env: { FLORIN_DATA: join(installation.path, 'elsewhere') },
  }).ended
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /is not a complete backup/)
  // The next backup removes what the killed one left.
  assert.equal((await installation.run(['backup', target], { env }).ended).code, 0)
  assert.deepEqual(await readdir(home), ['cut'])
  assert.equal((await florin.stop()).code, 0)
})

/** Waits until the backup has started to write. */
async function firstEntry(path: string): Promise<void> {
  while ((await readdir(path)).length === 0) await sleep(2)
}

async function makeFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'florin-backups-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  await mkdir(path, { recursive: true })
  return path
}

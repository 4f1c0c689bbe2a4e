// florin backup while payments come in, and what florin restore makes of it: every payment that was
// acknowledged before the copy was taken is there, and the books are right.

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
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { type Installation, makeInstallation, type Options } from '../commands/florin-process.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { isRoot, noOrdinary, ordinary } from '../postgres/embedded-fixture.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { call } from '../support/call.ts'

const env = { FLORIN_RATE_LIMIT: 'off' }

async function backUpUnderLoad(
  place: Installation,
  options: Options,
  times: number,
): Promise<void> {
  const { florin, url } = await place.start(options)
  const client = (await BusyClient.open(url)).start()
  await client.served(50)
  const folder = join(place.path, 'taken')
  const told: { taken_at: string; started_at: string; bytes: number }[] = []
  for (let at = 0; at < times; at++) {
    const ended = await place.run(['backup', `${folder}-${at}`, '--json'], options).ended
    assert.equal(ended.code, 0, ended.stderr)
    told.push(JSON.parse(ended.stdout))
    await client.served(20)
  }
  await client.stop()
  assert.deepEqual(client.statuses(), {}, 'a backup makes nobody fail')
  assert.equal((await florin.stop()).code, 0)
  for (const [at, { taken_at, started_at }] of told.entries()) {
    const before = client.acknowledged.filter(({ at_ms }) => at_ms <= Date.parse(taken_at))
    const during = before.filter(({ at_ms }) => at_ms > Date.parse(started_at))
    assert.ok(during.length > 0, 'payments came in while it was copied')
    await restoreAndCheck(place, `${folder}-${at}`, { client, before }, { ...options, at })
  }
}

async function restoreAndCheck(
  place: Installation,
  folder: string,
  { client, before }: { client: BusyClient; before: BusyClient['acknowledged'] },
  { at, ...options }: Options & { at: number },
): Promise<void> {
  const data = join(place.path, `restored-${at}`)
  const there = { ...options, env: { ...env, FLORIN_DATA: data } }
  const restored = await place.run(['restore', folder], there).ended
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /^✓ Restored to .* in \d+\.\d s: \d+ MB in \d+ files/)
  const verified = await place.run(['verify', '--json'], there).ended
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  assert.equal(JSON.parse(verified.stdout).differences, 0)
  const florin = place.run(['start'], there)
  const { url } = await florin.line('florin is ready')
  const { pid: _, ...connection } = (await findRunningEmbedded(data))!
  assert.deepEqual(await findLost(connection, before), [])
  // And it goes on from there: whoever was logged in still is.
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

test('a backup under load holds all that was acknowledged before it was taken', async (t) => {
  const place = await makeUsedInstallation(t)
  // Twice, so that the second one meets the log of changes of the first.
  await backUpUnderLoad(place, { env }, 2)
  // It holds hashes and webhook secrets, so it is for its owner alone.
  const folder = join(place.path, 'taken-0')
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, 'florin-backup.json'))).mode & 0o777, 0o600)
  assert.deepEqual((await readdir(folder)).sort(), ['florin-backup.json', 'postgres'])
})

test('an ordinary user backs up and restores as well as root', async (t) => {
  if (!isRoot) return t.skip('the test above ran as an ordinary user')
  if (noOrdinary) return t.skip(noOrdinary)
  const place = await makeInstallation(t)
  await chown(place.path, ordinary.uid, ordinary.gid)
  await backUpUnderLoad(place, { env, user: ordinary }, 1)
  assert.equal((await stat(join(place.path, 'restored-0', 'postgres'))).uid, ordinary.uid)
})

test('a database that is not running is opened for the backup, and stopped again', async (t) => {
  const place = await makeUsedInstallation(t)
  const folder = join(place.path, 'quiet')
  const ended = await place.run(['backup', folder], { env }).ended
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(
    ended.stdout,
    /^✓ Backed up to .*quiet in .* s: \d+ MB in \d+ files, taken at .* by Florin \d/,
  )
  assert.equal(await findRunningEmbedded(place.data_path), undefined)
})

test('what others left among the files is left out and told, and the rest restores', async (t) => {
  const place = await makeUsedInstallation(t)
  const cluster = join(place.data_path, 'postgres')
  const left = ['.DS_Store', 'a copy/PG_VERSION', 'pg_tblspc/.nfs0001', 'postgresql.conf~']
  await mkdir(join(cluster, 'a copy'))
  for (const path of left) await writeFile(join(cluster, path), 'no work of PostgreSQL')
  const folder = join(place.path, 'clean')
  const ended = await place.run(['backup', folder, '--json'], { env }).ended
  assert.equal(ended.code, 0, ended.stderr)
  const there = { env: { ...env, FLORIN_DATA: join(place.path, 'again') } }
  const restored = await place.run(['restore', folder], there).ended
  assert.equal(restored.code, 0, restored.stderr)
  const told = ['.DS_Store', 'a copy', 'pg_tblspc/.nfs0001', 'postgresql.conf~']
  assert.deepEqual(JSON.parse(ended.stdout).left_out, told)
  const aloud = await place.run(['backup', `${folder}-2`], { env }).ended
  assert.match(aloud.stdout, /^ {2}Skipped files .*: "\.DS_Store", "a copy", .* and 1 more\.$/m)
})

test('a part of the database behind a link is not left out in silence', async (t) => {
  const place = await makeUsedInstallation(t)
  const cluster = join(place.data_path, 'postgres')
  await rename(join(cluster, 'base'), join(cluster, 'moved'))
  await symlink('moved', join(cluster, 'base'))
  const refused = await place.run(['backup', join(place.path, 'partial')], { env }).ended
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /base in the database's folder is a link, .*put what it leads to in/)
  assert.ok(!(await readdir(place.path)).includes('partial'))
})

test('a backup that is interrupted or killed leaves nothing that looks like one', async (t) => {
  const place = await makeUsedInstallation(t)
  const { florin } = await place.start({ env })
  const home = await makeFolder(t)
  const target = join(home, 'cut')
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const backup = place.run(['backup', target], { env })
    await Promise.race([firstEntry(home), backup.ended])
    await backup.stop(signal)
    const left = await readdir(home)
    assert.ok(!left.includes('cut'), 'the name is given only to a whole backup')
    assert.deepEqual(left.length, signal === 'SIGINT' ? 0 : 1)
  }
  const refused = await place.run(['restore', join(home, (await readdir(home))[0]!)], {
    env: { FLORIN_DATA: join(place.path, 'elsewhere') },
  }).ended
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /is not a whole backup/)
  // The next one clears what the killed one left.
  assert.equal((await place.run(['backup', target], { env }).ended).code, 0)
  assert.deepEqual(await readdir(home), ['cut'])
  assert.equal((await florin.stop()).code, 0)
})

/** Until the backup has begun to write. */
async function firstEntry(path: string): Promise<void> {
  while ((await readdir(path)).length === 0) await sleep(2)
}

async function makeFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'florin-backups-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  await mkdir(path, { recursive: true })
  return path
}

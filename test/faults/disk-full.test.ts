// The disk of the embedded database becomes full under load, and has room again later: 503 or no
// answer meanwhile, everything acknowledged is there, and payments go on without a hand.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmdirSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, statfs, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { type Installation, makeInstallation } from '../commands/florin-process.ts'
import { isRoot } from '../postgres/embedded-fixture.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { ask } from '../support/postgres.ts'

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }
// How long the disk stays full: long enough for PostgreSQL to fall and to be started in vain.
const full_ms = process.env.FLORIN_FAULTS === 'long' ? 30_000 : 6_000

/** A small disk where the data directory would be; false where root may not mount one. */
async function mountDisk(t: TestContext, place: Installation, size: string): Promise<boolean> {
  const disk = await mkdtemp(join(tmpdir(), 'florin-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return false
  }
  await symlink(disk, place.data_path)
  t.after(() => {
    execFileSync('umount', ['--lazy', disk])
    rmdirSync(disk)
  })
  return true
}

/** Takes all the room there is, and gives none back that it has. */
async function fill(path: string): Promise<string> {
  const ballast = join(path, 'ballast')
  const { bavail, bsize } = await statfs(path)
  await appendFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {})
  return ballast
}

test('a full disk is told, loses nothing, and is over when there is room', async (t) => {
  if (!isRoot) return t.skip('needs root, to mount a small disk')
  const place = await makeInstallation(t)
  if (!(await mountDisk(t, place, '200m'))) {
    return t.skip('this machine does not let root mount a tmpfs')
  }
  const { florin, url } = await place.start({ env })
  const client = (await BusyClient.open(url)).start()
  await client.served(50)
  const ballast = await fill(place.data_path)
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  const until = performance.now() + full_ms
  while (performance.now() < until) {
    await fill(place.data_path)
    // Each asks for a new file of the log of changes, without which PostgreSQL cannot go on.
    await ask(connection, 'select pg_switch_wal()').catch(() => {})
    await sleep(100)
  }
  assert.equal((await fetch(`${url}/livez`)).status, 200)
  await rm(ballast)
  // A machine that is busy with other tests may need several tries to start PostgreSQL.
  await client.served(50, 120_000).catch(async (error) => {
    const log = await readFile(join(place.data_path, 'postgres.log'), 'utf8')
    throw new Error(`${error.message}\n${florin.stdout}\n${log.slice(-4_000)}`)
  })
  await client.stop()
  const found = client.statuses()
  assert.ok((found['503'] ?? 0) > 0, `the full disk was met: ${JSON.stringify(found)}`)
  assert.deepEqual(Object.keys(found), ['503'], JSON.stringify(client.others.at(-1)))
  const slowest = Math.max(...client.others.map(({ took_ms }) => took_ms))
  assert.ok(slowest < 12_000, `${slowest} ms`)
  const told = florin.stdout.split('\n').filter((line) => /embedded database/.test(line))
  assert.ok(
    told.some((line) => /down: The disk that holds .* is full\. Free/.test(line)),
    told.join('\n'),
  )
  assert.ok(told.some((line) => /was down and is running again/.test(line)))
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await florin.stop()).code, 0)
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

test('a start on a full disk ends with a sentence, one with room serves', async (t) => {
  if (!isRoot) return t.skip('needs root, to mount a small disk')
  const place = await makeInstallation(t)
  if (!(await mountDisk(t, place, '150m'))) {
    return t.skip('this machine does not let root mount a tmpfs')
  }
  const ballast = await fill(place.data_path)
  const ended = await place.run(['start'], { env }).ended
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /^The disk that holds .* is full\. Free at least 200 MB/)
  await rm(ballast)
  const { florin } = await place.start({ env })
  assert.equal((await florin.stop()).code, 0)
})

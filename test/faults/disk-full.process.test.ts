// The disk of the embedded database fills up under load and later has space again. Meanwhile
// requests get 503. Afterwards payments continue without an operator, and none is lost.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmdirSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, statfs, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { type Installation, makeInstallation } from '../cli/florin-process.ts'
import { isRoot } from '../embedded-postgres/fixture.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { ask } from '../support/postgres.ts'

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }
// Long enough for PostgreSQL to crash and for restarts to fail.
const full_ms = process.env.FLORIN_FAULTS === 'long' ? 30_000 : 6_000

/** Mounts a small disk as the data directory. Returns false where root may not mount one. */
async function mountDisk(
  t: TestContext,
  installation: Installation,
  size: string,
): Promise<boolean> {
  const disk = await mkdtemp(join(tmpdir(), 'florin-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return false
  }
  await symlink(disk, installation.data_path)
  t.after(() => {
    execFileSync('umount', ['--lazy', disk])
    rmdirSync(disk)
  })
  return true
}

/** Uses up all free space. */
async function fill(path: string): Promise<string> {
  const ballast = join(path, 'ballast')
  const { bavail, bsize } = await statfs(path)
  await appendFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {})
  return ballast
}

test('reports a full disk, loses no payment, and recovers when there is space', async (t) => {
  if (!isRoot) return t.skip('needs root to mount a small disk')
  const installation = await makeInstallation(t)
  if (!(await mountDisk(t, installation, '200m'))) {
    return t.skip('cannot mount a tmpfs here, even as root')
  }
  const { florin, url } = await installation.start({ env })
  const client = (await BusyClient.open(url)).start()
  await client.served(50)
  const ballast = await fill(installation.data_path)
  const { pid: _, ...connection } = (await findRunningEmbedded(installation.data_path))!
  const until = performance.now() + full_ms
  while (performance.now() < until) {
    await fill(installation.data_path)
    // Each switch needs a new WAL file, without which PostgreSQL cannot continue.
    await ask(connection, 'select pg_switch_wal()').catch(() => {})
    await sleep(100)
  }
  assert.equal((await fetch(`${url}/livez`)).status, 200)
  await rm(ballast)
  // On a busy machine PostgreSQL may need several attempts to start.
  await client.served(50, 120_000).catch(async (error) => {
    const log = await readFile(join(installation.data_path, 'postgres.log'), 'utf8')
    throw new Error(`${error.message}\n${florin.stdout}\n${log.slice(-4_000)}`)
  })
  await client.stop()
  const found = client.statuses()
  assert.ok((found['503'] ?? 0) > 0, `no request failed: ${JSON.stringify(found)}`)
  assert.deepEqual(Object.keys(found), ['503'], JSON.stringify(client.others.at(-1)))
  const slowest = Math.max(...client.others.map(({ took_ms }) => took_ms))
  assert.ok(slowest < 12_000, `${slowest} ms`)
  const log_lines = florin.stdout.split('\n').filter((line) => /embedded database/.test(line))
  assert.ok(
    log_lines.some((line) => /down: The disk that holds .* is full\. Free/.test(line)),
    log_lines.join('\n'),
  )
  assert.ok(log_lines.some((line) => /was down and is running again/.test(line)))
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await florin.stop()).code, 0)
  const verified = await installation.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

test('a start on a full disk exits with an error, and works once there is space', async (t) => {
  if (!isRoot) return t.skip('needs root to mount a small disk')
  const installation = await makeInstallation(t)
  if (!(await mountDisk(t, installation, '150m'))) {
    return t.skip('cannot mount a tmpfs here, even as root')
  }
  const ballast = await fill(installation.data_path)
  const ended = await installation.run(['start'], { env }).ended
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /^The disk that holds .* is full\. Free at least 200 MB/)
  await rm(ballast)
  const { florin } = await installation.start({ env })
  assert.equal((await florin.stop()).code, 0)
})

// What backup and restore reject, and with which messages. Nothing is ever overwritten, and an
// incomplete, damaged or incompatible backup never becomes a database.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type Manifest,
  manifestName,
  manifestText,
} from '../../../src/embedded-postgres/backup/manifest.ts'
import { makeUsedInstallation } from '../../cli/used-data-folder.ts'
import { isRoot } from '../fixture.ts'

const installation = await makeUsedInstallation({ after })
const whole = join(installation.path, 'whole')
const created = await installation.run(['backup', whole]).ended
assert.equal(created.code, 0, created.stderr)

const elsewhere = join(installation.path, 'elsewhere')

async function refused(args: string[], env: Record<string, string> = {}): Promise<string> {
  const ended = await installation.run([...args, '--json'], { env }).ended
  assert.equal(ended.code, 1, ended.stdout)
  assert.equal(ended.stdout, '')
  return JSON.parse(ended.stderr).message
}

/** Restores to an empty directory, which must stay empty. */
async function refusedRestore(folder: string): Promise<string> {
  const message = await refused(['restore', folder], { FLORIN_DATA: elsewhere })
  const left = await readdir(elsewhere).catch(() => [])
  assert.deepEqual(left, [], message)
  return message
}

async function withManifest(change: (manifest: Manifest) => void): Promise<string> {
  const folder = join(installation.path, 'changed')
  await rm(folder, { recursive: true, force: true })
  await cp(whole, folder, { recursive: true })
  const { backup } = JSON.parse(await readFile(join(whole, manifestName), 'utf8'))
  change(backup)
  await writeFile(join(folder, manifestName), manifestText(backup))
  return folder
}

test('rejects a target that exists, has no parent folder or is inside the database', async () => {
  assert.match(await refused(['backup', whole]), /whole already exists.*Choose a new folder\.$/)
  const nowhere = join(installation.path, 'no', 'where')
  assert.match(await refused(['backup', nowhere]), /^The folder .*no does not exist/)
  const inside = join(installation.data_path, 'postgres', 'base', 'copy')
  assert.match(await refused(['backup', inside]), /is inside the database/)
})

test('rejects an external database, and names the tools for it', async () => {
  const env = { DATABASE_URL: 'postgres://florin@db.example.com/florin' }
  assert.match(
    await refused(['backup', join(installation.path, 'x')], env),
    /pg_basebackup, or pg_dump/,
  )
  assert.match(await refused(['restore', whole], env), /pg_restore/)
})

test('rejects a disk with too little space, and cleans up when a disk becomes full', async (t) => {
  if (!isRoot) return t.skip('needs root, to mount a small disk')
  const disk = join(installation.path, 'disk')
  await mkdir(disk)
  for (const [options, expected] of [
    ['size=20m', /needs \d+ MB, but the disk of .* has only \d+ MB free/],
    // Enough bytes but too few inodes: the failure occurs only during the copy.
    ['size=2g,nr_inodes=200', /became full\. The partial copy was removed/],
  ] as const) {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      return t.skip('this machine does not let root mount a tmpfs')
    }
    try {
      assert.match(await refused(['backup', join(disk, 'small')]), expected)
      assert.deepEqual(await readdir(disk), [])
      const message = await refused(['restore', whole], { FLORIN_DATA: join(disk, 'data') })
      assert.match(message, /became full\. The partial copy was removed.*set FLORIN_DATA/)
    } finally {
      execFileSync('umount', [disk])
    }
  }
})

test('never overwrites a database with a restore, running or not', async () => {
  assert.match(await refused(['restore', whole]), /already contains a database.*Move it away/)
  const { florin } = await installation.start()
  assert.match(await refused(['restore', whole]), /is running \(pid \d+\)\. Stop Florin and/)
  assert.equal((await florin.stop()).code, 0)
})

test('rejects a folder that is not a backup, and a damaged manifest', async () => {
  assert.match(await refusedRestore(installation.path), /is not a complete backup/)
  assert.match(await refusedRestore(join(installation.path, 'none')), /is not a complete backup/)
  const folder = await withManifest(() => {})
  const text = await readFile(join(folder, manifestName), 'utf8')
  await writeFile(join(folder, manifestName), text.replace('"sandbox"', '"live"'))
  assert.match(await refusedRestore(folder), /is damaged: its checksum does not match/)
  await writeFile(join(folder, manifestName), text.slice(0, -200))
  assert.match(await refusedRestore(folder), /is damaged: its checksum does not match/)
})

test('rejects a backup with a missing, truncated or changed file', async () => {
  const { backup } = JSON.parse(await readFile(join(whole, manifestName), 'utf8'))
  const { path } = (backup as Manifest).files.find(({ bytes }) => bytes > 8_192)!
  const damages = {
    'is missing': (file: string) => rm(file),
    'has 100 bytes': (file: string) => truncate(file, 100),
    'has a different checksum': async (file: string) => {
      const bytes = await readFile(file)
      bytes[100]! ^= 1
      await writeFile(file, bytes)
    },
  }
  for (const [problem, damage] of Object.entries(damages)) {
    const folder = await withManifest(() => {})
    await damage(join(folder, 'postgres', path))
    const message = await refusedRestore(folder)
    assert.ok(message.startsWith(`The backup is damaged: ${path} ${problem}`), message)
  }
})

test('rejects a backup of another version, platform or mode', async () => {
  const cases: [(manifest: Manifest) => void, RegExp][] = [
    [(one) => one.migrations.push('9999_later'), /newer version of Florin.*9999_later/],
    [(one) => Object.assign(one, { postgresql: '17.2' }), /PostgreSQL 17\.2.*PostgreSQL 18/],
    [(one) => Object.assign(one, { platform: 'sunos-x64' }), /created on sunos-x64/],
    [(one) => Object.assign(one, { mode: 'live' }), /Restore it with FLORIN_MODE=live/],
    [(one) => Object.assign(one, { format: 2 }), /in a format that this version does not support/],
    [(one) => one.directories.push('../../etc'), /invalid path "\.\.\/\.\.\/etc"/],
  ]
  for (const [change, message] of cases) {
    assert.match(await refusedRestore(await withManifest(change)), message)
  }
})

test('rejects a backup whose WAL ends too early', async () => {
  // As if the last segment was truncated when it was copied: the checksums match, the WAL ends.
  const folder = await withManifest((manifest) => {
    const last = manifest.files.findLast(({ path }) => path.startsWith('pg_wal/'))!
    Object.assign(last, { sha256: hash('sha256', Buffer.alloc(last.bytes)) })
  })
  const segments = await readdir(join(folder, 'postgres', 'pg_wal'))
  const last = segments.sort().at(-1)!
  await writeFile(join(folder, 'postgres', 'pg_wal', last), Buffer.alloc(16_777_216))
  const message = await refused(['restore', folder], {
    FLORIN_DATA: join(installation.path, 'cut'),
  })
  assert.match(message, /^The database in .* is damaged: /)
})

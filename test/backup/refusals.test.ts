// What backup and restore refuse, and in which words: nothing is ever written over, and nothing
// half, damaged or foreign is ever made a database.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Manifest, manifestName, manifestText } from '../../src/postgres/backup/manifest.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { isRoot } from '../postgres/embedded-fixture.ts'

const place = await makeUsedInstallation({ after })
const whole = join(place.path, 'whole')
const made = await place.run(['backup', whole]).ended
assert.equal(made.code, 0, made.stderr)

const elsewhere = join(place.path, 'elsewhere')

async function refused(args: string[], env: Record<string, string> = {}): Promise<string> {
  const ended = await place.run([...args, '--json'], { env }).ended
  assert.equal(ended.code, 1, ended.stdout)
  assert.equal(ended.stdout, '')
  return JSON.parse(ended.stderr).message
}

/** A restore to an empty directory, in which nothing may be left. */
async function refusedRestore(folder: string): Promise<string> {
  const message = await refused(['restore', folder], { FLORIN_DATA: elsewhere })
  const left = await readdir(elsewhere).catch(() => [])
  assert.deepEqual(left, [], message)
  return message
}

async function withManifest(change: (manifest: Manifest) => void): Promise<string> {
  const folder = join(place.path, 'changed')
  await rm(folder, { recursive: true, force: true })
  await cp(whole, folder, { recursive: true })
  const { backup } = JSON.parse(await readFile(join(whole, manifestName), 'utf8'))
  change(backup)
  await writeFile(join(folder, manifestName), manifestText(backup))
  return folder
}

test('a target that is there, or has no place, is refused', async () => {
  assert.match(await refused(['backup', whole]), /whole is there already.*Name a new folder\.$/)
  const nowhere = join(place.path, 'no', 'where')
  assert.match(await refused(['backup', nowhere]), /There is no folder .*no to put the backup in/)
  const inside = join(place.data_path, 'postgres', 'base', 'copy')
  assert.match(await refused(['backup', inside]), /lies inside the database/)
})

test('a database of the operator is left to its own tools', async () => {
  const env = { DATABASE_URL: 'postgres://florin@db.example.com/florin' }
  assert.match(await refused(['backup', join(place.path, 'x')], env), /pg_basebackup, or pg_dump/)
  assert.match(await refused(['restore', whole], env), /pg_restore/)
})

test('a disk without room is refused before it is filled, and when it becomes full', async (t) => {
  if (!isRoot) return t.skip('needs root, to mount a small disk')
  const disk = join(place.path, 'disk')
  await mkdir(disk)
  for (const [options, words] of [
    ['size=20m', /needs \d+ MB, and the disk that holds .* has \d+ MB free/],
    // Room for all bytes and not for all files: it shows itself only when some are copied.
    ['size=2g,nr_inodes=200', /became full, and nothing was kept/],
  ] as const) {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      return t.skip('this machine does not let root mount a tmpfs')
    }
    try {
      assert.match(await refused(['backup', join(disk, 'small')]), words)
      assert.deepEqual(await readdir(disk), [])
      const message = await refused(['restore', whole], { FLORIN_DATA: join(disk, 'data') })
      assert.match(message, /became full, and nothing was kept.*set FLORIN_DATA/)
    } finally {
      execFileSync('umount', [disk])
    }
  }
})

test('a restore never writes over a database, running or not', async () => {
  assert.match(await refused(['restore', whole]), /holds a database already.*Move it away/)
  const { florin } = await place.start()
  assert.match(await refused(['restore', whole]), /is running \(pid \d+\)\. Stop Florin first/)
  assert.equal((await florin.stop()).code, 0)
})

test('what is no backup, or a damaged one, is refused', async () => {
  assert.match(await refusedRestore(place.path), /is not a whole backup/)
  assert.match(await refusedRestore(join(place.path, 'none')), /is not a whole backup/)
  const folder = await withManifest(() => {})
  const text = await readFile(join(folder, manifestName), 'utf8')
  await writeFile(join(folder, manifestName), text.replace('"sandbox"', '"live"'))
  assert.match(await refusedRestore(folder), /is damaged: its checksum is not right/)
  await writeFile(join(folder, manifestName), text.slice(0, -200))
  assert.match(await refusedRestore(folder), /is damaged: its checksum is not right/)
})

test('a file that is missing, short or changed is found before anything is restored', async () => {
  const { backup } = JSON.parse(await readFile(join(whole, manifestName), 'utf8'))
  const { path } = (backup as Manifest).files.find(({ bytes }) => bytes > 8_192)!
  const damages = {
    'is missing': (file: string) => rm(file),
    'has 100 bytes': (file: string) => truncate(file, 100),
    'has another checksum': async (file: string) => {
      const bytes = await readFile(file)
      bytes[100]! ^= 1
      await writeFile(file, bytes)
    },
  }
  for (const [words, damage] of Object.entries(damages)) {
    const folder = await withManifest(() => {})
    await damage(join(folder, 'postgres', path))
    const message = await refusedRestore(folder)
    assert.ok(message.startsWith(`The backup is damaged: ${path} ${words}`), message)
  }
})

test('a backup of another version, machine or mode is refused', async () => {
  const cases: [(manifest: Manifest) => void, RegExp][] = [
    [(one) => one.migrations.push('9999_later'), /newer Florin.*9999_later/],
    [(one) => Object.assign(one, { postgresql: '17.2' }), /PostgreSQL 17\.2.*PostgreSQL 18/],
    [(one) => Object.assign(one, { platform: 'sunos-x64' }), /made on sunos-x64/],
    [(one) => Object.assign(one, { mode: 'live' }), /FLORIN_MODE=live.*never mix/],
    [(one) => Object.assign(one, { format: 2 }), /in a form that this version does not know/],
    [(one) => one.directories.push('../../etc'), /which no backup of Florin holds/],
  ]
  for (const [change, words] of cases) {
    assert.match(await refusedRestore(await withManifest(change)), words)
  }
})

test('a backup whose log of changes ends too early is no database', async () => {
  // As if the last segment had been cut when it was copied: the sums are right, the log is not.
  const folder = await withManifest((manifest) => {
    const last = manifest.files.findLast(({ path }) => path.startsWith('pg_wal/'))!
    Object.assign(last, { sha256: hash('sha256', Buffer.alloc(last.bytes)) })
  })
  const segments = await readdir(join(folder, 'postgres', 'pg_wal'))
  const last = segments.sort().at(-1)!
  await writeFile(join(folder, 'postgres', 'pg_wal', last), Buffer.alloc(16_777_216))
  const message = await refused(['restore', folder], { FLORIN_DATA: join(place.path, 'cut') })
  assert.match(message, /^The database in .* is damaged: /)
})

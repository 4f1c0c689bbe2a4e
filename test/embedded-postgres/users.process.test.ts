import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  isRoot,
  makeFixture,
  makeOwnedDirectory,
  makeProject,
  noOrdinary,
  type Owner,
  ordinary,
  query,
} from './fixture.ts'

/** How it was started, or the error. */
function outcome({ report }: Owner): string | undefined {
  return report.error ?? report.started
}

const asOrdinary = isRoot ? { user: ordinary } : {}

// Two at a time: the tests mostly wait for other processes.
describe('system users and the embedded database', { concurrency: 2 }, () => {
  test('opens and adopts a database as an ordinary user', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    const fixture = await makeFixture(t)
    await makeOwnedDirectory(join(fixture.path, 'home'))
    const first = await fixture.own('home/data', asOrdinary)
    assert.equal(outcome(first), 'new')
    await first.crash()
    const second = await fixture.own('home/data', asOrdinary)
    assert.equal(outcome(second), 'adopted')
    assert.deepEqual(second.report.connection, first.report.connection)
    await second.stop()
    const third = await fixture.own('home/data', asOrdinary)
    assert.equal(outcome(third), 'started')
    await third.stop()
  })

  test('copies binaries from a read-only node_modules to the data directory', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    const fixture = await makeFixture(t)
    const project = await makeProject(join(fixture.path, 'project'), { binaries: true })
    await makeOwnedDirectory(join(fixture.path, 'home'))
    const modules = join(project, 'node_modules')
    execFileSync('chmod', ['-R', 'a-w', modules])
    fixture.cleanups.push(() => execFileSync('chmod', ['-R', 'u+w', modules]))
    for (const started of ['new', 'started']) {
      const owner = await fixture.own('home/data', { project, ...asOrdinary })
      assert.equal(outcome(owner), started)
      await owner.stop()
    }
    const names = await readdir(join(fixture.path, 'home', 'data'))
    assert.equal(names.filter((name) => name.startsWith('florin-postgresql-18.')).length, 1)
  })

  test('runs as root with a project and data in a 0700 home', async (t) => {
    if (!isRoot) return t.skip('needs root')
    const fixture = await makeFixture(t)
    const home = join(fixture.path, 'home')
    await mkdir(home, { mode: 0o700 })
    const before = await listCopies()
    const project = await makeProject(join(home, 'project'), { binaries: true })
    const first = await fixture.own('home/data', { project })
    assert.equal(outcome(first), 'new')
    await query(first.report.connection!, 'create extension pg_trgm')
    await first.crash()
    const second = await fixture.own('home/data', { project })
    assert.equal(outcome(second), 'adopted')
    await second.stop()
    // If other users cannot reach this project either, other tests use the copy: do not touch it.
    const copies = noOrdinary ? [] : (await listCopies()).filter((path) => !before.includes(path))
    // A copy that lost a file, as after a cleanup of a temporary directory, is replaced.
    for (const copy of copies) await rm(join(copy, 'bin', 'initdb'))
    const third = await fixture.own('home/data', { project })
    assert.equal(outcome(third), 'started')
    await third.stop()
    for (const copy of copies) {
      const { uid, mode } = await stat(copy)
      assert.deepEqual({ uid, mode: mode & 0o777 }, { uid: 0, mode: 0o755 })
      assert.ok((await stat(join(copy, 'bin', 'initdb'))).size > 0)
      await rm(copy, { recursive: true })
    }
  })

  async function listCopies(): Promise<string[]> {
    const names = await readdir('/var/lib')
    return names
      .filter((name) => name.startsWith('florin-postgresql-'))
      .map((name) => `/var/lib/${name}`)
  }

  test('starts two processes that create the links concurrently', async (t) => {
    const fixture = await makeFixture(t)
    const project = await makeProject(join(fixture.path, 'project'), { binaries: true })
    await makeOwnedDirectory(join(fixture.path, 'home'))
    const owners = await Promise.all(['one', 'two'].map((name) => fixture.own(name, { project })))
    for (const owner of owners) assert.equal(outcome(owner), 'new')
    await Promise.all(owners.map((owner) => owner.stop()))
  })

  test('opens a database of an ordinary user as root, and then as that user again', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    if (!isRoot) return t.skip('needs root')
    const fixture = await makeFixture(t)
    await makeOwnedDirectory(join(fixture.path, 'home'))
    const first = await fixture.own('home/data', asOrdinary)
    await first.crash()
    const root = await fixture.open('home/data')
    assert.equal(root.started, 'adopted')
    await root.stop()
    const again = await fixture.own('home/data')
    assert.equal(outcome(again), 'started')
    assert.equal((await stat(join(fixture.path, 'home/data/postgres'))).uid, ordinary.uid)
    await again.crash()
    const last = await fixture.own('home/data', asOrdinary)
    assert.equal(outcome(last), 'adopted')
    await last.stop()
  })

  test('rejects other users, including the one that the server runs as', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    if (!isRoot) return t.skip('needs root, to become other users')
    const fixture = await makeFixture(t)
    const { connection, data_path } = await fixture.open('data')
    const server = await stat(join(data_path, 'postgres'))
    assert.match(connectAs({ uid: 1, gid: 1 }, connection.host), /EACCES/)
    assert.match(connectAs(server, connection.host), /Peer authentication failed/)
    // Even if the socket can be reached, only mapped users can connect.
    await chmod(connection.host, 0o755)
    await chmod(join(connection.host, '.s.PGSQL.5432'), 0o777)
    assert.match(connectAs({ uid: 1, gid: 1 }, connection.host), /Peer authentication failed/)
    const map = await readFile(join(data_path, 'postgres', 'pg_ident.conf'), 'utf8')
    assert.equal(map, 'florin "root" florin\n')
  })

  function connectAs({ uid, gid }: { uid: number; gid: number }, host: string): string {
    const script = `
    import pg from '${import.meta.resolve('pg')}'
    const client = new pg.Client({ host: '${host}', user: 'florin', database: 'florin' })
    client.connect().then(() => 'connected', (error) => error.message).then(console.log)
      .finally(() => process.exit())`
    const args = ['--input-type=module', '--eval', script]
    return execFileSync(process.execPath, args, { uid, gid, cwd: '/', encoding: 'utf8' })
  }
})

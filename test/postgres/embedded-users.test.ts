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
} from './embedded-fixture.ts'

/** How it was started, or why not. */
function outcome({ told }: Owner): string | undefined {
  return told.error ?? told.started
}

const asOrdinary = isRoot ? { user: ordinary } : {}

// Two at a time: most of a test is waiting for other processes.
describe('the system users around a database', { concurrency: 2 }, () => {
  test('an ordinary user opens, keeps and adopts a database', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    const place = await makeFixture(t)
    await makeOwnedDirectory(join(place.path, 'home'))
    const first = await place.own('home/data', asOrdinary)
    assert.equal(outcome(first), 'new')
    await first.crash()
    const second = await place.own('home/data', asOrdinary)
    assert.equal(outcome(second), 'adopted')
    assert.deepEqual(second.told.connection, first.told.connection)
    await second.stop()
    const third = await place.own('home/data', asOrdinary)
    assert.equal(outcome(third), 'started')
    await third.stop()
  })

  test('node_modules that are read-only are copied into the data directory', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    const place = await makeFixture(t)
    const project = await makeProject(join(place.path, 'project'), { binaries: true })
    await makeOwnedDirectory(join(place.path, 'home'))
    const modules = join(project, 'node_modules')
    execFileSync('chmod', ['-R', 'a-w', modules])
    place.cleanups.push(() => execFileSync('chmod', ['-R', 'u+w', modules]))
    for (const started of ['new', 'started']) {
      const owner = await place.own('home/data', { project, ...asOrdinary })
      assert.equal(outcome(owner), started)
      await owner.stop()
    }
    const names = await readdir(join(place.path, 'home', 'data'))
    assert.equal(names.filter((name) => name.startsWith('florin-postgresql-18.')).length, 1)
  })

  test('root in a 0700 home runs project and data that no other user can reach', async (t) => {
    if (!isRoot) return t.skip('needs root')
    const place = await makeFixture(t)
    const home = join(place.path, 'home')
    await mkdir(home, { mode: 0o700 })
    const before = await listCopies()
    const project = await makeProject(join(home, 'project'), { binaries: true })
    const first = await place.own('home/data', { project })
    assert.equal(outcome(first), 'new')
    await query(first.told.connection!, 'create extension pg_trgm')
    await first.crash()
    const second = await place.own('home/data', { project })
    assert.equal(outcome(second), 'adopted')
    await second.stop()
    // Where this project is out of reach too, other tests use the copy, and it is left alone.
    const copies = noOrdinary ? [] : (await listCopies()).filter((path) => !before.includes(path))
    // A copy that lost a file is replaced, as the sweep of a temporary directory may make one.
    for (const copy of copies) await rm(join(copy, 'bin', 'initdb'))
    const third = await place.own('home/data', { project })
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

  test('two processes that make the links at once both start', async (t) => {
    const place = await makeFixture(t)
    const project = await makeProject(join(place.path, 'project'), { binaries: true })
    await makeOwnedDirectory(join(place.path, 'home'))
    const owners = await Promise.all(['one', 'two'].map((name) => place.own(name, { project })))
    for (const owner of owners) assert.equal(outcome(owner), 'new')
    await Promise.all(owners.map((owner) => owner.stop()))
  })

  test('root opens a database of an ordinary user, who can open it again', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    if (!isRoot) return t.skip('needs root')
    const place = await makeFixture(t)
    await makeOwnedDirectory(join(place.path, 'home'))
    const first = await place.own('home/data', asOrdinary)
    await first.crash()
    const root = await place.open('home/data')
    assert.equal(root.started, 'adopted')
    await root.stop()
    const again = await place.own('home/data')
    assert.equal(outcome(again), 'started')
    assert.equal((await stat(join(place.path, 'home/data/postgres'))).uid, ordinary.uid)
    await again.crash()
    const last = await place.own('home/data', asOrdinary)
    assert.equal(outcome(last), 'adopted')
    await last.stop()
  })

  test('other users are kept out, the one that the server runs as included', async (t) => {
    if (noOrdinary) return t.skip(noOrdinary)
    if (!isRoot) return t.skip('needs root, to become other users')
    const place = await makeFixture(t)
    const { connection, data_path } = await place.open('data')
    const server = await stat(join(data_path, 'postgres'))
    assert.match(knockAs({ uid: 1, gid: 1 }, connection.host), /EACCES/)
    assert.match(knockAs(server, connection.host), /Peer authentication failed/)
    // Even where the socket could be reached, only the mapped users are let in.
    await chmod(connection.host, 0o755)
    await chmod(join(connection.host, '.s.PGSQL.5432'), 0o777)
    assert.match(knockAs({ uid: 1, gid: 1 }, connection.host), /Peer authentication failed/)
    const map = await readFile(join(data_path, 'postgres', 'pg_ident.conf'), 'utf8')
    assert.equal(map, 'florin "root" florin\n')
  })

  function knockAs({ uid, gid }: { uid: number; gid: number }, host: string): string {
    const script = `
    import pg from '${import.meta.resolve('pg')}'
    const client = new pg.Client({ host: '${host}', user: 'florin', database: 'florin' })
    client.connect().then(() => 'let in', (error) => error.message).then(console.log)
      .finally(() => process.exit())`
    const args = ['--input-type=module', '--eval', script]
    return execFileSync(process.execPath, args, { uid, gid, cwd: '/', encoding: 'utf8' })
  }
})

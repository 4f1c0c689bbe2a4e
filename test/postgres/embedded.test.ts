import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded, openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import {
  makeSocketDirectory,
  removeSocketDirectory,
} from '../../src/postgres/embedded/socket-directory.ts'
import { startServer } from '../../src/postgres/embedded/start-server.ts'
import { isAlive, isRoot, makeFixture, query, until } from './embedded-fixture.ts'

test('a new data directory gets a database that keeps its data over a restart', async (t) => {
  const place = await makeFixture(t)
  const first = await place.open('data')
  assert.equal(first.started, 'new')
  assert.match(first.version, /^18\./)
  await query(first.connection, 'create table kept as select 42 as response')
  await first.stop()

  const second = await place.open('data')
  assert.equal(second.started, 'started')
  assert.deepEqual(await query(second.connection, 'select response from kept'), [{ response: 42 }])
})

test('an open database', async (t) => {
  process.env.FLORIN_ADMIN_PASSWORD = 'a secret'
  const place = await makeFixture(t)
  const { connection, data_path } = await place.open('data')
  const running = await findRunningEmbedded(data_path)
  delete process.env.FLORIN_ADMIN_PASSWORD

  await t.test('is durable, speaks UTF-8, and is closed to the network', async () => {
    const rows = await query<{ name: string; setting: string }>(
      connection,
      'select name, setting from pg_settings',
    )
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
    assert.equal(settings.data_checksums, 'on')
    assert.equal(settings.full_page_writes, 'on')
    assert.equal(settings.synchronous_commit, 'on')
    assert.equal(settings.listen_addresses, '')
    assert.equal(settings.unix_socket_permissions, '0700')
    assert.equal(settings.server_encoding, 'UTF8')
    assert.equal(settings.TimeZone, 'UTC')
    assert.equal(settings.fsync, 'off', 'a test may override a setting')
  })

  await t.test('knows letters beyond ASCII, also in trigrams', async () => {
    assert.deepEqual(await query(connection, `select lower('ÅÉ') as text`), [{ text: 'åé' }])
    await query(connection, 'create extension pg_trgm')
    const sql = `select cardinality(show_trgm('łóś')) as trigrams`
    assert.deepEqual(await query(connection, sql), [{ trigrams: 4 }])
  })

  await t.test('is reached by a private socket and peer authentication alone', async () => {
    const sql = 'select type, auth_method, options from pg_hba_file_rules'
    assert.deepEqual(await query(connection, sql), [
      { type: 'local', auth_method: 'peer', options: ['map=florin'] },
    ])
    assert.equal((await stat(connection.host)).mode & 0o777, 0o700)
    assert.equal((await stat(data_path)).mode & 0o777, 0o700)
    const password = `select rolpassword from pg_authid where rolname = 'florin'`
    assert.deepEqual(await query(connection, password), [{ rolpassword: null }])
  })

  await t.test('keeps values of rows out of its log', async () => {
    await query(connection, 'create table once (secret text primary key)')
    await query(connection, `insert into once select 'tok' || 'en'`)
    await assert.rejects(query(connection, `insert into once select 'tok' || 'en'`))
    const log = await readFile(join(data_path, 'postgres.log'), 'utf8')
    assert.match(log, /duplicate key value/)
    assert.doesNotMatch(log, /token/)
  })

  await t.test('does not inherit our environment', async (t) => {
    if (process.platform !== 'linux') return t.skip('only Linux shows the environment')
    const environment = await readFile(`/proc/${running!.pid}/environ`, 'utf8')
    assert.doesNotMatch(environment, /secret/)
  })

  await t.test('runs as an unprivileged user under root', async (t) => {
    if (!isRoot) return t.skip('needs root')
    const { uid } = await stat(join(data_path, 'postgres'))
    assert.notEqual(uid, 0)
    assert.equal((await stat(`/proc/${running!.pid}`)).uid, uid)
  })
})

test('stop ends server and clients, leaves no socket, and may be called twice', async (t) => {
  const place = await makeFixture(t)
  const database = await place.open('data')
  const running = await findRunningEmbedded(database.data_path)
  assert.ok(isAlive(running!.pid))
  const asleep = assert.rejects(query(database.connection, 'select pg_sleep(60)'))
  await until(async () => {
    const active = `select 1 from pg_stat_activity where query like 'select pg_sleep%'`
    return (await query(database.connection, active)).length > 0
  })
  await Promise.all([database.stop(), database.stop()])
  await database.stop()
  await asleep
  assert.ok(!isAlive(running!.pid))
  await assert.rejects(stat(database.connection.host), { code: 'ENOENT' })
})

test('another command finds the running server without owning it', async (t) => {
  const place = await makeFixture(t)
  assert.equal(await findRunningEmbedded(join(place.path, 'nowhere')), undefined)
  const database = await place.open('data')
  const { pid, ...connection } = (await findRunningEmbedded(database.data_path))!
  assert.deepEqual(connection, database.connection)
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  await database.stop()
  assert.ok(!isAlive(pid))
  assert.equal(await findRunningEmbedded(database.data_path), undefined)
})

describe('a database opens on a path', () => {
  const names = {
    'with spaces, commas and quotes': `it's, "so" \\ to $(say)`,
    'with letters beyond ASCII': 'données ✓ 数据',
    'of 2 000 bytes': Array(20).fill('x'.repeat(99)).join('/'),
  }
  for (const [kind, name] of Object.entries(names)) {
    test(kind, async (t) => {
      // PATH_MAX is 1 024 bytes on macOS, so such a path does not exist there.
      if (name.length > 1_000 && process.platform !== 'linux') return t.skip('paths are shorter')
      const place = await makeFixture(t)
      const database = await place.open(name)
      assert.deepEqual(await query(database.connection, 'select 1 as one'), [{ one: 1 }])
      assert.ok(await findRunningEmbedded(join(place.path, name)))
    })
  }
})

test('what an interrupted initdb left is cleared', async (t) => {
  const place = await makeFixture(t)
  const data_path = join(place.path, 'data')
  await place.own('data', {
    async onSpawn(child) {
      await until(() => findSide(data_path))
      child.kill('SIGKILL')
    },
  })
  assert.ok(await findSide(data_path), 'it was interrupted half-way')

  const database = await place.open('data')
  assert.equal(database.started, 'new')
  const names = await readdir(data_path)
  assert.deepEqual(names.sort(), ['postgres', 'postgres.log'])
})

async function findSide(data_path: string): Promise<string | undefined> {
  const names = await readdir(data_path).catch(() => [])
  return names.find((name) => name.startsWith('postgres.new-'))
}

test('a start that nobody wants any more ends what it has begun', async (t) => {
  const place = await makeFixture(t)
  const data_path = join(place.path, 'data')

  await t.test('initdb, whose work is cleared away', async () => {
    const stop = new AbortController()
    const opening = openEmbedded({ data_path, signal: stop.signal })
    await until(() => findSide(data_path))
    stop.abort(new Error('not wanted'))
    await assert.rejects(opening, /^Error: not wanted$/)
    assert.deepEqual(await readdir(data_path), ['postgres.log'])
  })

  await t.test('PostgreSQL, before it is ready', async () => {
    await (await place.open('data')).stop()
    const starting = { ...(await place.starting('data')), signal: AbortSignal.abort() }
    const socket_path = await makeSocketDirectory(starting.home, starting.user)
    place.cleanups.push(() => removeSocketDirectory(socket_path))
    assert.ok('log_tail' in (await startServer(starting, socket_path)))
  })

  await t.test('but not one that is open', async () => {
    const stop = new AbortController()
    const database = await openEmbedded({ data_path, signal: stop.signal })
    place.cleanups.push(() => database.stop())
    stop.abort()
    await sleep(200)
    assert.deepEqual(await query(database.connection, 'select 1 as one'), [{ one: 1 }])
  })
})

test('a log that has grown large is put aside at start', async (t) => {
  const place = await makeFixture(t)
  const data_path = join(place.path, 'data')
  await mkdir(data_path)
  await writeFile(join(data_path, 'postgres.log'), 'x'.repeat(6_000_000))
  await place.open('data')
  assert.equal((await stat(join(data_path, 'postgres.log.1'))).size, 6_000_000)
  assert.ok((await stat(join(data_path, 'postgres.log'))).size < 10_000)
})

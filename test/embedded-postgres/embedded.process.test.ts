import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded, openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import {
  makeSocketDirectory,
  removeSocketDirectory,
} from '../../src/embedded-postgres/socket-directory.ts'
import { startServer } from '../../src/embedded-postgres/start-server.ts'
import { isAlive, isRoot, makeFixture, makeUsedFixture, query, until } from './fixture.ts'

test('creates a database whose data survives a restart', async (t) => {
  const fixture = await makeFixture(t)
  const first = await fixture.open('data')
  assert.equal(first.started, 'new')
  assert.match(first.version, /^18\./)
  await query(first.connection, 'create table stored as select 42 as value')
  await first.stop()

  const second = await fixture.open('data')
  assert.equal(second.started, 'started')
  assert.deepEqual(await query(second.connection, 'select value from stored'), [{ value: 42 }])
})

test('an open database', async (t) => {
  process.env.FLORIN_ADMIN_PASSWORD = 'a secret'
  const fixture = await makeFixture(t)
  const { connection, data_path } = await fixture.open('data')
  const running = await findRunningEmbedded(data_path)
  delete process.env.FLORIN_ADMIN_PASSWORD

  await t.test('is durable, uses UTF-8, and does not listen on the network', async () => {
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

  await t.test('supports non-ASCII characters, also in trigrams', async () => {
    assert.deepEqual(await query(connection, `select lower('ÅÉ') as text`), [{ text: 'åé' }])
    await query(connection, 'create extension pg_trgm')
    const sql = `select cardinality(show_trgm('łóś')) as trigrams`
    assert.deepEqual(await query(connection, sql), [{ trigrams: 4 }])
  })

  await t.test('accepts only a private socket and peer authentication', async () => {
    const sql = 'select type, auth_method, options from pg_hba_file_rules'
    assert.deepEqual(await query(connection, sql), [
      { type: 'local', auth_method: 'peer', options: ['map=florin'] },
    ])
    assert.equal((await stat(connection.host)).mode & 0o777, 0o700)
    assert.equal((await stat(data_path)).mode & 0o777, 0o700)
    const password = `select rolpassword from pg_authid where rolname = 'florin'`
    assert.deepEqual(await query(connection, password), [{ rolpassword: null }])
  })

  await t.test('does not log row values', async () => {
    await query(connection, 'create table once (secret text primary key)')
    await query(connection, `insert into once select 'tok' || 'en'`)
    await assert.rejects(query(connection, `insert into once select 'tok' || 'en'`))
    const log = await readFile(join(data_path, 'postgres.log'), 'utf8')
    assert.match(log, /duplicate key value/)
    assert.doesNotMatch(log, /token/)
  })

  await t.test('does not inherit the environment', async (t) => {
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

test('stop() ends server and clients, removes the socket, and can be called twice', async (t) => {
  const fixture = await makeUsedFixture(t)
  const database = await fixture.open('data')
  const running = await findRunningEmbedded(database.data_path)
  assert.ok(isAlive(running!.pid))
  const sleeping = assert.rejects(query(database.connection, 'select pg_sleep(60)'))
  await until(async () => {
    const active = `select 1 from pg_stat_activity where query like 'select pg_sleep%'`
    return (await query(database.connection, active)).length > 0
  })
  await Promise.all([database.stop(), database.stop()])
  await database.stop()
  await sleeping
  assert.ok(!isAlive(running!.pid))
  await assert.rejects(stat(database.connection.host), { code: 'ENOENT' })
})

test('findRunningEmbedded finds a running server without owning it', async (t) => {
  const fixture = await makeUsedFixture(t)
  assert.equal(await findRunningEmbedded(join(fixture.path, 'nowhere')), undefined)
  const database = await fixture.open('data')
  const { pid, findHost, ...connection } = (await findRunningEmbedded(database.data_path))!
  assert.deepEqual(connection, database.connection)
  assert.equal(findHost!(), connection.host)
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  await database.stop()
  assert.ok(!isAlive(pid))
  assert.equal(await findRunningEmbedded(database.data_path), undefined)
  assert.equal(findHost!(), undefined)
})

describe('opens a database on a path', () => {
  const names = {
    'with spaces, commas and quotes': `it's, "so" \\ to $(say)`,
    'with non-ASCII characters': 'données ✓ 数据',
    'of 2,000 bytes': Array(20).fill('x'.repeat(99)).join('/'),
  }
  for (const [kind, name] of Object.entries(names)) {
    test(kind, async (t) => {
      // PATH_MAX is 1,024 bytes on macOS, so such a path does not exist there.
      if (name.length > 1_000 && process.platform !== 'linux') return t.skip('paths are shorter')
      const fixture = await makeFixture(t)
      const database = await fixture.open(name)
      assert.deepEqual(await query(database.connection, 'select 1 as one'), [{ one: 1 }])
      assert.ok(await findRunningEmbedded(join(fixture.path, name)))
    })
  }
})

test('removes leftovers of an interrupted initdb', async (t) => {
  const fixture = await makeFixture(t)
  const data_path = join(fixture.path, 'data')
  await fixture.own('data', {
    async onSpawn(child) {
      await until(() => findTemporary(data_path))
      child.kill('SIGKILL')
    },
  })
  assert.ok(await findTemporary(data_path), 'initdb was interrupted')

  const database = await fixture.open('data')
  assert.equal(database.started, 'new')
  const names = (await readdir(data_path)).filter((name) => !name.startsWith('in-use-'))
  assert.deepEqual(names.sort(), ['postgres', 'postgres.log'])
})

async function findTemporary(data_path: string): Promise<string | undefined> {
  const names = await readdir(data_path).catch(() => [])
  return names.find((name) => name.startsWith('postgres.unfinished-'))
}

test('an aborted start ends its child process', async (t) => {
  const fixture = await makeFixture(t)
  const data_path = join(fixture.path, 'data')

  await t.test('initdb, and removes its directory', async () => {
    const stop = new AbortController()
    const opening = openEmbedded({ data_path, signal: stop.signal })
    await until(() => findTemporary(data_path))
    stop.abort(new Error('aborted by the test'))
    await assert.rejects(opening, /^Error: aborted by the test$/)
    assert.deepEqual(await readdir(data_path), ['postgres.log'])
  })

  await t.test('PostgreSQL, before it is ready', async () => {
    await (await fixture.open('data')).stop()
    const starting = { ...(await fixture.starting('data')), signal: AbortSignal.abort() }
    const socket_path = await makeSocketDirectory(starting.home, starting.user)
    fixture.cleanups.push(() => removeSocketDirectory(socket_path))
    assert.ok('log_tail' in (await startServer(starting, socket_path)))
  })

  await t.test('but not a server that is already open', async () => {
    const stop = new AbortController()
    const database = await openEmbedded({ data_path, signal: stop.signal })
    fixture.cleanups.push(() => database.stop())
    stop.abort()
    await sleep(200)
    assert.deepEqual(await query(database.connection, 'select 1 as one'), [{ one: 1 }])
  })
})

test('rotates a large log at start', async (t) => {
  const fixture = await makeFixture(t)
  const data_path = join(fixture.path, 'data')
  await mkdir(data_path)
  await writeFile(join(data_path, 'postgres.log'), 'x'.repeat(6_000_000))
  await fixture.open('data')
  assert.equal((await stat(join(data_path, 'postgres.log.1'))).size, 6_000_000)
  assert.ok((await stat(join(data_path, 'postgres.log'))).size < 10_000)
})

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { acquireServer } from '../../src/postgres/embedded/acquire-server.ts'
import { findProcess } from '../../src/postgres/embedded/find-process.ts'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { stopServer } from '../../src/postgres/embedded/stop-server.ts'
import { isAlive, makeFixture, query, until } from './embedded-fixture.ts'

const alreadyRunning = (pid: number | undefined) => ({
  name: 'EmbeddedDatabaseError',
  message:
    `Florin is already running on this data directory (pid ${pid}). ` +
    'Stop it first, or set FLORIN_DATA to another directory.',
})

// Two at a time: most of a test is waiting for other processes.
describe('the owner of a data directory', { concurrency: 2 }, () => {
  test('a server left by kill -9 is adopted with its data, and then stopped', async (t) => {
    const place = await makeFixture(t)
    const owner = await place.own('data')
    await query(owner.told.connection!, 'create table kept as select 42 as response')
    const orphan = await findRunningEmbedded(owner.told.data_path!)
    await owner.crash()
    assert.ok(isAlive(orphan!.pid), 'the database outlives its owner')

    const database = await place.open('data')
    assert.equal(database.started, 'adopted')
    assert.deepEqual(database.connection, owner.told.connection)
    assert.deepEqual(await query(database.connection, 'select response from kept'), [
      { response: 42 },
    ])
    await database.stop()
    assert.ok(!isAlive(orphan!.pid))
  })

  test('a data directory with a living Florin is refused, and its server goes on', async (t) => {
    const place = await makeFixture(t)
    const owner = await place.own('data')
    await assert.rejects(place.open('data'), alreadyRunning(owner.told.pid))
    assert.deepEqual(await query(owner.told.connection!, 'select 1 as one'), [{ one: 1 }])
    await owner.stop()
    assert.equal((await place.open('data')).started, 'started')
  })

  test('of several processes that open a new data directory at once, one succeeds', async (t) => {
    const place = await makeFixture(t)
    const owners = await Promise.all([1, 2, 3].map(() => place.own('data')))
    const winners = owners.filter((owner) => owner.told.error === undefined)
    assert.equal(winners.length, 1)
    for (const { told } of owners) {
      if (told !== winners[0]!.told)
        assert.equal(told.error, alreadyRunning(winners[0]!.told.pid).message)
    }
    assert.deepEqual(await query(winners[0]!.told.connection!, 'select 1 as one'), [{ one: 1 }])
    await winners[0]!.stop()
  })

  test('of several processes that find an orphan at once, one adopts it', async (t) => {
    const place = await makeFixture(t)
    await (await place.own('data')).crash()
    const owners = await Promise.all([1, 2, 3].map(() => place.own('data')))
    assert.equal(owners.filter(({ told }) => told.started === 'adopted').length, 1)
    assert.equal(owners.filter(({ told }) => told.error?.includes('already running')).length, 2)
  })

  test('a start waits for a server that is going down, and starts its own', async (t) => {
    const place = await makeFixture(t)
    const database = await place.open('data')
    const stopped = database.stop()
    const next = await place.open('data')
    await stopped
    assert.deepEqual(await query(next.connection, 'select 1 as one'), [{ one: 1 }])
  })

  test('Ctrl-C on the process group does not reach the server', async (t) => {
    const place = await makeFixture(t)
    const owner = await place.own('data')
    process.kill(-owner.child.pid!, 'SIGINT')
    assert.deepEqual(await query(owner.told.connection!, 'select pg_sleep(0.3), 1 as one'), [
      { pg_sleep: '', one: 1 },
    ])
    await owner.stop()
  })

  test('a lost owner lock is taken again', async (t) => {
    const place = await makeFixture(t)
    const { connection, data_path } = await place.open('data', () => {})
    const holder = `select pid from pg_stat_activity where application_name like 'florin sup%'`
    const [before] = await query<{ pid: number }>(connection, holder)
    await query(connection, `select pg_terminate_backend(${before!.pid})`)
    await until(async () => {
      const [now] = await query<{ pid: number }>(connection, holder)
      return now !== undefined && now.pid !== before!.pid
    })
    const other = await place.own('data')
    assert.equal(other.told.error, alreadyRunning(process.pid).message)
    assert.ok(await findRunningEmbedded(data_path))
  })

  for (const victim of ['its first process', 'any one of its processes'] as const) {
    test(`a server is started again on the same socket when ${victim} dies`, async (t) => {
      const place = await makeFixture(t)
      const warnings: string[] = []
      const warn = (message: string) => warnings.push(message)
      const { connection, data_path, stop } = await place.open('data', warn)
      const first = await findRunningEmbedded(data_path)
      const [checkpointer] = await query<{ pid: number }>(
        connection,
        `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
      )
      process.kill(victim === 'its first process' ? first!.pid : checkpointer!.pid, 'SIGKILL')
      // PostgreSQL's own restart would keep the first process: it can get stuck on a full disk.
      const second = await until(async () => {
        const running = await findRunningEmbedded(data_path)
        return running?.pid === first!.pid ? undefined : running
      })
      assert.equal(second.host, connection.host)
      await until(() => warnings.includes('The embedded database was away and is back.'))
      assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
      await stop()
      assert.ok(!isAlive(second.pid))
    })
  }

  test('a copy of a live data directory gets a server of its own', async (t) => {
    const place = await makeFixture(t)
    const original = await place.open('original')
    // A checkpoint first, and no writes during the copy, so that the copy is a sound one.
    await query(original.connection, 'checkpoint')
    await copyOwned(original.data_path, join(place.path, 'copy'))
    assert.equal(await findRunningEmbedded(join(place.path, 'copy')), undefined)
    const copy = await place.open('copy')
    assert.equal(copy.started, 'started')
    assert.notEqual(copy.connection.host, original.connection.host)
  })

  const holders: Record<string, string> = {
    'now belongs to another program': 'echo $$; exec sleep 60',
  }
  if (process.platform === 'linux') {
    // `sleep` never waits for the child that the shell left it. The child ends when the shell is
    // `sleep` already: some shells wait for a child that has ended before.
    const until_sleep = 'while [ "$(cat /proc/$$/comm)" != sleep ]; do sleep 0.01; done'
    holders['is a zombie'] = `(${until_sleep}) & echo $!; exec sleep 60`
  }
  for (const [what, script] of Object.entries(holders)) {
    test(`a file of a server whose pid ${what} does not matter`, async (t) => {
      const place = await makeFixture(t)
      const { data_path, connection, stop } = await place.open('data')
      await stop()
      // PostgreSQL itself passes over a pid of another user, so the program runs as the server's.
      const { uid, gid } = await stat(join(data_path, 'postgres'))
      const program = spawn('/bin/sh', ['-c', script], { cwd: '/', uid, gid })
      place.cleanups.push(() => program.kill())
      const [told] = await once(program.stdout, 'data')
      const pid = Number(told)
      if (what === 'is a zombie') {
        await until(async () => (await findProcess(pid)).state === 'zombie')
      }
      const lines = [pid, '/proc/self/fd/3', '1', '5432', connection.host, '', '1 1', '']
      await writeFile(join(data_path, 'postgres', 'postmaster.pid'), lines.join('\n'))
      // On the socket that it had, as after a crash.
      await mkdir(connection.host, { mode: 0o700 })
      await writeFile(join(connection.host, '.s.PGSQL.5432.lock'), `${pid}\n`)
      await Promise.all(
        [connection.host, join(connection.host, '.s.PGSQL.5432.lock')].map((path) =>
          chown(path, uid, gid),
        ),
      )
      const starting = await place.starting('data')
      const server = await acquireServer(starting, connection.host)
      await stopServer(server, starting.home, () => {})
    })
  }

  test('a server that does not stop in time is ended at once, with a warning', async (t) => {
    const place = await makeFixture(t)
    await (await place.open('data')).stop()
    const starting = await place.starting('data')
    const { home } = starting
    const server = await acquireServer(starting)
    const { rows } = await server.client.query(
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    process.kill(rows[0].pid, 'SIGSTOP')
    const warnings: string[] = []
    await stopServer(server, home, (message) => warnings.push(message), 200)
    assert.match(warnings.join(), /^PostgreSQL did not stop within 0.2 s and is ended at once\./)
    assert.ok(!isAlive(server.child!.pid!))
    assert.match(await readFile(home.log_path, 'utf8'), /immediate shutdown/)
  })
})

/** cp keeps no owners, and PostgreSQL insists on its own. */
async function copyOwned(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (source) => !source.includes('.s.PGSQL') })
  execFileSync('chown', ['-R', `--reference=${join(from, 'postgres')}`, join(to, 'postgres')])
  execFileSync('chmod', ['700', join(to, 'postgres')])
}

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { acquireServer } from '../../src/embedded-postgres/acquire-server.ts'
import { findProcess } from '../../src/embedded-postgres/find-process.ts'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import {
  makeSocketDirectory,
  removeSocketDirectory,
} from '../../src/embedded-postgres/socket-directory.ts'
import { startServer } from '../../src/embedded-postgres/start-server.ts'
import { stopServer } from '../../src/embedded-postgres/stop-server.ts'
import { isAlive, makeFixture, makeUsedFixture, query, until } from './fixture.ts'

const alreadyRunning = (pid: number | undefined) => ({
  name: 'EmbeddedDatabaseError',
  message:
    `Florin is already running on this data directory (pid ${pid}). ` +
    'Stop it first, or set FLORIN_DATA to another directory.',
})

// Two at a time: the tests mostly wait for other processes.
describe('the owner of a data directory', { concurrency: 2 }, () => {
  test('adopts a server that survived kill -9 of its owner, and stops it', async (t) => {
    const fixture = await makeUsedFixture(t)
    const owner = await fixture.own('data')
    await query(owner.report.connection!, 'create table stored as select 42 as value')
    const orphan = await findRunningEmbedded(owner.report.data_path!)
    await owner.crash()
    assert.ok(isAlive(orphan!.pid), 'the database survives its owner')

    const database = await fixture.open('data')
    assert.equal(database.started, 'adopted')
    assert.deepEqual(database.connection, owner.report.connection)
    assert.deepEqual(await query(database.connection, 'select value from stored'), [{ value: 42 }])
    await database.stop()
    assert.ok(!isAlive(orphan!.pid))
  })

  test('rejects a data directory that another Florin is using', async (t) => {
    const fixture = await makeUsedFixture(t)
    const owner = await fixture.own('data')
    await assert.rejects(fixture.open('data'), alreadyRunning(owner.report.pid))
    assert.deepEqual(await query(owner.report.connection!, 'select 1 as one'), [{ one: 1 }])
    await owner.stop()
    assert.equal((await fixture.open('data')).started, 'started')
  })

  test('lets one of several processes open a new data directory', async (t) => {
    const fixture = await makeFixture(t)
    const owners = await Promise.all([1, 2, 3].map(() => fixture.own('data')))
    const winners = owners.filter((owner) => owner.report.error === undefined)
    assert.equal(winners.length, 1)
    for (const { report } of owners) {
      if (report !== winners[0]!.report)
        assert.equal(report.error, alreadyRunning(winners[0]!.report.pid).message)
    }
    assert.deepEqual(await query(winners[0]!.report.connection!, 'select 1 as one'), [{ one: 1 }])
    await winners[0]!.stop()
  })

  test('lets one of several processes adopt an orphaned server', async (t) => {
    const fixture = await makeUsedFixture(t)
    await (await fixture.own('data')).crash()
    const owners = await Promise.all([1, 2, 3].map(() => fixture.own('data')))
    assert.equal(owners.filter(({ report }) => report.started === 'adopted').length, 1)
    assert.equal(owners.filter(({ report }) => report.error?.includes('already running')).length, 2)
  })

  test('waits for a server that is shutting down, then starts a new one', async (t) => {
    const fixture = await makeUsedFixture(t)
    const database = await fixture.open('data')
    const stopped = database.stop()
    const next = await fixture.open('data')
    await stopped
    assert.deepEqual(await query(next.connection, 'select 1 as one'), [{ one: 1 }])
  })

  test('Ctrl-C on the process group does not reach the server', async (t) => {
    const fixture = await makeUsedFixture(t)
    const owner = await fixture.own('data')
    process.kill(-owner.child.pid!, 'SIGINT')
    assert.deepEqual(await query(owner.report.connection!, 'select pg_sleep(0.3), 1 as one'), [
      { pg_sleep: '', one: 1 },
    ])
    await owner.stop()
  })

  test('takes the owner lock again after its connection is lost', async (t) => {
    const fixture = await makeUsedFixture(t)
    const { connection, data_path } = await fixture.open('data', () => {})
    const holder = `select pid from pg_stat_activity where application_name like 'florin sup%'`
    const [before] = await query<{ pid: number }>(connection, holder)
    await query(connection, `select pg_terminate_backend(${before!.pid})`)
    await until(async () => {
      const [now] = await query<{ pid: number }>(connection, holder)
      return now !== undefined && now.pid !== before!.pid
    })
    const other = await fixture.own('data')
    assert.equal(other.report.error, alreadyRunning(process.pid).message)
    assert.ok(await findRunningEmbedded(data_path))
  })

  for (const victim of ['the postmaster', 'a backend process'] as const) {
    test(`restarts the server on the same socket when ${victim} dies`, async (t) => {
      const fixture = await makeUsedFixture(t)
      const warnings: string[] = []
      const warn = (message: string) => warnings.push(message)
      const { connection, data_path, stop } = await fixture.open('data', warn)
      const first = await findRunningEmbedded(data_path)
      const [checkpointer] = await query<{ pid: number }>(
        connection,
        `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
      )
      process.kill(victim === 'the postmaster' ? first!.pid : checkpointer!.pid, 'SIGKILL')
      // PostgreSQL's own restart would keep the postmaster, which can hang on a full disk.
      const second = await until(async () => {
        const running = await findRunningEmbedded(data_path)
        return running?.pid === first!.pid ? undefined : running
      })
      assert.equal(second.host, connection.host)
      await until(() => warnings.includes('The embedded database was down and is running again.'))
      assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
      await stop()
      assert.ok(!isAlive(second.pid))
    })
  }

  test('starts a separate server for a copy of a live data directory', async (t) => {
    const fixture = await makeFixture(t)
    const original = await fixture.open('original')
    // A checkpoint first, and no writes during the copy, so that the copy is consistent.
    await query(original.connection, 'checkpoint')
    await copyOwned(original.data_path, join(fixture.path, 'copy'))
    assert.equal(await findRunningEmbedded(join(fixture.path, 'copy')), undefined)
    const copy = await fixture.open('copy')
    assert.equal(copy.started, 'started')
    assert.notEqual(copy.connection.host, original.connection.host)
  })

  const holders: Record<string, string> = {
    'belongs to another program': 'echo $$; exec sleep 60',
  }
  if (process.platform === 'linux') {
    // `sleep` never waits for the child that it inherits from the shell. The child ends only after
    // the shell has become `sleep`, because some shells wait for children that ended before.
    const until_sleep = 'while [ "$(cat /proc/$$/comm)" != sleep ]; do sleep 0.01; done'
    holders['is a zombie'] = `(${until_sleep}) & echo $!; exec sleep 60`
  }
  for (const [what, script] of Object.entries(holders)) {
    test(`starts when the pid in postmaster.pid ${what}`, async (t) => {
      const fixture = await makeUsedFixture(t)
      const { data_path, connection, stop } = await fixture.open('data')
      await stop()
      // PostgreSQL ignores a pid of another user, so the program runs as the server's user.
      const { uid, gid } = await stat(join(data_path, 'postgres'))
      const program = spawn('/bin/sh', ['-c', script], { cwd: '/', uid, gid })
      fixture.cleanups.push(() => program.kill())
      const [output] = await once(program.stdout, 'data')
      const pid = Number(output)
      if (what === 'is a zombie') {
        await until(async () => (await findProcess(pid)).state === 'zombie')
      }
      const lines = [pid, '/proc/self/fd/3', '1', '5432', connection.host, '', '1 1', '']
      await writeFile(join(data_path, 'postgres', 'postmaster.pid'), lines.join('\n'))
      // On the previous socket, as after a crash.
      await mkdir(connection.host, { mode: 0o700 })
      await writeFile(join(connection.host, '.s.PGSQL.5432.lock'), `${pid}\n`)
      await Promise.all(
        [connection.host, join(connection.host, '.s.PGSQL.5432.lock')].map((path) =>
          chown(path, uid, gid),
        ),
      )
      const warnings: string[] = []
      const warn = (message: string) => warnings.push(message)
      const starting = { ...(await fixture.starting('data')), warn }
      const server = await acquireServer(starting, connection.host)
      await stopServer(server, starting)
      if (process.platform !== 'linux') return
      const [file = '', lock = ''] = warnings
      assert.match(file, /^Removed the stale lock file .*postmaster\.pid: process \d+ is not its P/)
      assert.match(lock, /^Removed the stale lock file .*\.s\.PGSQL\.5432\.lock: /)
    })
  }

  // What makes it safe to remove a stale file: PostgreSQL does not rely on the file alone.
  test('PostgreSQL starts no second server even if postmaster.pid is missing', async (t) => {
    const fixture = await makeUsedFixture(t)
    const { data_path, connection } = await fixture.open('data', () => {})
    const starting = await fixture.starting('data')
    const file = join(data_path, 'postgres', 'postmaster.pid')
    const text = await readFile(file, 'utf8')
    await rm(file)
    const socket_path = await makeSocketDirectory(starting.home, starting.user)
    fixture.cleanups.push(() => removeSocketDirectory(socket_path))
    const second = await startServer(starting, socket_path)
    assert.match('log_tail' in second ? second.log_tail : '', /pre-existing shared memory block/)
    await writeFile(file, text)
    assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  })

  test('shuts down a server that does not stop in time immediately, with a warning', async (t) => {
    const fixture = await makeUsedFixture(t)
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    const starting = { ...(await fixture.starting('data')), warn }
    const { home } = starting
    const server = await acquireServer(starting)
    const { rows } = await server.client.query(
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    process.kill(rows[0].pid, 'SIGSTOP')
    await stopServer(server, starting, 200)
    assert.match(warnings.join(), /^PostgreSQL did not stop within 0.2 s and is shut down immed/)
    assert.ok(!isAlive(server.child!.pid!))
    assert.match(await readFile(home.log_path, 'utf8'), /immediate shutdown/)
  })
})

/** cp does not preserve owners, but PostgreSQL checks them. */
async function copyOwned(from: string, to: string): Promise<void> {
  // The copy is made while the original runs, and fs.cp does not copy sockets.
  const filter = (path: string) => !/^(\.s\.PGSQL|in-use-)/.test(basename(path))
  await cp(from, to, { recursive: true, filter })
  execFileSync('chown', ['-R', `--reference=${join(from, 'postgres')}`, join(to, 'postgres')])
  execFileSync('chmod', ['700', join(to, 'postgres')])
}

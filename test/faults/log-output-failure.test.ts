// Whatever becomes of the terminal or the disk that the output goes to, the server serves, the
// worker works, and both stop in good order when they are told to.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  databasePid,
  envOf,
  isAlive,
  launcher,
  makeInstallation,
  type Options,
} from '../commands/florin-process.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { BusyClient } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const told = ['script', 'setsid'].map((name) => spawnSync(name, ['--version']).stdout ?? '')
// A server that stands still never responses, and the test would wait for it.
const timeout = 120_000
const needsTerminal = {
  timeout,
  skip: !told.every((text) => `${text}`.includes('util-linux')) && 'no script of util-linux here',
}
const needsFull = { timeout, skip: !existsSync('/dev/full') && 'only Linux has /dev/full' }

// Every write to it fails with ENOSPC, as on a disk without room.
const onFullDisk: Options = { under: ['sh', '-c', 'exec "$@" >/dev/full 2>&1', 'sh'] }

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_SETTLE_AFTER: '0' }

// Longer than lines wait for one write together.
const written_ms = 300

async function isServing(url: string): Promise<void> {
  for (let times = 0; times < 4; times++) {
    assert.equal((await call(url, 'GET', '/v1/users')).status, 401)
    await sleep(written_ms)
  }
}

/** A payment is settled by the worker, whatever its output meets. */
async function isSettling(url: string): Promise<void> {
  const client = (await BusyClient.open(url)).start(1)
  await client.served(1)
  await client.stop()
  const { token, acknowledged } = client
  await until(async () => {
    const { body } = await call(url, 'GET', `/v1/transactions/${acknowledged[0]!.id}`, { token })
    return body.status === 'succeeded'
  })
}

/** On a terminal that goes away without a word: no SIGHUP comes, as after nohup or disown. */
async function startOnTerminal(t: TestContext, args: string[]) {
  const pids: number[] = []
  // Before the place is cleared, which cannot be done under a server that runs.
  t.after(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  const { data_path } = await makeInstallation(t)
  const port = await findFreePort()
  const florin = [process.execPath, launcher, 'start', ...args].map((part) => `'${part}'`).join(' ')
  const command = `exec setsid --wait sh -c 'echo "pid $$ is it"; exec "$@"' sh ${florin}`
  const full_env = envOf({ ...env, FLORIN_DATA: data_path, PORT: String(port) })
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: full_env })
  let seen = ''
  terminal.stdout.setEncoding('utf8').on('data', (text) => {
    seen += text
  })
  await until(() => /pid \d+ is it/.test(seen))
  const pid = Number(/pid (\d+) is it/.exec(seen)![1])
  pids.push(pid, terminal.pid!)
  await until(() => /florin is ready|Stop with Ctrl-C/.test(seen), 'the server')
  const hangUp = async () => {
    terminal.kill('SIGKILL')
    await once(terminal, 'close')
  }
  return { pid, data_path, url: `http://127.0.0.1:${port}`, hangUp }
}

for (const args of [[], ['--json']]) {
  const how = ['start', ...args].join(' ')
  test(`florin ${how} goes on when its terminal is gone`, needsTerminal, async (t) => {
    const { pid, data_path, url, hangUp } = await startOnTerminal(t, args)
    await isServing(url)
    await hangUp()
    await isServing(url)
    await isSettling(url)
    assert.ok(isAlive(pid))
    process.kill(pid, 'SIGTERM')
    await until(() => !isAlive(pid), 'its end')
    assert.equal(await databasePid(data_path), undefined)
  })
}

test(
  'a server whose log has no room serves, and stops when it is told to',
  needsFull,
  async (t) => {
    const place = await makeInstallation(t)
    const port = await findFreePort()
    const florin = place.run(['start'], { ...onFullDisk, env: { ...env, PORT: String(port) } })
    const url = `http://127.0.0.1:${port}`
    const responds = () => call(url, 'GET', '/readyz').then(({ status }) => status === 200)
    await until(() => responds().catch(() => false), 'the server')
    await isServing(url)
    await isSettling(url)
    const { code, signal } = await florin.stop()
    assert.deepEqual([code, signal], [0, null])
    assert.equal(await databasePid(place.data_path), undefined)
  },
)

test('a worker whose log has no room works, and stops when it is told to', needsFull, async (t) => {
  const place = await makeUsedInstallation(t)
  const { url } = await place.start({ env }, ['--no-worker'])
  const worker = place.run(['worker'], { ...onFullDisk, env: { ...env, FLORIN_LOG: 'trace' } })
  await isSettling(url)
  const { code, signal } = await worker.stop()
  assert.deepEqual([code, signal], [0, null])
})

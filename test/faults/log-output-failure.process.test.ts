// If the terminal or the disk of the log output fails, the server keeps serving, the worker keeps
// working, and both still shut down gracefully.

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
} from '../cli/florin-process.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { BusyClient } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const version_texts = ['script', 'setsid'].map(
  (name) => spawnSync(name, ['--version']).stdout ?? '',
)
// A blocked server never responds, and the test would wait forever.
const timeout = 120_000
const needsTerminal = {
  timeout,
  skip: !version_texts.every((text) => `${text}`.includes('util-linux')) && 'util-linux is missing',
}
const needsFull = { timeout, skip: !existsSync('/dev/full') && 'only Linux has /dev/full' }

// Every write to /dev/full fails with ENOSPC, as on a full disk.
const onFullDisk: Options = { under: ['sh', '-c', 'exec "$@" >/dev/full 2>&1', 'sh'] }

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_SETTLE_AFTER: '0' }

// Longer than the interval at which log lines are written.
const written_ms = 300

async function assertServing(url: string): Promise<void> {
  for (let times = 0; times < 4; times++) {
    assert.equal((await call(url, 'GET', '/v1/users')).status, 401)
    await sleep(written_ms)
  }
}

/** Asserts that the worker settles a payment. */
async function assertSettling(url: string): Promise<void> {
  const client = (await BusyClient.open(url)).start(1)
  await client.served(1)
  await client.stop()
  const { token, acknowledged } = client
  await until(async () => {
    const { body } = await call(url, 'GET', `/v1/transactions/${acknowledged[0]!.id}`, { token })
    return body.status === 'succeeded'
  })
}

/** Starts on a terminal that disappears without SIGHUP, as after nohup or disown. */
async function startOnTerminal(t: TestContext, args: string[]) {
  const pids: number[] = []
  // Registered first, so it runs before the folder is removed, which fails under a running server.
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
  await until(() => /florin is ready|Stop with Ctrl-C/.test(seen), 'the server is ready')
  const killTerminal = async () => {
    terminal.kill('SIGKILL')
    await once(terminal, 'close')
  }
  return { pid, data_path, url: `http://127.0.0.1:${port}`, killTerminal }
}

for (const args of [[], ['--json']]) {
  const how = ['start', ...args].join(' ')
  test(`florin ${how} keeps running when its terminal disappears`, needsTerminal, async (t) => {
    const { pid, data_path, url, killTerminal } = await startOnTerminal(t, args)
    await assertServing(url)
    await killTerminal()
    await assertServing(url)
    await assertSettling(url)
    assert.ok(isAlive(pid))
    process.kill(pid, 'SIGTERM')
    await until(() => !isAlive(pid), 'the server stops')
    assert.equal(await databasePid(data_path), undefined)
  })
}

test(
  'a server whose log disk is full keeps serving and shuts down on SIGTERM',
  needsFull,
  async (t) => {
    const installation = await makeInstallation(t)
    const port = await findFreePort()
    const florin = installation.run(['start'], {
      ...onFullDisk,
      env: { ...env, PORT: String(port) },
    })
    const url = `http://127.0.0.1:${port}`
    const responds = () => call(url, 'GET', '/readyz').then(({ status }) => status === 200)
    await until(() => responds().catch(() => false), 'the server is ready')
    await assertServing(url)
    await assertSettling(url)
    const { code, signal } = await florin.stop()
    assert.deepEqual([code, signal], [0, null])
    assert.equal(await databasePid(installation.data_path), undefined)
  },
)

test('a worker whose log disk is full keeps working and shuts down', needsFull, async (t) => {
  const installation = await makeUsedInstallation(t)
  const { url } = await installation.start({ env }, ['--no-worker'])
  const worker = installation.run(['worker'], {
    ...onFullDisk,
    env: { ...env, FLORIN_LOG: 'trace' },
  })
  await assertSettling(url)
  const { code, signal } = await worker.stop()
  assert.deepEqual([code, signal], [0, null])
})

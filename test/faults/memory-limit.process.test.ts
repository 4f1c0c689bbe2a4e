// A server that exceeds its memory limit: its heap, or that of its cgroup. It reports this in time,
// shuts down gracefully and restarts in the same process. If memory grows too fast, V8 or the OS
// kills it, and the next start still has every acknowledged payment.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import type { Installation, Options } from '../cli/florin-process.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { isRoot } from '../embedded-postgres/fixture.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { findFreePort } from '../support/free-port.ts'
import { type MemoryCgroup, makeMemoryCgroup } from './memory-cgroup.ts'

const hook = (kind: string) => `--import=${new URL(`leak-on-signal.ts?${kind}`, import.meta.url)}`

test('a server whose heap fills up reports it and restarts by itself', async (t) => {
  const node_args = ['--max-old-space-size=128', hook('heap&slowly')]
  const output = await growSlowly(t, { node_args })
  assert.match(
    output,
    /"level":50[^\n]*"limit_mb":128,"msg":"heap memory is nearly full: finishing/,
  )
  assert.doesNotMatch(output, /heap out of memory|gone without a word/)
})

test('a separate worker whose heap fills up restarts too', async (t) => {
  const installation = await makeUsedInstallation(t)
  await installation.start({ env }, ['--no-worker'])
  const node_args = ['--max-old-space-size=96', hook('heap&slowly')]
  const worker = installation.run(['worker', '--json'], { env, node_args })
  await worker.line('florin worker is ready')
  worker.child.kill('SIGUSR2')
  await worker.text(/"msg":"heap memory is nearly full[\s\S]*"msg":"florin worker is ready"/)
  assert.equal((await worker.stop()).code, 0)
})

test('a server whose cgroup fills up reports it and restarts by itself', async (t) => {
  const group = groupOf(t)
  if (group === undefined) return
  const { under } = group
  const output = await growSlowly(t, { under, node_args: [hook('outside&slowly')] })
  assert.match(output, /"limit_mb":640,"msg":"memory of this container or service is nearly/)
  assert.equal(group.kills(), 0)
})

test('a server that exceeds its heap at once recovers on the next start', async (t) => {
  const ended = await growAtOnce(t, { node_args: ['--max-old-space-size=128', hook('heap')] }, {})
  assert.notEqual(ended.code, 0)
  assert.match(ended.stderr, /heap out of memory/)
  assert.match(ended.stdout, /the server process died unexpectedly: .* Restart it: florin start/)
})

test('a server that exceeds its cgroup at once recovers on the next start', async (t) => {
  const group = groupOf(t)
  if (group === undefined) return
  const { under } = group
  const ended = await growAtOnce(t, { under, node_args: [hook('outside')] }, { under })
  assert.equal(ended.signal, 'SIGKILL')
  assert.ok(group.kills() >= 1, 'the kernel did not kill the server')
})

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

function groupOf(t: TestContext): MemoryCgroup | undefined {
  if (!process.env.FLORIN_LONG) {
    t.skip('runs with FLORIN_LONG only, because it changes cgroups')
  } else if (!isRoot) {
    t.skip('needs root to create a cgroup')
  } else {
    const { group, why } = makeMemoryCgroup(t, 640 * 1024 * 1024)
    if (group === undefined) t.skip(why)
    return group
  }
  return
}

/** Sends payments before, during and after the restart, to one URL. Returns the output. */
async function growSlowly(t: TestContext, options: Options): Promise<string> {
  const installation = await makeUsedInstallation(t)
  const PORT = String(await findFreePort())
  const { florin, url, ready } = await installation.start({ ...options, env: { ...env, PORT } })
  const client = (await BusyClient.open(url)).start(2)
  await client.served(20)
  florin.child.kill('SIGUSR2')
  const again = await florin.text(/nearly full[\s\S]*"msg":"florin is ready".*$/m)
  await client.served(20)
  await client.stop()
  const { pid } = JSON.parse(again[0].split('\n').at(-1)!)
  assert.equal(pid, ready.pid, 'the restart happens in the same process')
  await assertNothingLost(installation, client)
  assert.equal((await florin.stop()).code, 0)
  await assertVerified(installation)
  return florin.stdout + florin.stderr
}

/** Sends payments before and during the leak, and after the next start. */
async function growAtOnce(t: TestContext, options: Options, afterwards: Options) {
  const installation = await makeUsedInstallation(t)
  const first = await installation.start({ ...options, env })
  const client = (await BusyClient.open(first.url)).start(2)
  await client.served(20)
  first.florin.child.kill('SIGUSR2')
  const ended = await first.florin.ended
  const second = await installation.start({ ...afterwards, env })
  client.url = second.url
  await client.served(20)
  await client.stop()
  await assertNothingLost(installation, client)
  assert.equal((await second.florin.stop()).code, 0)
  await assertVerified(installation)
  return ended
}

async function assertNothingLost(installation: Installation, client: BusyClient): Promise<void> {
  const unexpected = Object.keys(client.statuses()).filter((it) => it !== '503' && it !== 'lost')
  assert.deepEqual(unexpected, [])
  const { pid: _, ...connection } = (await findRunningEmbedded(installation.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
}

async function assertVerified(installation: Installation): Promise<void> {
  const verified = await installation.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
}

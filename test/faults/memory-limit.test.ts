// A server that outgrows what it was given: its heap, or the memory of its control group. It says
// so in time, stops in good order and begins anew in the same process. Where that comes too
// suddenly V8 or the kernel ends it, and the next start has all that was acknowledged.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import type { Installation, Options } from '../commands/florin-process.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { isRoot } from '../postgres/embedded-fixture.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { findFreePort } from '../support/free-port.ts'
import { type MemoryCgroup, makeMemoryCgroup } from './memory-cgroup.ts'

const hook = (kind: string) => `--import=${new URL(`leak-on-signal.ts?${kind}`, import.meta.url)}`

test('a server whose heap fills says so, and begins anew by itself', async (t) => {
  const node_args = ['--max-old-space-size=128', hook('heap&slowly')]
  const said = await growSlowly(t, { node_args })
  assert.match(said, /"level":50[^\n]*"limit_mb":128,"msg":"heap memory is nearly full: finishing/)
  assert.doesNotMatch(said, /heap out of memory|gone without a word/)
})

test('a worker by itself whose heap fills begins anew as well', async (t) => {
  const place = await makeUsedInstallation(t)
  await place.start({ env }, ['--no-worker'])
  const node_args = ['--max-old-space-size=96', hook('heap&slowly')]
  const worker = place.run(['worker', '--json'], { env, node_args })
  await worker.line('florin worker is ready')
  worker.child.kill('SIGUSR2')
  await worker.text(/"msg":"heap memory is nearly full[\s\S]*"msg":"florin worker is ready"/)
  assert.equal((await worker.stop()).code, 0)
})

test('a server whose control group fills says so, and begins anew by itself', async (t) => {
  const group = groupOf(t)
  if (group === undefined) return
  const { under } = group
  const said = await growSlowly(t, { under, node_args: [hook('outside&slowly')] })
  assert.match(said, /"limit_mb":640,"msg":"memory of this container or service is nearly/)
  assert.equal(group.kills(), 0)
})

test('a server that outgrows its heap at once is back when it is started', async (t) => {
  const ended = await growAtOnce(t, { node_args: ['--max-old-space-size=128', hook('heap')] }, {})
  assert.notEqual(ended.code, 0)
  assert.match(ended.stderr, /heap out of memory/)
  assert.match(ended.stdout, /the server process died unexpectedly: .* Restart it: florin start/)
})

test('a server that outgrows its control group at once is back when it is started', async (t) => {
  const group = groupOf(t)
  if (group === undefined) return
  const { under } = group
  const ended = await growAtOnce(t, { under, node_args: [hook('outside')] }, { under })
  assert.equal(ended.signal, 'SIGKILL')
  assert.ok(group.kills() >= 1, 'it was the kernel that ended it')
})

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

function groupOf(t: TestContext): MemoryCgroup | undefined {
  if (!process.env.FLORIN_LONG) {
    t.skip('with FLORIN_LONG: it changes the control groups')
  } else if (!isRoot) {
    t.skip('needs root, to make a control group')
  } else {
    const { group, why } = makeMemoryCgroup(t, 640 * 1024 * 1024)
    if (group === undefined) t.skip(why)
    return group
  }
  return
}

/** Payments before, during and after it, at one address; gives what the process wrote. */
async function growSlowly(t: TestContext, options: Options): Promise<string> {
  const place = await makeUsedInstallation(t)
  const PORT = String(await findFreePort())
  const { florin, url, ready } = await place.start({ ...options, env: { ...env, PORT } })
  const client = (await BusyClient.open(url)).start(2)
  await client.served(20)
  florin.child.kill('SIGUSR2')
  const again = await florin.text(/nearly full[\s\S]*"msg":"florin is ready".*$/m)
  await client.served(20)
  await client.stop()
  const { pid } = JSON.parse(again[0].split('\n').at(-1)!)
  assert.equal(pid, ready.pid, 'whoever started it still waits for it')
  await assertKept(place, client)
  assert.equal((await florin.stop()).code, 0)
  await assertVerified(place)
  return florin.stdout + florin.stderr
}

/** Payments before and during it, and after the next start. */
async function growAtOnce(t: TestContext, options: Options, afterwards: Options) {
  const place = await makeUsedInstallation(t)
  const first = await place.start({ ...options, env })
  const client = (await BusyClient.open(first.url)).start(2)
  await client.served(20)
  first.florin.child.kill('SIGUSR2')
  const ended = await first.florin.ended
  const second = await place.start({ ...afterwards, env })
  client.url = second.url
  await client.served(20)
  await client.stop()
  await assertKept(place, client)
  assert.equal((await second.florin.stop()).code, 0)
  await assertVerified(place)
  return ended
}

async function assertKept(place: Installation, client: BusyClient): Promise<void> {
  const strange = Object.keys(client.statuses()).filter((it) => it !== '503' && it !== 'lost')
  assert.deepEqual(strange, [])
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
}

async function assertVerified(place: Installation): Promise<void> {
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
}

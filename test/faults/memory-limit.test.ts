// A server that outgrows what it was given: its heap, which it says, or the memory of its control
// group, where the kernel ends it without a word. Either way the next start has all that was
// acknowledged, and takes payments again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { makePlace, type Options, type Place } from '../commands/florin-process.ts'
import { isRoot } from '../postgres/embedded-place.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { makeMemoryGroup } from './memory-group.ts'

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

const hook = (kind: string) => `--import=${new URL(`leak-on-signal.ts?${kind}`, import.meta.url)}`

test('a server that outgrows its heap says so, and is back when it is started', async (t) => {
  const place = await makePlace(t)
  const node_args = ['--max-old-space-size=128', hook('heap')]
  const ended = await outgrow(place, { env, node_args }, { env })
  assert.notEqual(ended.code, 0)
  assert.match(ended.stderr, /heap out of memory/)
})

test('a server that outgrows its control group is back when it is started', async (t) => {
  if (!process.env.FLORIN_LONG) return t.skip('with FLORIN_LONG: it changes the control groups')
  if (!isRoot) return t.skip('needs root, to make a control group')
  const { group, why } = makeMemoryGroup(t, 640 * 1024 * 1024)
  if (group === undefined) return t.skip(why)
  const place = await makePlace(t)
  const { under } = group
  const ended = await outgrow(place, { env, under, node_args: [hook('outside')] }, { env, under })
  assert.equal(ended.signal, 'SIGKILL')
  assert.ok(group.kills() >= 1, 'it was the kernel that ended it')
})

/** Payments before, during and after it; what was acknowledged is there at the end. */
async function outgrow(place: Place, options: Options, afterwards: Options) {
  const first = await place.start(options)
  const client = (await BusyClient.open(first.url)).start(2)
  await client.served(20)
  first.florin.child.kill('SIGUSR2')
  const ended = await first.florin.ended
  const second = await place.start(afterwards)
  client.url = second.url
  await client.served(20)
  await client.stop()
  const strange = Object.keys(client.statuses()).filter((it) => it !== '503' && it !== 'lost')
  assert.deepEqual(strange, [])
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await second.florin.stop()).code, 0)
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
  return ended
}

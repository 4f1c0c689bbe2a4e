// Out of file descriptors: more callers than the process may have sockets. Some are not let in, all
// who are get an answer, and nothing is needed for it to be over.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { makeInstallation } from '../commands/florin-process.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { until } from '../support/until.ts'

const has_prlimit = spawnSync('prlimit', ['--version']).status === 0
const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

test('a server out of descriptors loses nothing and serves again by itself', async (t) => {
  if (!has_prlimit) return t.skip('there is no prlimit on this machine')
  const place = await makeUsedInstallation(t)
  const { florin, url } = await place.start({ env })
  const client = (await BusyClient.open(url)).start(2)
  await client.served(20)
  const used = readdirSync(`/proc/${florin.pid}/fd`).length
  execFileSync('prlimit', [`--pid=${florin.pid}`, `--nofile=${used + 20}:4096`])
  const crowd = await openMany(url, 200)
  const count = () => readdirSync(`/proc/${florin.pid}/fd`).length
  await until(() => count() >= used + 18, 'it runs out of them')
  await sleep(3_000)
  for (const socket of crowd) socket.destroy()
  await client.served(20)
  await client.stop()
  const found = Object.keys(client.statuses())
  assert.deepEqual(
    found.filter((status) => status !== '503' && status !== 'lost'),
    [],
  )
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await florin.stop()).code, 0)
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

test('a start with too few descriptors ends with a sentence', async (t) => {
  if (!has_prlimit) return t.skip('there is no prlimit on this machine')
  const place = await makeInstallation(t)
  const few = place.run(['start'], { env, under: ['prlimit', '--nofile=40:40'] })
  const ended = await few.ended
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /too few file descriptors\. Raise the limit of open files/)
  assert.doesNotMatch(ended.stderr, /This is a bug in Florin/)
})

async function openMany(url: string, count: number): Promise<Socket[]> {
  const { hostname: host, port } = new URL(url)
  return Array.from({ length: count }, () => {
    const socket = createConnection({ host, port: Number(port) })
    return socket.on('error', () => {})
  })
}

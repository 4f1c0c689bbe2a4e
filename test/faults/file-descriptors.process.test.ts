// More clients than the process has file descriptors. Some connections are refused, every accepted
// one gets a response, and the server recovers by itself.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { makeInstallation } from '../cli/florin-process.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { until } from '../support/until.ts'

const has_prlimit = spawnSync('prlimit', ['--version']).status === 0
const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

test('a server out of file descriptors loses no payment and recovers by itself', async (t) => {
  if (!has_prlimit) return t.skip('prlimit is not installed')
  const installation = await makeUsedInstallation(t)
  const { florin, url } = await installation.start({ env })
  const client = (await BusyClient.open(url)).start(2)
  await client.served(20)
  const used = readdirSync(`/proc/${florin.pid}/fd`).length
  execFileSync('prlimit', [`--pid=${florin.pid}`, `--nofile=${used + 20}:4096`])
  const sockets = await openMany(url, 200)
  const count = () => readdirSync(`/proc/${florin.pid}/fd`).length
  await until(() => count() >= used + 18, 'the server runs out of descriptors')
  await sleep(3_000)
  for (const socket of sockets) socket.destroy()
  await client.served(20)
  await client.stop()
  const found = Object.keys(client.statuses())
  assert.deepEqual(
    found.filter((status) => status !== '503' && status !== 'lost'),
    [],
  )
  const { pid: _, ...connection } = (await findRunningEmbedded(installation.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await florin.stop()).code, 0)
  const verified = await installation.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

test('a start with too few file descriptors exits with an error', async (t) => {
  if (!has_prlimit) return t.skip('prlimit is not installed')
  const installation = await makeInstallation(t)
  const few = installation.run(['start'], { env, under: ['prlimit', '--nofile=40:40'] })
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

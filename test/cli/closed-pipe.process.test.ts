// florin … | head -1: a closed pipe ends the command silently and leaves nothing running.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readPostmasterFile } from '../../src/embedded-postgres/find-server.ts'
import { openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { findHome } from '../../src/embedded-postgres/prepare-home.ts'
import { ask } from '../support/postgres.ts'
import { FlorinProcess } from './florin-process.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

// 128 + SIGPIPE, as a shell reports it.
const ended_by_pipe = 141

test('exits silently when the reader closes in the middle of a large response', async (t) => {
  const server = createServer((_, response) => response.end('x'.repeat(5_000_000))).listen(0)
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const args = ['get', '/v1/account/statement', '--server', `http://127.0.0.1:${port}`]
  const florin = new FlorinProcess(args, { env: { FLORIN_API_KEY: 'sk_sandbox_0123456789abcdef' } })
  await once(florin.child.stdout!, 'data')
  florin.child.stdout!.destroy()
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [ended_by_pipe, ''])
})

test('--help exits silently when its reader is gone', async () => {
  const florin = new FlorinProcess(['--help'], {})
  florin.child.stdout!.destroy()
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [ended_by_pipe, ''])
})

test('mcp serves to the end of its input even if responses cannot be written', async (t) => {
  if (!existsSync('/dev/full')) return t.skip('only Linux has /dev/full')
  const stdin = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
  const under = ['sh', '-c', 'exec "$@" >/dev/full', 'sh']
  const { code, stderr } = await new FlorinProcess(['mcp'], { stdin, under }).ended
  assert.deepEqual([code, stderr], [0, ''])
})

test('stops the database that the command started when the pipe closes', async (t) => {
  const installation = await makeUsedInstallation(t)
  const seeded = await installation.run(['seed', '--accounts', '1', '--transactions', '5']).ended
  assert.equal(seeded.code, 0, seeded.stderr)
  const embedded = await openEmbedded({ data_path: installation.data_path })
  await ask(embedded.connection, 'update balances set available = available + 1')
  await embedded.stop()

  const florin = installation.run(['verify', '--json'])
  florin.child.stdout!.destroy()
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [ended_by_pipe, ''])
  // findRunningEmbedded would not find a database without an owner, so look at its pid file.
  const home = await findHome(installation.data_path)
  assert.equal(await readPostmasterFile(home!.cluster_path), undefined)
})

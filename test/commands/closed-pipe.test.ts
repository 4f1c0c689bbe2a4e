// florin … | head -1: whoever reads may go first, and nothing is told and nothing left behind.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { readPostmasterFile } from '../../src/postgres/embedded/postmaster-file.ts'
import { findHome } from '../../src/postgres/embedded/prepare-home.ts'
import { ask } from '../support/postgres.ts'
import { FlorinProcess } from './florin-process.ts'
import { makeUsedInstallation } from './used-data-folder.ts'

// What a shell says of a program that was ended by SIGPIPE.
const ended_by_pipe = 141

test('an response larger than a pipe whose reader goes ends without a word', async (t) => {
  const server = createServer((_, response) => response.end('x'.repeat(5_000_000))).listen(0)
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const args = ['get', '/v1/account/statement', '--server', `http://127.0.0.1:${port}`]
  const florin = new FlorinProcess(args, { env: { FLORIN_API_KEY: 'sk_sandbox_of_nobody_at_all' } })
  await once(florin.child.stdout!, 'data')
  florin.child.stdout!.destroy()
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [ended_by_pipe, ''])
})

test('help that nobody reads ends without a word', async () => {
  const florin = new FlorinProcess(['--help'], {})
  florin.child.stdout!.destroy()
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [ended_by_pipe, ''])
})

test('tools for a model are served to the end, whatever becomes of an response', async (t) => {
  if (!existsSync('/dev/full')) return t.skip('only Linux has /dev/full')
  const stdin = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
  const under = ['sh', '-c', 'exec "$@" >/dev/full', 'sh']
  const { code, stderr } = await new FlorinProcess(['mcp'], { stdin, under }).ended
  assert.deepEqual([code, stderr], [0, ''])
})

test('a database that the command opened is stopped when its reader goes', async (t) => {
  const place = await makeUsedInstallation(t)
  const seeded = await place.run(['seed', '--accounts', '1', '--transactions', '5']).ended
  assert.equal(seeded.code, 0, seeded.stderr)
  const embedded = await openEmbedded({ data_path: place.data_path })
  await ask(embedded.connection, 'update balances set available = available + 1')
  await embedded.stop()

  const florin = place.run(['verify', '--json'])
  florin.child.stdout!.destroy()
  const { code, stderr } = await florin.ended
  assert.deepEqual([code, stderr], [ended_by_pipe, ''])
  // A database that nobody holds any more would not be found by its visitors, but runs on.
  const home = await findHome(place.data_path)
  assert.equal(await readPostmasterFile(home!.cluster_path), undefined)
})

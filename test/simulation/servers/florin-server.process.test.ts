// A server that exits by itself is a violation; one that was stopped or killed is not.

import assert from 'node:assert/strict'
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../support/free-port.ts'
import { FlorinServer } from './florin-server.ts'
import { Guard } from './guard-client.ts'

test('unexpected_exits has only exits that the runner did not cause', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-server-'))
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  const guard = new Guard()
  t.after(() => guard.end())
  const port = await findFreePort()
  const log_path = join(directory, 'log')
  const { PATH, TMPDIR } = process.env
  const env = { PATH, TMPDIR, PORT: String(port), FLORIN_DATA: join(directory, 'data') }
  const log_fd = openSync(log_path, 'w')
  const server = new FlorinServer({ port, env, log_fd, log_path, guard })
  await server.start()
  await server.kill()
  await server.start()
  await server.stop()
  await server.start()
  assert.deepEqual(server.unexpected_exits, [])
  process.kill(server.pid!, 'SIGKILL')
  for (let attempts = 0; attempts < 200 && server.unexpected_exits.length === 0; attempts++) {
    await sleep(50)
  }
  assert.deepEqual(server.unexpected_exits, ['the server exited by itself with SIGKILL'])
  assert.equal(server.is_up, false)
  await server.untilReady()
  await server.stop()
  assert.equal(server.unexpected_exits.length, 1)
})

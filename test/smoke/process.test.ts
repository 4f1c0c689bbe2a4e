// The server as a program: starts, serves, is killed, starts again with all data, and stops.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databasePid, makeInstallation } from '../cli/florin-process.ts'
import { call } from '../support/call.ts'
import { newPassword } from '../support/secrets.ts'

test('a user created before kill -9 can log in after the next start', async (t) => {
  const installation = await makeInstallation(t)
  const body = { email: 'ann@example.com', password: newPassword() }

  const first = await installation.start()
  assert.equal((await call(first.url, 'POST', '/v1/users', { body })).status, 201)
  await first.florin.stop('SIGKILL')

  const second = await installation.start()
  assert.equal((await call(second.url, 'POST', '/v1/auth/login', { body })).status, 200)
  assert.equal((await second.florin.stop('SIGTERM')).code, 0)
  assert.equal(await databasePid(installation.data_path), undefined)
})

// Two containers with one data directory. Namespaces are what a container consists of: the second
// Florin sees neither the processes nor the shared memory nor the database socket of the first.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readPostmasterFile } from '../../src/embedded-postgres/find-server.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { call } from '../support/call.ts'
import { newPassword } from '../support/secrets.ts'
import { until } from '../support/until.ts'

const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--ipc', '--mount']
const possible = spawnSync(unshare[0]!, [...unshare.slice(1), 'true']).status === 0
const with_namespaces = { skip: !possible && 'this user may not create namespaces' }

async function makeContainers(t: TestContext) {
  const installation = await makeUsedInstallation(t)
  const { data_path } = installation
  const claims = () => readdirSync(data_path).filter((name) => name.startsWith('in-use-'))
  return { installation, claims, cluster_path: join(data_path, 'postgres') }
}

/** Where the first container has its database socket, the second has an empty file system. */
function withoutSocketOf(cluster_path: string): string[] {
  const { socket_path } = readPostmasterFile(cluster_path)!
  const hide = `mount -t tmpfs tmpfs '${socket_path}' && exec "$@"`
  return [...unshare, 'sh', '-c', hide, 'sh']
}

test('a second container cannot open the data directory', with_namespaces, async (t) => {
  const { installation, claims, cluster_path } = await makeContainers(t)
  const { florin, url } = await installation.start()
  const body = { email: 'a@example.com', password: newPassword(), name: 'A', type: 'business' }
  assert.equal((await call(url, 'POST', '/v1/accounts', { body })).status, 201)
  const under = withoutSocketOf(cluster_path)
  const second = await installation.run(['verify'], { under }).ended
  assert.equal(second.code, 1)
  assert.match(second.stderr, /^Florin in another container uses .*\. Run commands in that contai/)
  // A command in the same container joins the database.
  const joined = await installation.run(['verify', '--json']).ended
  assert.equal(joined.code, 0, joined.stderr)
  assert.equal(claims().length, 1)
  assert.equal((await florin.stop()).code, 0)
  assert.deepEqual(claims(), [])
})

test('a second container waits until the first has stopped', with_namespaces, async (t) => {
  const { installation, claims, cluster_path } = await makeContainers(t)
  const { florin } = await installation.start()
  const under = withoutSocketOf(cluster_path)
  const second = installation.run(['verify', '--json'], { under })
  await until(() => claims().length === 2)
  assert.equal((await florin.stop()).code, 0)
  const { code, stderr } = await second.ended
  assert.equal(code, 0, stderr)
})

test('a container that was killed does not block the next one', with_namespaces, async (t) => {
  const { installation, claims } = await makeContainers(t)
  for (const attempt of [1, 2]) {
    const florin = installation.run(['start'], { under: unshare })
    await florin.line('florin is ready')
    assert.equal(claims().length, 1, `attempt ${attempt}`)
    // --kill-child ends the first process of the namespace, and the kernel all others.
    await florin.stop('SIGKILL')
  }
})

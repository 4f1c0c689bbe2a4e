// Little memory. Within its limits Florin serves every request, including large bodies and long
// lists. Beyond them the process ends with a clear line and an exit code other than 0, and the next
// start has every acknowledged payment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import type { makeInstallation } from '../cli/florin-process.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { call } from '../support/call.ts'

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

test('serves large bodies and long lists without errors with a heap of 96 MB', async (t) => {
  const installation = await makeUsedInstallation(t)
  const options = { env, node_args: ['--max-old-space-size=96'] }
  const { florin, url } = await installation.start(options)
  const client = (await BusyClient.open(url)).start(2)
  await client.served(40)
  const { token } = client
  const wrong = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const requests = Array.from({ length: 100 }, async (_, at) => {
      const response =
        at % 2 === 0
          ? await call(url, 'POST', '/v1/transactions', { token, body: large_body })
          : await call(url, 'GET', '/v1/transactions?limit=100', { token })
      if (![200, 400, 413, 503].includes(response.status)) wrong.add(`${response.status}`)
    })
    await Promise.all(requests)
  }
  assert.deepEqual([...wrong], [])
  await client.served(20)
  await client.stop()
  assert.deepEqual(
    client.others.filter(({ status }) => status !== 503),
    [],
  )
  assert.equal((await florin.stop()).code, 0)
  await assertNothingLost(installation, client)
})

test('a heap that is far too small ends the server without lost payments', async (t) => {
  if (!process.env.FLORIN_LONG) return t.skip('runs with FLORIN_LONG only')
  const installation = await makeUsedInstallation(t)
  const first = await installation.start({ env })
  const client = (await BusyClient.open(first.url)).start(2)
  await client.served(20)
  await client.stop()
  assert.equal((await first.florin.stop()).code, 0)
  const small = installation.run(['start'], { env, node_args: ['--max-old-space-size=12'] })
  const ended = await small.ended
  assert.notEqual(ended.code, 0)
  assert.match(ended.stderr, /heap out of memory/)
  await assertNothingLost(installation, client)
})

// After SIGUSR2 the process allocates until its heap is full, which also blocks its event loop.
const leak = `process.on('SIGUSR2', () => {
  const leaked = []
  for (;;) leaked.push(Array.from({ length: 400_000 }, (_, at) => at + 0.5))
})`
const leaking = ['--max-old-space-size=128', `--import=data:text/javascript,${encodeURI(leak)}`]

test('a server that runs out of memory explains it, and the next start continues', async (t) => {
  const installation = await makeUsedInstallation(t)
  const { florin, url } = await installation.start({ env, node_args: leaking })
  const client = (await BusyClient.open(url)).start(2)
  await client.served(20)
  florin.child.kill('SIGUSR2')
  const ended = await florin.ended
  await client.stop()
  assert.notEqual(ended.code, 0)
  assert.match(ended.stderr, /heap out of memory/)
  const line = /ran out of memory\. No acknowledged change is lost\. Restart it: florin start\./
  assert.match(ended.stdout, line)
  await assertNothingLost(installation, client)
})

const large_body = JSON.stringify({ amount: 1, reference: 'x'.repeat(900_000) })

async function assertNothingLost(
  installation: Awaited<ReturnType<typeof makeInstallation>>,
  client: BusyClient,
): Promise<void> {
  const { florin } = await installation.start({ env })
  const { pid: _, ...connection } = (await findRunningEmbedded(installation.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await florin.stop()).code, 0)
  const verified = await installation.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
}

// Little memory. Within its means Florin serves everybody, large bodies and long lists included;
// far below them it dies at once, and the next start has everything that was acknowledged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import type { makeInstallation } from '../commands/florin-process.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { call } from '../support/call.ts'

const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }

test('with a heap of 96 MB nobody is failed by large bodies and long lists', async (t) => {
  const place = await makeUsedInstallation(t)
  const options = { env, node_args: ['--max-old-space-size=96'] }
  const { florin, url } = await place.start(options)
  const client = (await BusyClient.open(url)).start(2)
  await client.served(40)
  const { token } = client
  const wrong = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const asked = Array.from({ length: 100 }, async (_, at) => {
      const response =
        at % 2 === 0
          ? await call(url, 'POST', '/v1/transactions', { token, body: large_body })
          : await call(url, 'GET', '/v1/transactions?limit=100', { token })
      if (![200, 400, 413, 503].includes(response.status)) wrong.add(`${response.status}`)
    })
    await Promise.all(asked)
  }
  assert.deepEqual([...wrong], [])
  await client.served(20)
  await client.stop()
  assert.deepEqual(
    client.others.filter(({ status }) => status !== 503),
    [],
  )
  assert.equal((await florin.stop()).code, 0)
  await assertWhole(place, client)
})

test('a heap that is far too small ends the server, and the next start has it all', async (t) => {
  if (!process.env.FLORIN_LONG) return t.skip('with FLORIN_LONG: one that outgrows it runs always')
  const place = await makeUsedInstallation(t)
  const first = await place.start({ env })
  const client = (await BusyClient.open(first.url)).start(2)
  await client.served(20)
  await client.stop()
  assert.equal((await first.florin.stop()).code, 0)
  const small = place.run(['start'], { env, node_args: ['--max-old-space-size=12'] })
  const died = await small.ended
  assert.notEqual(died.code, 0)
  assert.match(died.stderr, /heap out of memory/)
  await assertWhole(place, client)
})

const large_body = JSON.stringify({ amount: 1, reference: 'x'.repeat(900_000) })

async function assertWhole(
  place: Awaited<ReturnType<typeof makeInstallation>>,
  client: BusyClient,
): Promise<void> {
  const { florin } = await place.start({ env })
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await florin.stop()).code, 0)
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
}

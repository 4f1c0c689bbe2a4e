// The database is away for a while under load: refused, black-holed, and the embedded one killed.
// 503 meanwhile, each in bounded time; everything acknowledged is there; back without a restart.
// FLORIN_FAULTS=long keeps it away for 30 s.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { startFlorin } from '../support/florin.ts'
import { startProxy } from '../support/proxy.ts'

const long = process.env.FLORIN_FAULTS === 'long'
const away_ms = long ? 30_000 : 5_000
const kills = long ? 30 : 3
// Ten seconds are promised; two more are for a machine that is busy with other tests.
const answered_within_ms = 12_000

const florin = await startFlorin()

function assertOnlyUnavailable({ others }: BusyClient): void {
  assert.ok(others.length > 0, 'the trouble was met')
  for (const { status, text, took_ms, retry_after } of others) {
    assert.equal(status, 503, text)
    assert.match(retry_after ?? '', /^[1-9]\d*$/, `when to come again: ${text}`)
    assert.ok(took_ms < answered_within_ms, `it took ${took_ms} ms`)
  }
}

test('a database that is refused or silent for a while costs nothing but that while', async () => {
  const proxy = await startProxy(florin.connection)
  const behind = await florin.startSecondServer({}, proxy.connection)
  for (const trouble of ['refuse', 'swallow'] as const) {
    const client = (await BusyClient.open(behind.url)).start()
    await client.served(20)
    await proxy[trouble]()
    await sleep(away_ms)
    await proxy.heal()
    await client.served(20)
    await client.stop()
    assertOnlyUnavailable(client)
    assert.deepEqual(await findLost(florin.connection, client.acknowledged), [])
  }
})

test('an embedded database that is killed is started again, and has it all', async (t) => {
  const place = await makeUsedInstallation(t)
  const env = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG: 'warn' }
  const served = await place.start({ env })
  const client = (await BusyClient.open(served.url)).start()
  await client.served(20)
  for (let round = 0; round < kills; round++) {
    const { pid } = (await findRunningEmbedded(place.data_path))!
    process.kill(pid, 'SIGKILL')
    await sleep(500)
    await client.served(20)
  }
  await client.stop()
  assertOnlyUnavailable(client)
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  assert.deepEqual(await findLost(connection, client.acknowledged), [])
  assert.equal((await served.florin.stop()).code, 0)
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

// The machine's clock is set an hour ahead and an hour back while payments come in. Nobody is told
// a time under an account that is earlier than one he was told before, and the books stay right.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { ask } from '../support/postgres.ts'

const preload = fileURLToPath(new URL('jumping-clock.ts', import.meta.url))
const hour_ms = 3_600_000

// Numbers under the account's lock are the order in which things happened.
const going_back = `
  select 'event' as what, account_id::text from (
    select account_id, at < lag(at) over (partition by account_id order by sequence) as back
    from events) as steps where back
  union all
  select 'posting', account_id::text from (
    select account_id, at < lag(at) over (partition by account_id order by sequence) as back
    from postings) as steps where back
  union all
  select 'transaction', account_id::text from (
    select account_id,
      transaction_id <= lag(transaction_id) over (partition by account_id order by sequence) as back
    from postings where movement = 'arrive') as steps where back`

test('a clock that jumps ahead and back never takes an account back in time', async (t) => {
  const place = await makeUsedInstallation(t)
  const jump_file = join(place.path, 'jump')
  const jump = (by_ms: number) => writeFileSync(jump_file, String(by_ms))
  jump(0)
  const env = {
    FLORIN_RATE_LIMIT: 'off',
    FLORIN_SETTLE_AFTER: '0',
    FLORIN_LOG: 'warn',
    JUMP_FILE: jump_file,
  }
  const options = { env, node_args: ['--import', preload] }
  const { florin, url } = await place.start(options)
  const first = (await BusyClient.open(url)).start(2)
  await first.served(20)
  jump(hour_ms)
  // Access tokens of an hour ago may have run out; who logs in again goes on.
  const second = (await BusyClient.open(url)).start(2)
  await second.served(20)
  jump(-hour_ms)
  await second.served(20)
  const third = await BusyClient.open(url)
  await third.start(1).served(20)
  jump(0)
  // A session of an hour ago goes on where it is still good, and anew where it is not.
  await third.logIn()
  const known_before = third.acknowledged.length
  await third.served(10)
  const fourth = await BusyClient.open(url)
  await fourth.start(1).served(10)
  const clients = [first, second, third, fourth]
  await Promise.all(clients.map((client) => client.stop()))
  for (const client of clients) {
    const strange = client.others.filter(({ status }) => status !== 401 && status !== 503)
    assert.deepEqual(strange, [])
    await client.logIn()
    const { token } = client
    assert.equal((await call(url, 'GET', '/v1/account/balance', { token })).status, 200)
  }
  const { pid: _, ...connection } = (await findRunningEmbedded(place.data_path))!
  const { rows } = await ask(connection, going_back)
  assert.deepEqual(rows, [])
  const all = clients.flatMap(({ acknowledged }) => acknowledged)
  assert.deepEqual(await findLost(connection, all), [])
  // Accounts that were told of an hour ahead wait for that hour; these two never were.
  const late = [...third.acknowledged.slice(known_before), ...fourth.acknowledged]
  const statuses = await untilSettled(connection, late)
  assert.deepEqual(statuses, { succeeded: late.length }, 'the worker goes on after the jumps')
  assert.equal((await florin.stop()).code, 0)
  const verified = await place.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

/** How many of these have each status, as soon as none is pending. */
async function untilSettled(
  connection: Parameters<typeof ask>[0],
  made: BusyClient['acknowledged'],
): Promise<Record<string, number>> {
  const uuids = made.map(({ id }) => findUuid('transaction', id)!)
  const count = `select status, count(*)::int as n from transactions
    where id = any('{${uuids.join(',')}}') group by status`
  for (let attempts_left = 100; ; attempts_left--) {
    const { rows } = await ask(connection, count)
    const statuses = Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    if (statuses.pending === undefined || attempts_left === 0) return statuses
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

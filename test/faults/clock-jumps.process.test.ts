// The system clock jumps an hour ahead and an hour back while payments arrive. Times within an
// account must never go back, and the ledger must stay consistent.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { BusyClient, findLost } from '../support/busy-client.ts'
import { call } from '../support/call.ts'
import { ask } from '../support/postgres.ts'

const preload = fileURLToPath(new URL('jumping-clock.ts', import.meta.url))
const hour_ms = 3_600_000

// Sequences are assigned under the account's lock, so they give the order of changes.
const reversals = `
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

test('times within an account never go back when the clock jumps', async (t) => {
  const installation = await makeUsedInstallation(t)
  const jump_file = join(installation.path, 'jump')
  const jump = (by_ms: number) => writeFileSync(jump_file, String(by_ms))
  jump(0)
  const env = {
    FLORIN_RATE_LIMIT: 'off',
    FLORIN_SETTLE_AFTER: '0',
    FLORIN_LOG: 'warn',
    JUMP_FILE: jump_file,
  }
  const options = { env, node_args: ['--import', preload] }
  const { florin, url } = await installation.start(options)
  const first = (await BusyClient.open(url)).start(2)
  await first.served(20)
  jump(hour_ms)
  // Access tokens from an hour ago may have expired, so a new client logs in.
  const second = (await BusyClient.open(url)).start(2)
  await second.served(20)
  jump(-hour_ms)
  await second.served(20)
  const third = await BusyClient.open(url)
  await third.start(1).served(20)
  jump(0)
  // The session may or may not have survived the jump.
  await third.logIn()
  const count_before = third.acknowledged.length
  await third.served(10)
  const fourth = await BusyClient.open(url)
  await fourth.start(1).served(10)
  const clients = [first, second, third, fourth]
  await Promise.all(clients.map((client) => client.stop()))
  for (const client of clients) {
    const unexpected = client.others.filter(({ status }) => status !== 401 && status !== 503)
    assert.deepEqual(unexpected, [])
    await client.logIn()
    const { token } = client
    assert.equal((await call(url, 'GET', '/v1/account/balance', { token })).status, 200)
  }
  const { pid: _, ...connection } = (await findRunningEmbedded(installation.data_path))!
  const { rows } = await ask(connection, reversals)
  assert.deepEqual(rows, [])
  const all = clients.flatMap(({ acknowledged }) => acknowledged)
  assert.deepEqual(await findLost(connection, all), [])
  // Accounts with times an hour ahead settle an hour later; these two have none.
  const late = [...third.acknowledged.slice(count_before), ...fourth.acknowledged]
  const statuses = await untilSettled(connection, late)
  assert.deepEqual(statuses, { succeeded: late.length }, 'the worker continues after the jumps')
  assert.equal((await florin.stop()).code, 0)
  const verified = await installation.run(['verify']).ended
  assert.equal(verified.code, 0, verified.stdout)
})

/** Waits until no transaction is pending and returns the number of transactions by status. */
async function untilSettled(
  connection: Parameters<typeof ask>[0],
  payments: BusyClient['acknowledged'],
): Promise<Record<string, number>> {
  const uuids = payments.map(({ id }) => findUuid('transaction', id)!)
  const count = `select status, count(*)::int as n from transactions
    where id = any('{${uuids.join(',')}}') group by status`
  for (let attempts_left = 100; ; attempts_left--) {
    const { rows } = await ask(connection, count)
    const statuses = Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    if (statuses.pending === undefined || attempts_left === 0) return statuses
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

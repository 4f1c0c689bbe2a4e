// Numbers of documents stay without gaps when database connections break at any moment, also during
// COMMIT, and two servers issue documents of one account.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPaymentFixtures } from '../payments/payment-fixtures.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openPaymentFixtures(florin)

const payments = 40

test('broken connections leave no gap and issue no document twice', async () => {
  const shop = await fixtures.shop()
  const ids: string[] = []
  for (let at = 0; at < payments; at++) {
    const id = await fixtures.request(shop)
    await fixtures.settlePayment(id)
    ids.push(id)
  }
  const storm = new AbortController()
  const killed = killConnections(storm.signal)
  const issued = await Promise.all([...ids, ...ids.toReversed()].map((id) => issue(shop.token, id)))
  storm.abort()
  assert.ok((await killed) > 0)
  const numbers = issued.slice(0, payments)
  assert.deepEqual(issued.slice(payments).reverse(), numbers, 'each has one number')
  assert.deepEqual(
    numbers.toSorted((one, other) => one - other),
    Array.from(numbers, (_, at) => at + 1),
  )
  const { rows } = await florin.db.pool.query(
    `select count(*)::int as documents, max(number)::int as last
     from documents where account_id = $1`,
    [shop.uuid],
  )
  assert.deepEqual(rows, [{ documents: payments, last: payments }])
})

/** Retries as a client does. */
async function issue(token: string, id: string): Promise<number> {
  for (let attempts = 0; attempts < 200; attempts++) {
    const response = await florin.call('GET', `/v1/payments/${id}/receipt`, { token })
    if (response.status === 200) return response.body.number
    assert.ok([429, 500, 503].includes(response.status), response.text)
    await sleep(20)
  }
  assert.fail(`${id} got no receipt`)
}

async function killConnections(signal: AbortSignal): Promise<number> {
  let killed = 0
  while (!signal.aborted) {
    const text = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
    const result = await florin.db.pool.query(text).catch(() => undefined)
    killed += result?.rowCount ?? 0
    await sleep(15)
  }
  return killed
}

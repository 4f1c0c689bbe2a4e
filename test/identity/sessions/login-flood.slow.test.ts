// A flood of logins does not stop payments: transactions are created while logins wait, and every
// login gets a response. FLORIN_LONG=1 runs 300 clients for ten seconds. The latency of payments is
// reported and not asserted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertErrorShape } from '../../support/raw.ts'

const long = Boolean(process.env.FLORIN_LONG)
const at_once = long ? 300 : 60
const lasts_ms = long ? 10_000 : 0

const florin = await startFlorin()
const owner = await florin.people.owner()

/** Logs in at least once, and again until this time. */
async function keepLoggingIn(until: number, responses: ApiResponse[]): Promise<void> {
  const { email, password } = owner
  do {
    const response = await florin.call('POST', '/v1/auth/login', { body: { email, password } })
    responses.push(response)
    if (response.status === 503) await sleep(100)
  } while (Date.now() < until)
}

async function payWhile(flood: Promise<unknown>): Promise<number[]> {
  let flooded = true
  void flood.finally(() => {
    flooded = false
  })
  const { token, account_id } = owner
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
  const took_ms: number[] = []
  while (flooded) {
    const started = performance.now()
    const paid = await florin.call('POST', '/v1/transactions', { token, body })
    assert.equal(paid.status, 201, paid.text)
    took_ms.push(performance.now() - started)
  }
  return took_ms.sort((a, b) => a - b)
}

test(`${at_once} concurrent logins all get a response, and no payment is rejected`, async (t) => {
  const responses: ApiResponse[] = []
  const until = Date.now() + lasts_ms
  const flood = Promise.all(Array.from({ length: at_once }, () => keepLoggingIn(until, responses)))
  const took_ms = await payWhile(flood)
  await flood
  assert.ok(took_ms.length > 0, 'no payment was created during the flood')
  assert.ok(responses.length >= at_once)
  for (const response of responses) {
    if (response.status === 200) continue
    assert.equal(response.status, 503, response.text)
    assertErrorShape(response, 'a rejected login')
    assert.ok(Number(response.headers.get('retry-after')) >= 1)
  }
  const served = responses.filter(({ status }) => status === 200).length
  assert.ok(served > 0)
  const p99 = Math.round(took_ms[Math.floor(took_ms.length * 0.99)]!)
  t.diagnostic(`${served} of ${responses.length} logged in; ${took_ms.length} paid, p99 ${p99} ms`)
})

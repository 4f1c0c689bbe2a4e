// The ledger balances in every snapshot. Each rule is one statement, and so one snapshot; the rules
// are checked continuously while two servers are under load.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFlorin } from '../support/florin.ts'
import { moneyRules } from '../support/money-rules.ts'
import { openTransactionFixtures, type Shop } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const fixtures = await openTransactionFixtures(florin)
const calls = [florin.call, other.call]

const pick = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)]!

test('the ledger balances in every snapshot under a random load', async () => {
  const shops = await Promise.all([5_000, 0, 300].map((available) => fixtures.shop(available)))
  const load = { stopped: false, done: 0, refused: 0 }
  const workers = Promise.all(Array.from({ length: 12 }, () => work(shops, load)))
  // With fewer operations the test would prove nothing, so it runs longer on a busy machine.
  const isEnough = (audits: number) => audits >= 200 && load.done >= 300 && load.refused >= 20
  try {
    await Promise.race([audit(2_500, isEnough), workers])
  } finally {
    load.stopped = true
  }
  await workers
})

async function audit(least_ms: number, isEnough: (audits: number) => boolean): Promise<void> {
  const until = Date.now() + least_ms
  for (let audits = 0; Date.now() < until || !isEnough(audits); audits++) {
    const rule = moneyRules[audits % moneyRules.length]!
    const broken = await florin.db.pool.query(rule.text)
    assert.deepEqual(broken.rows, [], `broken: ${rule.name}`)
    await sleep(1)
  }
}

async function work(shops: Shop[], load: { stopped: boolean; done: number; refused: number }) {
  const pending: { shop: Shop; id: string }[] = []
  while (!load.stopped) {
    const shop = pick(shops)
    const call = pick(calls)
    const one = pick(pending)
    const path = one && `/v1/transactions/${one.id}`
    const choice = Math.floor(Math.random() * 6)
    const body = { outcome: pick(['succeeded', 'succeeded', 'failed']) }
    const response =
      path === undefined || choice < 2
        ? await fixtures.create(shop, { amount: 1 + Math.floor(Math.random() * 500) }, { call })
        : choice === 2
          ? await fixtures.refund(shop, 1 + Math.floor(Math.random() * 900), undefined, { call })
          : choice === 3
            ? await call('DELETE', path, { token: one!.shop.token })
            : await call('POST', `${path}/settle`, { token: fixtures.admin.token, body })
    assert.ok(response.status < 500, response.text)
    if (response.status === 201) pending.push({ shop, id: response.body.id })
    load[response.status < 300 ? 'done' : 'refused'] += 1
  }
}

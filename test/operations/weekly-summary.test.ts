// The weekly summary: when it is due, what it contains, and that each week has one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weekBefore } from '../../src/accounts/summary-schedule.ts'
import { weeklySummaryJob } from '../../src/operations/weekly-summary.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const florin = await startFlorin()
const { db } = florin
const admin = await florin.people.admin()

test('a week ends on Monday in the time zone of the account, also when clocks change', () => {
  const week = (at: string, zone: string) => {
    const { due_at, from, to, next_at } = weekBefore(new Date(at), zone)
    return [from, to, due_at, next_at].map((time) => time.toISOString())
  }
  assert.deepEqual(week('2026-11-16T08:00:00.000Z', 'UTC'), [
    '2026-11-09T00:00:00.000Z',
    '2026-11-15T23:59:59.999Z',
    '2026-11-16T08:00:00.000Z',
    '2026-11-23T08:00:00.000Z',
  ])
  // One millisecond earlier, the week before is the last complete one.
  assert.equal(week('2026-11-16T07:59:59.999Z', 'UTC')[2], '2026-11-09T08:00:00.000Z')
  // In Berlin, clocks go back on Sunday, October 25: this week has 169 hours.
  assert.deepEqual(week('2026-10-26T12:00:00.000Z', 'Europe/Berlin'), [
    '2026-10-18T22:00:00.000Z',
    '2026-10-25T22:59:59.999Z',
    '2026-10-26T07:00:00.000Z',
    '2026-11-02T07:00:00.000Z',
  ])
  // Already Monday in Auckland, still Sunday in Honolulu.
  const sunday = '2026-11-15T20:00:00.000Z'
  assert.equal(week(sunday, 'Pacific/Auckland')[2], '2026-11-15T19:00:00.000Z')
  assert.equal(week(sunday, 'Pacific/Honolulu')[2], '2026-11-09T18:00:00.000Z')
})

const all_slots = Array.from({ length: 16 }, (_, slot) => slot)

async function runJob(): Promise<void> {
  const report = (error: unknown) => {
    throw error
  }
  const job = weeklySummaryJob(db, report)
  const { signal } = new AbortController()
  while ((await job({ signal, slots: all_slots })).more) {}
}

async function summariesOf({ account_id }: Owner) {
  const { rows } = await db.pool.query(
    `select cause, recipient, content::json -> 'facts' as facts
     from emails
     where account_id = $1 and kind = 'weekly_summary'
     order by cause`,
    [findUuid('account', account_id)],
  )
  return rows
}

async function advance(seconds: number): Promise<void> {
  const body = { seconds }
  const moved = await florin.call('POST', '/v1/sandbox/clock/advance', { token: admin.token, body })
  assert.equal(moved.status, 200, moved.text)
}

const day_s = 86_400

async function newPayment({ token, account_id }: Owner): Promise<string> {
  const body = { account_id, amount: 2_500, currency: 'USD', customer_email: 'c@example.com' }
  return (await florin.call('POST', '/v1/payments', { token, body })).body.id
}

async function settle(id: string, outcome: string): Promise<void> {
  const token = admin.token
  await florin.call('POST', `/v1/payments/${id}/settle`, { token, body: { outcome } })
}

test('each week with payments has one summary, and an account can turn it off', async () => {
  const [shop, quiet, off] = [
    await florin.people.owner(),
    await florin.people.owner(),
    await florin.people.owner(),
  ]
  const body = { weekly_summary: false }
  await florin.call('PATCH', '/v1/user/notifications', { token: off.token, body })
  await settle(await newPayment(shop), 'succeeded')
  await settle(await newPayment(shop), 'succeeded')
  await settle(await newPayment(shop), 'failed')
  await newPayment(shop)
  await settle(await newPayment(off), 'succeeded')
  await runJob()
  assert.deepEqual(await summariesOf(shop), [], 'no week has ended yet')
  await advance(8 * day_s)
  // After the week: it belongs to the next summary.
  await settle(await newPayment(shop), 'failed')
  await Promise.all([runJob(), runJob()])
  const [summary, ...more] = await summariesOf(shop)
  assert.deepEqual(more, [])
  assert.equal(summary.recipient, shop.email)
  const { payments, volume, refunds, fees, failed, open } = summary.facts
  assert.deepEqual([payments, volume, refunds, fees, failed, open], [2, 5_000, 0, 0, 1, 1])
  await runJob()
  assert.equal((await summariesOf(shop)).length, 1)
  assert.deepEqual(await summariesOf(off), [])
  assert.deepEqual(await summariesOf(quiet), [], 'nothing happened')
  // After a jump over many weeks, only the last one is summarized.
  await advance(21 * day_s)
  await settle(await newPayment(shop), 'succeeded')
  await runJob()
  assert.equal((await summariesOf(shop)).length, 1, 'in the last week, a request was only open')
})

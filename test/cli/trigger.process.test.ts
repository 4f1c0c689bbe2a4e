// florin trigger: every event type occurs and can be read through the API.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventTypes } from '../../src/events/event-types.ts'
import { startFlorin } from '../support/florin.ts'
import { openTransferFixtures } from '../transfers/transfer-fixtures.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const cli = new Cli(florin.url)
const owner = await florin.people.owner()
await cli.logIn(owner)
const staff = new Cli(florin.url)
await staff.logIn(await florin.people.admin())

// No worker runs here, so an admin settles the transaction.
const by_staff = ['transaction.failed']
const of_new_account = ['account.created', 'account.closed', 'transfer.received']

// In place of the worker. Slow enough for an account to be closed while its transfer is in transit.
const transfers = await openTransferFixtures(florin)
const completing = setInterval(() => void transfers.complete(), 1_000)
after(() => clearInterval(completing))

/** Two people are needed for these. */
const needs_approver = /^payout\.(approved|in_transit|paid|failed|returned)$/

for (const type of eventTypes.filter((one) => !needs_approver.test(one))) {
  test(`triggers ${type}`, async () => {
    const result = by_staff.includes(type)
      ? await staff.json('trigger', type, '--account', owner.account_id, '--json')
      : await cli.json('trigger', type, '--json')
    assert.equal(result.type, type)
    assert.ok(result.steps.length > 0)
    if (of_new_account.includes(type)) return assert.notEqual(result.account_id, owner.account_id)
    assert.equal(result.account_id, owner.account_id)
    const found = await florin.call('GET', `/v1/events/${result.id}`, { token: owner.token })
    const { steps: _, ...event } = result
    assert.deepEqual(found.body, event)
  })
}

test('prints each request', async () => {
  const { code, stdout } = await cli.run(['trigger', 'transaction.canceled'])
  assert.equal(code, 0)
  const steps = / {2}POST {3}\/v1\/transactions (txn_\w+)\n {2}DELETE \S+\1 \1\n/
  assert.match(stdout, new RegExp(`^${steps.source}✓ transaction\\.canceled evt_\\w+\n$`))
})

test('lists all event types if the given one is unknown', async () => {
  const { code, stderr } = await cli.run(['trigger', 'payment.suceeded'])
  assert.equal(code, 64)
  for (const type of eventTypes) assert.ok(stderr.includes(`\n  ${type}\n`), type)
})

test('rejects a live server', async () => {
  const live = await florin.startSecondServer({
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://none@127.0.0.1/none',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  })
  const other = new Cli(live.url)
  await other.logIn(owner)
  const { code, stderr } = await other.run(['trigger', 'payment.created'])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /is in live mode\. Events can be triggered only in a sandbox\.\nNext: florin/,
  )
})

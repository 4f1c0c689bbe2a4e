// florin trigger: each event really happens, and is found again over the API.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '../../src/events/event-types.ts'
import { startFlorin } from '../support/florin.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const cli = new Cli(florin.url)
const owner = await florin.people.owner()
await cli.logIn(owner)
const staff = new Cli(florin.url)
await staff.logIn(await florin.people.admin())

// No worker runs here to settle; an admin does.
const by_staff = ['transaction.failed']
const of_new_account = ['account.created', 'account.closed']

for (const type of eventTypes) {
  test(`${type} happens when it is triggered`, async () => {
    const told = by_staff.includes(type)
      ? await staff.json('trigger', type, '--account', owner.account_id, '--json')
      : await cli.json('trigger', type, '--json')
    assert.equal(told.type, type)
    assert.ok(told.steps.length > 0)
    if (of_new_account.includes(type)) return assert.notEqual(told.account_id, owner.account_id)
    assert.equal(told.account_id, owner.account_id)
    const found = await florin.call('GET', `/v1/events/${told.id}`, { token: owner.token })
    const { steps: _, ...event } = told
    assert.deepEqual(found.body, event)
  })
}

test('it says what it did, step by step', async () => {
  const { code, stdout } = await cli.run(['trigger', 'transaction.canceled'])
  assert.equal(code, 0)
  const steps = / {2}POST {3}\/v1\/transactions (txn_\w+)\n {2}DELETE \S+\1 \1\n/
  assert.match(stdout, new RegExp(`^${steps.source}✓ transaction\\.canceled evt_\\w+\n$`))
})

test('all names are listed when one is unknown', async () => {
  const { code, stderr } = await cli.run(['trigger', 'payment.suceeded'])
  assert.equal(code, 64)
  for (const type of eventTypes) assert.ok(stderr.includes(`\n  ${type}\n`), type)
})

test('a live server is left alone', async () => {
  const live = await florin.startSecondServer({
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    FLORIN_PUBLIC_URL: 'https://pay.example',
    FLORIN_PROCESSOR: 'manual',
  })
  const other = new Cli(live.url)
  await other.logIn(owner)
  const { code, stderr } = await other.run(['trigger', 'payment.created'])
  assert.equal(code, 1)
  assert.match(stderr, /is live, and what trigger makes would be real there\.\nNext: florin login/)
})

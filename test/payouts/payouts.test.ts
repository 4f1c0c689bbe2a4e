// Payouts over HTTP: what they do to the balance and the statement, who approves them, and races.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '../../src/payouts/payout.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { iban, openPayoutFixtures, other_iban } from './payout-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openPayoutFixtures(florin)
const platform = await florin.people.platform()

const statusOf = async (id: string) => (await fixtures.read(fixtures.admin, id)).body.status

async function eventTypes(token: string, id: string): Promise<string[]> {
  const { body } = await florin.call('GET', `/v1/events?object=${id}`, { token })
  return body.data.map(({ type }: { type: string }) => type).reverse()
}

test('a payout is held, approved, exported and paid', async () => {
  const shop = await fixtures.payable(1_000)
  const body = { amount: 600, currency: 'USD', reference: 'Week 47' }
  const created = await fixtures.payOut(shop, 600, { body })
  assert.equal(created.status, 201, created.text)
  const { id, created_at, updated_at, ...rest } = created.body as Payout
  assert.deepEqual(rest, {
    account_id: shop.account_id,
    amount: 600,
    currency: 'USD',
    status: 'pending_approval',
    destination: { name: 'Acme Ltd', iban, bic: null },
    reference: 'Week 47',
    reason: null,
    created_by: shop.id,
    approved_by: null,
    export_id: null,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual(await fixtures.funds(shop), [400, 600])

  const approved = await fixtures.change(platform, id, 'approve')
  assert.equal(approved.body.approved_by, platform.id, approved.text)
  const exported = await fixtures.export()
  assert.equal(exported.status, 201, exported.text)
  const { status, export_id } = (await fixtures.read(shop, id)).body
  assert.deepEqual([status, export_id], ['in_transit', exported.body.id])
  assert.deepEqual(await fixtures.funds(shop), [400, 600])

  const paid = await fixtures.change(fixtures.admin, id, 'resolve', { status: 'paid' })
  assert.equal(paid.body.status, 'paid', paid.text)
  assert.deepEqual(await fixtures.funds(shop), [400, 0])
  assert.deepEqual(await eventTypes(shop.token, id), [
    'payout.created',
    'payout.approved',
    'payout.in_transit',
    'payout.paid',
  ])
  const { body: statement } = await florin.call('GET', '/v1/account/statement', {
    token: shop.token,
  })
  const { transaction_id, type, amount, reference, available_after } = statement.data[0]
  assert.deepEqual(
    [transaction_id, type, statement.data[0].status, amount, reference, available_after],
    [id, 'payout', 'succeeded', -600, 'Week 47', 400],
  )
  const csv = await florin.call('GET', '/v1/account/statement?format=csv', { token: shop.token })
  assert.match(csv.text, new RegExp(`,${id},payout,succeeded,Week 47,,USD,-6.00,4.00\r\n`))
  const journal = await florin.call('GET', '/v1/account/journal?format=hledger', {
    token: shop.token,
  })
  assert.match(journal.text, /Payout paid out: Week 47/)
  assert.match(journal.text, / {2}Equity:Payouts {2}6.00 USD\n/)
})

test('a failed, canceled or returned payout makes its amount available again', async () => {
  const shop = await fixtures.payable(1_000)
  const canceled = await fixtures.created(shop, 100)
  assert.equal((await fixtures.change(shop, canceled.id, 'cancel')).body.status, 'canceled')
  assert.deepEqual(await fixtures.funds(shop), [1_000, 0])

  const failed = await fixtures.inTransit(shop, 200)
  const reason = 'AC04: account closed'
  const refused = await fixtures.change(fixtures.admin, failed.id, 'resolve', {
    status: 'failed',
    reason,
  })
  assert.deepEqual([refused.body.status, refused.body.reason], ['failed', reason])
  assert.deepEqual(await fixtures.funds(shop), [1_000, 0])

  const paid = await fixtures.paid(shop, 300)
  assert.deepEqual(await fixtures.funds(shop), [700, 0])
  await fixtures.change(fixtures.admin, paid.id, 'resolve', { status: 'returned' })
  assert.deepEqual(await fixtures.funds(shop), [1_000, 0])
  assert.deepEqual((await eventTypes(shop.token, paid.id)).slice(-2), [
    'payout.paid',
    'payout.returned',
  ])
})

test('each status allows only its next ones', async () => {
  const shop = await fixtures.payable(1_000)
  const by_status = {
    pending_approval: (await fixtures.created(shop)).id,
    canceled: (await fixtures.created(shop)).id,
    paid: (await fixtures.paid(shop)).id,
    failed: (await fixtures.inTransit(shop)).id,
    in_transit: (await fixtures.inTransit(shop)).id,
    approved: (await fixtures.approved(shop)).id,
  }
  await fixtures.change(shop, by_status.canceled, 'cancel')
  await fixtures.change(fixtures.admin, by_status.failed, 'resolve', { status: 'failed' })
  const allowed = new Set([
    'pending_approval approve',
    'pending_approval cancel',
    'approved cancel',
    'in_transit paid',
    'in_transit failed',
    'paid returned',
  ])
  for (const [status, id] of Object.entries(by_status)) {
    assert.equal(await statusOf(id), status)
    for (const verb of ['approve', 'cancel', 'paid', 'failed', 'returned']) {
      if (allowed.has(`${status} ${verb}`)) continue
      const is_outcome = verb !== 'approve' && verb !== 'cancel'
      const response = is_outcome
        ? await fixtures.change(fixtures.admin, id, 'resolve', { status: verb })
        : await fixtures.change(fixtures.admin, id, verb)
      assert.equal(response.status, 409, `${status} ${verb}: ${response.text}`)
      assert.match(response.body.message, new RegExp(`^The payout is ${status}\\. Only a payout`))
    }
  }
})

test('of a payout and a refund for the last cent, exactly one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const shop = await fixtures.payable(100)
    const [payout, refund] = await Promise.all([
      fixtures.payOut(shop, 100),
      fixtures.refund(shop, 100),
    ])
    assert.deepEqual([payout.status, refund.status].sort(), [201, 402])
    assert.deepEqual(await fixtures.funds(shop), [0, 100])
  }
})

test('refuses too large an amount, another currency, and a missing destination', async () => {
  const shop = await fixtures.payable(100)
  const over = await fixtures.payOut(shop, 101)
  assert.deepEqual([over.status, over.body.error], [402, 'insufficient_funds'])
  assert.match(over.body.message, /"amount" must be at most 100, .*; got 101\./)
  const euros = await fixtures.payOut(shop, 10, { body: { amount: 10, currency: 'EUR' } })
  assert.deepEqual([euros.status, euros.body.error], [400, 'currency_mismatch'])
  const without = await fixtures.payOut(await fixtures.shop(100), 10)
  assert.deepEqual([without.status, without.body.error], [409, 'conflict'])
  assert.match(without.body.message, /Set one with PATCH \/v1\/account\/payout_destination/)
})

test('a repeated request with an Idempotency-Key creates one payout', async () => {
  const shop = await fixtures.payable(1_000)
  const headers = { 'idempotency-key': 'week-47' }
  const first = await fixtures.payOut(shop, 100, { headers })
  const second = await fixtures.payOut(shop, 100, { headers })
  assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text])
  assert.deepEqual(await fixtures.funds(shop), [900, 100])
})

test('payouts above the limit of 24 hours need approval, by another user', async () => {
  const shop = await fixtures.payable(1_000)
  assert.equal((await fixtures.setLimit(shop, 250)).body.approval_limit, 250)
  await fixtures.approved(shop, 100)
  assert.equal((await fixtures.created(shop, 150)).status, 'approved')
  const above = await fixtures.created(shop, 1)
  assert.equal(above.status, 'pending_approval')
  // What was canceled did not leave.
  await fixtures.change(shop, above.id, 'cancel')
  assert.equal((await fixtures.setLimit(shop, 251)).status, 200)
  assert.equal((await fixtures.created(shop, 1)).status, 'approved')

  const headers = { 'florin-account': shop.account_id }
  const own = await fixtures.payOut(fixtures.admin, 50, { headers })
  assert.equal(own.body.status, 'pending_approval', own.text)
  const refused = await fixtures.change(fixtures.admin, own.body.id, 'approve')
  assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden'])
  assert.equal((await fixtures.change(platform, own.body.id, 'approve')).status, 200)
})

test('payouts at the same time do not exceed the limit, and each is decided once', async () => {
  const shop = await fixtures.payable(1_000)
  await fixtures.setLimit(shop, 300)
  await fixtures.approved(shop, 100)
  const headers = { 'idempotency-key': 'at-once' }
  const made = await Promise.all([
    ...Array.from({ length: 5 }, () => fixtures.payOut(shop, 100)),
    ...Array.from({ length: 3 }, () => fixtures.payOut(shop, 100, { headers })),
  ])
  const bodies = new Map(made.filter(({ body }) => body.id).map(({ body }) => [body.id, body]))
  const statuses = [...bodies.values()].map(({ status }) => status).sort()
  assert.deepEqual(statuses, [
    ...Array.from({ length: 2 }, () => 'approved'),
    ...Array.from({ length: 4 }, () => 'pending_approval'),
  ])
  const pending = [...bodies.values()].filter(({ status }) => status === 'pending_approval')
  for (const { id } of pending) {
    const decided = await Promise.all([
      fixtures.change(fixtures.admin, id, 'approve'),
      fixtures.change(platform, id, 'approve'),
      fixtures.change(shop, id, 'cancel'),
    ])
    // An approved one may be canceled, but not the other way around.
    const is_canceled = (await statusOf(id)) === 'canceled'
    const approvals = decided.slice(0, 2).filter(({ status }) => status === 200).length
    assert.equal(decided[2]!.status === 200, is_canceled)
    assert.ok(approvals === 1 || (approvals === 0 && is_canceled))
  }
  const [available, held] = await fixtures.funds(shop)
  assert.equal(available + held, 1_000)
})

test('after a change of the destination, the next payout needs approval', async () => {
  const shop = await fixtures.payable(1_000)
  const old = await fixtures.approved(shop)
  assert.equal((await fixtures.created(shop)).status, 'approved')
  const changed = await fixtures.setDestination(shop, { iban: other_iban, bic: 'NWBKGB2L' })
  assert.deepEqual(changed.body.destination, {
    name: 'Acme Ltd',
    iban: other_iban,
    bic: 'NWBKGB2L',
  })
  assert.equal(changed.body.next_needs_approval, true)
  // Canceling the next one does not help a thief.
  const next = await fixtures.created(shop)
  assert.equal(next.status, 'pending_approval')
  await fixtures.change(shop, next.id, 'cancel')
  assert.equal((await fixtures.created(shop)).status, 'pending_approval')
  assert.equal((await fixtures.read(shop, old.id)).body.destination.iban, iban)
  await fixtures.approved(shop)
  assert.equal((await fixtures.created(shop)).status, 'approved')

  const options = { token: fixtures.admin.token, headers: { 'florin-account': shop.account_id } }
  const { body } = await florin.call('GET', '/v1/emails', options)
  const [email] = body.data
  assert.deepEqual(
    [body.data.length, email.kind, email.to, email.subject],
    [
      2,
      'payout_destination_changed',
      shop.email,
      '[Sandbox] Payout destination changed for Acme Ltd',
    ],
  )
  const { body: whole } = await florin.call('GET', `/v1/emails/${email.id}`, options)
  assert.match(whole.text, /IBAN: GB…6819/)
  assert.ok(!whole.text.includes(other_iban))
  const again = await fixtures.setDestination(shop, { iban: other_iban, bic: 'NWBKGB2L' })
  assert.equal(again.body.next_needs_approval, false, 'the same destination changes nothing')
})

test('who set a destination cannot approve payouts to it before another person has', async () => {
  const shop = await fixtures.payable(1_000)
  await fixtures.approved(shop)
  const headers = { 'florin-account': shop.account_id }
  const changed = await fixtures.setDestination(fixtures.admin, { iban: other_iban }, { headers })
  assert.equal(changed.status, 200, changed.text)
  const [first, second] = [await fixtures.created(shop), await fixtures.created(shop)]
  // A change after it does not make an earlier payout go elsewhere, or another person approve it.
  await fixtures.setDestination(shop)
  const refused = await fixtures.change(fixtures.admin, first.id, 'approve')
  assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden'], refused.text)
  assert.match(refused.body.message, /You set the destination of this payout/)
  assert.equal((await fixtures.change(platform, first.id, 'approve')).status, 200)
  assert.equal((await fixtures.change(platform, second.id, 'approve')).status, 200)

  await fixtures.setDestination(fixtures.admin, { iban: other_iban }, { headers })
  const third = await fixtures.created(shop)
  assert.equal((await fixtures.change(platform, third.id, 'approve')).status, 200)
  await fixtures.setLimit(shop, 0)
  const confirmed = await fixtures.created(shop)
  assert.equal(confirmed.status, 'pending_approval')
  assert.equal((await fixtures.change(fixtures.admin, confirmed.id, 'approve')).status, 200)
})

test('names what is wrong with a destination', async () => {
  const shop = await fixtures.shop()
  const cases: [object, RegExp][] = [
    [{ iban: 'DE89370400440532013001' }, /"iban" has wrong check digits.*Copy the IBAN/],
    [{ bic: 'NOPE' }, /"bic" must be a BIC.*got "NOPE"/],
    [{ name: '銀行' }, /"name" must have Latin letters/],
  ]
  for (const [body, message] of cases) {
    const response = await fixtures.setDestination(shop, body)
    assert.equal(response.status, 400)
    assert.match(response.body.message, message)
  }
})

test('API keys neither create nor approve payouts, but can read them', async () => {
  const shop = await fixtures.payable(1_000)
  const { id } = await fixtures.created(shop)
  const created = await florin.call('POST', '/v1/api_keys', {
    token: shop.token,
    body: { name: 'Shop', scopes: ['*'] },
  })
  const { key } = created.body
  const keyed = { ...shop, token: key }
  assert.equal((await fixtures.read(keyed, id)).status, 200)
  const refused = [
    await fixtures.payOut(keyed, 100),
    await fixtures.change(keyed, id, 'approve'),
    await fixtures.change(keyed, id, 'cancel'),
    await fixtures.setDestination(keyed),
    await fixtures.export(keyed),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [401, 401, 401, 401, 401],
  )
})

test('money leaves or is redirected only after a login of the last ten minutes', async () => {
  const shop = await fixtures.payable(1_000)
  const approver = await florin.people.admin()
  const sent = await fixtures.inTransit(shop)
  const { id } = await fixtures.created(shop, 600)
  const ids = [shop.id, approver.id].map((one) => findUuid('user', one))
  await florin.db.pool.query(
    `update sessions set authenticated_at = now() - interval '10 minutes'
     where user_id = any($1::uuid[])`,
    [ids],
  )
  const headers = { 'florin-account': shop.account_id }
  const refused = [
    await fixtures.payOut(shop, 100),
    await fixtures.setDestination(shop, { iban: other_iban }),
    await fixtures.change(approver, id, 'approve'),
    await fixtures.change(approver, sent.id, 'resolve', { status: 'failed' }),
    await fixtures.setLimit(shop, 1_000, { token: approver.token, headers }),
    await fixtures.export(approver),
    await florin.call('POST', '/v1/account/bank_details', {
      token: approver.token,
      headers,
      body: { name: 'Acme Ltd', iban },
    }),
    await florin.call('POST', '/v1/bank_entries/bse_01h455vb4pex5vsknk084sn02q/match', {
      token: approver.token,
      body: { payout_id: sent.id },
    }),
  ]
  for (const { status, text, headers: received } of refused) {
    assert.equal(status, 401, text)
    assert.match(received.get('www-authenticate')!, /insufficient_user_authentication.*max_age=600/)
  }
  assert.equal((await fixtures.change(shop, id, 'cancel')).status, 200, 'nothing leaves')
})

test('an account with an open payout cannot be closed', async () => {
  const shop = await fixtures.payable(300)
  const { id } = await fixtures.inTransit(shop, 300)
  const close = () => florin.call('DELETE', '/v1/account', { token: shop.token })
  const refused = await close()
  assert.deepEqual([refused.status, refused.body.error], [409, 'conflict'], refused.text)
  await fixtures.change(fixtures.admin, id, 'resolve', { status: 'paid' })
  assert.equal((await close()).status, 200)
  const returned = await fixtures.change(fixtures.admin, id, 'resolve', { status: 'returned' })
  assert.equal(returned.body.status, 'returned', returned.text)
  assert.deepEqual(await fixtures.funds(shop), [300, 0])
})

test('in live mode, every payout needs approval by default', async () => {
  const live = await startFlorin(live_env)
  const inside = await openPayoutFixtures(live)
  const shop = await inside.payable(1_000)
  const settings = await live.call('GET', '/v1/account/payout_settings', { token: shop.token })
  assert.equal(settings.body.approval_limit, 0)
  await inside.approved(shop)
  assert.equal((await inside.created(shop)).status, 'pending_approval')
})

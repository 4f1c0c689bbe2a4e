// Transfers over HTTP and their completion by the worker: fees, rejections, crashes and races.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transfer } from '../../src/transfers/transfer.ts'
import { startFlorin } from '../support/florin.ts'
import { tally } from '../transactions/transaction-fixtures.ts'
import { crashingDb, openTransferFixtures } from './transfer-fixtures.ts'

const florin = await startFlorin()
const fixtures = await openTransferFixtures(florin)

const list = async (token: string, query = '') =>
  (await florin.call('GET', `/v1/transfers${query}`, { token })).body.data

test('a transfer debits the source at once, and the worker credits the target', async () => {
  const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
  const made = await fixtures.send(source, target, 300, { reference: 'Order 114' })
  assert.equal(made.status, 201, made.text)
  const { id, created_at, updated_at, ...rest } = made.body
  assert.match(id, /^tr_/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    account_id: source.account_id,
    direction: 'outgoing',
    from_account_id: source.account_id,
    to_account_id: target.account_id,
    amount: 300,
    fee_amount: 0,
    fee_account_id: null,
    currency: 'USD',
    reference: 'Order 114',
    status: 'in_transit',
    returned_amount: 0,
    return_reason: null,
  })
  assert.deepEqual(await fixtures.available(source, target), [700, 0])
  assert.deepEqual(await list(target.token), [])
  await fixtures.complete()
  assert.deepEqual(await fixtures.available(source, target), [700, 300])
  const sent = await fixtures.getTransfer(source, id)
  assert.equal(sent.status, 'completed')
  const received = await fixtures.getTransfer(target, id)
  assert.deepEqual([received.direction, received.status], ['incoming', 'completed'])
  assert.deepEqual(await list(source.token), [sent])
  assert.deepEqual(await list(target.token, '?direction=incoming&status=completed'), [received])
  assert.deepEqual(await list(target.token, '?direction=outgoing'), [])
  const events = async (token: string) => {
    const { body } = await florin.call('GET', `/v1/events?object=${id}`, { token })
    return body.data.map(({ type, data }: { type: string; data: Transfer }) => [type, data.status])
  }
  assert.deepEqual((await events(source.token)).sort(), [
    ['transfer.completed', 'completed'],
    ['transfer.created', 'in_transit'],
  ])
  assert.deepEqual(await events(target.token), [['transfer.received', 'completed']])
})

test('both statements show the transfer', async () => {
  const [source, target] = [await fixtures.shop(500), await fixtures.shop()]
  const { id } = await fixtures.transfer(source, target, 200, { reference: 'Rent' })
  const linesOf = async (token: string) => {
    const { body } = await florin.call('GET', '/v1/account/statement?limit=1', { token })
    const [{ type, transaction_id, amount, available_after, status, reference }] = body.data
    return [type, transaction_id, amount, available_after, status, reference]
  }
  const pending = ['transfer', id, -200, 300, 'pending', 'Rent']
  assert.deepEqual(await linesOf(source.token), pending)
  await fixtures.complete()
  assert.deepEqual(await linesOf(source.token), [...pending.slice(0, 4), 'succeeded', 'Rent'])
  assert.deepEqual(await linesOf(target.token), ['transfer', id, 200, 200, 'succeeded', 'Rent'])
  const { token } = target
  const csv = await florin.call('GET', '/v1/account/statement?format=csv', { token })
  assert.match(csv.text, new RegExp(`,${id},transfer,succeeded,Rent,,USD,2.00,2.00`))
  const journal = await florin.call('GET', '/v1/account/journal?format=csv', { token })
  const sides = 'Assets:Florin:Available,Equity:Transfers,USD,2.00,2.00'
  assert.match(journal.text, new RegExp(`,${id},transfer,reinstate,Rent,,${sides}`))
  const { text } = await florin.call('GET', '/v1/account/journal?format=hledger', {
    token: source.token,
  })
  assert.match(text, / Transfer out: Rent\n.*\n {4}Equity:Transfers {2}2\.00 USD\n/)
})

test('rejects a transfer without funds, to itself, to no account, or in EUR', async () => {
  const [source, target] = [await fixtures.shop(100), await fixtures.shop()]
  const expectError = async (sent: ReturnType<typeof fixtures.send>, expected: string) => {
    const { status, body } = await sent
    assert.equal(`${status} ${body.error}: ${body.message}`, expected)
  }
  await expectError(
    fixtures.send(source, target, 101),
    '402 insufficient_funds: "amount" must be at most 100, the available balance; got 101. ' +
      'Wait for pending payments to settle, or send less.',
  )
  await expectError(
    fixtures.send(source, source, 1),
    '400 invalid_request: "to_account_id" must be another account than the source; got ' +
      `"${source.account_id}". Send another id.`,
  )
  await expectError(
    fixtures.send(source, { account_id: 'acct_x' }, 1),
    '400 invalid_request: "to_account_id" must be the id of an active account; got "acct_x".',
  )
  await expectError(
    fixtures.send(source, target, 1, { currency: 'EUR' }),
    '400 currency_mismatch: "currency" must be "USD", the currency of the source; got "EUR". ' +
      'A transfer does not convert money.',
  )
  const euros = await fixtures.shop()
  const settings = { settings: { currency: 'EUR' } }
  const changed = await florin.call('PATCH', '/v1/account', { token: euros.token, body: settings })
  assert.equal(changed.status, 200, changed.text)
  await expectError(
    fixtures.send(source, euros, 1),
    '400 currency_mismatch: "currency" must be "EUR", the currency of the target; got "USD". ' +
      'A transfer does not convert money.',
  )
  await fixtures.close(target)
  assert.equal((await fixtures.send(source, target, 1)).status, 400)
  assert.deepEqual(await fixtures.available(source), [100])
})

test('an owner needs a login of the last ten minutes', async () => {
  const [source, target] = [await fixtures.shop(100), await fixtures.shop()]
  await florin.db.pool.query(
    `update sessions set authenticated_at = now() - interval '11 minutes'
     where user_id = (select owner_id from accounts where id = $1)`,
    [source.uuid],
  )
  const stale = await fixtures.send(source, target, 1)
  assert.deepEqual([stale.status, stale.body.error], [401, 'unauthorized'])
  assert.match(stale.headers.get('www-authenticate')!, /insufficient_user_authentication/)
})

test('an Idempotency-Key debits once, also when the balance no longer covers it', async () => {
  const [source, target] = [await fixtures.shop(100), await fixtures.shop()]
  const headers = { 'idempotency-key': 'transfer-1' }
  const first = await fixtures.send(source, target, 80, {}, { token: source.token, headers })
  const again = await fixtures.send(source, target, 80, {}, { token: source.token, headers })
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.equal(again.text, first.text)
  await fixtures.complete()
  assert.deepEqual(await fixtures.available(source, target), [20, 80])
})

const feeOf = (shop: { account_id: string }) => {
  const path = '/v1/account/transfer_fee'
  const headers = { 'florin-account': shop.account_id }
  const { token } = fixtures.admin
  return {
    get: () => florin.call('GET', path, { token, headers }),
    set: (body: object) => florin.call('POST', path, { token, headers, body }),
    remove: () => florin.call('DELETE', path, { token, headers }),
  }
}

test('the fee of the account goes to the fee account, rounded down', async () => {
  const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
  const platform = await fixtures.shop()
  const fee = feeOf(source)
  assert.equal((await fee.get()).body.fee_account_id, null)
  const body = { fee_account_id: platform.account_id, basis_points: 250, fixed_amount: 10 }
  const set = await fee.set(body)
  assert.equal(set.status, 200, set.text)
  assert.deepEqual((await fee.get()).body, set.body)
  const made = await fixtures.send(source, target, 399)
  assert.deepEqual([made.body.fee_amount, made.body.fee_account_id], [19, platform.account_id])
  await fixtures.complete()
  assert.deepEqual(await fixtures.available(source, target, platform), [601, 380, 19])
  assert.equal((await fixtures.getTransfer(platform, made.body.id)).direction, 'fee')
  const small = await fixtures.send(source, target, 10)
  assert.equal(
    small.body.message,
    '"amount" must be greater than the fee of 10; got 10. Transfer more.',
  )
  // To the fee account itself there is no fee.
  assert.equal((await fixtures.send(source, platform, 100)).body.fee_amount, 0)
  assert.equal((await fee.remove()).body.fee_account_id, null)
  assert.equal((await fixtures.send(source, target, 100)).body.fee_amount, 0)
  await fixtures.complete()
})

test('an owner does not avoid the fee by another currency of the account', async () => {
  const [source, target] = [await fixtures.shop(), await fixtures.shop()]
  const platform = await fixtures.shop()
  const set = await feeOf(source).set({ fee_account_id: platform.account_id, basis_points: 500 })
  assert.equal(set.status, 200, set.text)
  const settings = { settings: { currency: 'EUR' } }
  for (const { token } of [source, target]) {
    await florin.call('PATCH', '/v1/account', { token, body: settings })
  }
  await fixtures.fund(source, 1_000, { currency: 'EUR' })
  const sent = await fixtures.send(source, target, 100, { currency: 'EUR' })
  assert.deepEqual([sent.status, sent.body.error], [400, 'currency_mismatch'], sent.text)
  assert.match(sent.body.message, /must be "USD", .*; got "EUR"\. Ask the platform/)
  // An admin repairs it, or sends without the fee.
  const free = await fixtures.sendAsAdmin(source, target, 100, { currency: 'EUR', fee_amount: 0 })
  assert.equal(free.status, 201, free.text)
  await fixtures.complete()
})

test('a transfer by a platform user is in the audit log, also without a fee', async () => {
  const [source, target] = [await fixtures.shop(100), await fixtures.shop()]
  const platform = await florin.people.platform()
  const headers = { 'florin-account': source.account_id }
  const { body } = await fixtures.send(source, target, 100, {}, { token: platform.token, headers })
  const { token } = fixtures.admin
  const log = await florin.call('GET', `/v1/audit_log?object=${body.id}`, { token })
  assert.deepEqual(
    log.body.data.map((entry: { actor_id: string; action: string }) => [
      entry.actor_id,
      entry.action,
    ]),
    [[platform.id, 'transfer.created']],
  )
  await fixtures.complete()
})

test('an admin chooses the fee of one transfer, an owner cannot', async () => {
  const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
  const platform = await fixtures.shop()
  const fee = { fee_amount: 25, fee_account_id: platform.account_id }
  const denied = await fixtures.send(source, target, 100, fee)
  assert.deepEqual([denied.status, denied.body.error], [403, 'forbidden'])
  const lonely = await fixtures.sendAsAdmin(source, target, 100, { fee_amount: 25 })
  assert.equal(lonely.status, 400, lonely.text)
  assert.match(lonely.body.message, /; got 25 and no "fee_account_id"\. Send both/)
  const same = { fee_amount: 25, fee_account_id: target.account_id }
  assert.equal((await fixtures.sendAsAdmin(source, target, 100, same)).status, 400)
  await fixtures.transfer(source, target, 100, fee)
  await fixtures.complete()
  assert.deepEqual(await fixtures.available(source, target, platform), [900, 75, 25])
})

for (const [what, reject] of [
  ['closed', 'account_closed'],
  ['suspended', 'account_not_active'],
] as const) {
  test(`a ${what} target returns the money, with the fee`, async () => {
    const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
    const platform = await fixtures.shop()
    const fee = { fee_amount: 25, fee_account_id: platform.account_id }
    const { id } = await fixtures.transfer(source, target, 100, fee)
    if (what === 'closed') assert.equal((await fixtures.close(target)).status, 200)
    else await fixtures.setStatus(target, 'suspended')
    await fixtures.complete()
    assert.deepEqual(await fixtures.available(source, target, platform), [1_000, 0, 0])
    const { status, returned_amount, return_reason } = await fixtures.getTransfer(source, id)
    assert.deepEqual([status, returned_amount, return_reason], ['returned', 100, reject])
    if (what === 'closed') return
    assert.equal((await fixtures.getTransfer(target, id)).error, 'not_found')
    // The rejection is final, although the account is active again.
    await fixtures.setStatus(target, 'active')
    await fixtures.complete()
    assert.deepEqual(await fixtures.available(source, target), [1_000, 0])
  })
}

test('a closed fee account returns the fee, and the target keeps its part', async () => {
  const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
  const platform = await fixtures.shop()
  const fee = { fee_amount: 25, fee_account_id: platform.account_id }
  const { id } = await fixtures.transfer(source, target, 100, fee)
  await fixtures.close(platform)
  await fixtures.complete()
  assert.deepEqual(await fixtures.available(source, target), [925, 75])
  const { status, returned_amount, return_reason } = await fixtures.getTransfer(source, id)
  assert.deepEqual([status, returned_amount, return_reason], ['completed', 25, 'account_closed'])
})

test('a source that was closed meanwhile gets returned money back, without events', async () => {
  const [source, target] = [await fixtures.shop(300), await fixtures.shop()]
  await fixtures.transfer(source, target, 100)
  await fixtures.transfer(source, await fixtures.shop(), 50)
  await fixtures.close(source)
  await fixtures.close(target)
  await fixtures.complete()
  assert.deepEqual(await fixtures.available(source, target), [250, 0])
})

test('an account that has received a transfer keeps its currency', async () => {
  const [source, target] = [await fixtures.shop(300), await fixtures.shop()]
  await fixtures.transfer(source, target, 100)
  await fixtures.complete()
  const options = { token: target.token, body: { settings: { currency: 'EUR' } } }
  assert.equal((await florin.call('PATCH', '/v1/account', options)).status, 400)
})

test('a worker that crashes between two steps loses nothing and repeats nothing', async () => {
  for (let commits = 0; commits <= 3; commits++) {
    const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
    const platform = await fixtures.shop()
    const fee = { fee_amount: 25, fee_account_id: platform.account_id }
    const { id } = await fixtures.transfer(source, target, 100, fee)
    const crash = fixtures.complete(crashingDb(florin.db, commits))
    if (commits < 3) await assert.rejects(crash, /crashed/)
    else await crash
    assert.equal(
      await fixtures.total([source, target, platform]),
      1_000,
      `after ${commits} commits`,
    )
    const status = commits < 3 ? 'in_transit' : 'completed'
    assert.equal((await fixtures.getTransfer(source, id)).status, status)
    await fixtures.complete()
    assert.deepEqual(await fixtures.available(source, target, platform), [900, 75, 25])
    assert.equal((await fixtures.getTransfer(source, id)).status, 'completed')
  }
})

test('two workers at once credit each transfer once', async () => {
  const [source, target] = [await fixtures.shop(1_000), await fixtures.shop()]
  for (let n = 0; n < 10; n++) await fixtures.transfer(source, target, 10)
  await Promise.all([fixtures.complete(), fixtures.complete(), fixtures.complete()])
  assert.deepEqual(await fixtures.available(source, target), [900, 100])
})

test('of two transfers of the last cent, one gets 402', async () => {
  const [source, one, other] = [
    await fixtures.shop(100),
    await fixtures.shop(),
    await fixtures.shop(),
  ]
  const sent = await Promise.all([
    fixtures.send(source, one, 100),
    fixtures.send(source, other, 100),
    fixtures.refund(source, 100),
  ])
  assert.deepEqual(tally(sent), { '201': 1, '402 insufficient_funds': 2 })
  await fixtures.complete()
})

test('lists are paged, and admins list each transfer once', async () => {
  const [source, target] = [await fixtures.shop(100), await fixtures.shop()]
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.unshift((await fixtures.transfer(source, target, 10)).id)
  await fixtures.complete()
  const idsOf = async (token: string, query: string) =>
    (await list(token, query)).map(({ id }: Transfer) => id)
  assert.deepEqual(await idsOf(target.token, ''), ids)
  assert.deepEqual(await idsOf(source.token, `?limit=1&starting_after=${ids[0]}`), [ids[1]])
  assert.deepEqual(await idsOf(source.token, `?limit=1&ending_before=${ids[2]}`), [ids[1]])
  const { token } = fixtures.admin
  assert.deepEqual(await idsOf(token, '?limit=3'), ids)
  assert.deepEqual(await idsOf(token, '?direction=incoming'), [])
  const found = await florin.call('GET', `/v1/transfers/${ids[0]}`, { token })
  assert.equal(found.body.direction, 'outgoing')
})

// Payouts, refunds and transfers of a few accounts at the same time, with approvals, exports, bank
// entries, closings and workers that crash. Whatever the order: what the accounts have, what is in
// transit between them and what has left is constant, and nothing becomes negative.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { settleOutgoing } from '../../src/payouts/settle-outgoing.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { TransactionLanes } from '../../src/transactions/lanes.ts'
import { patient, startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { crashingDb, TransferFixtures } from '../transfers/transfer-fixtures.ts'
import { openPayoutFixtures } from './payout-fixtures.ts'

const florin = await startFlorin()
const payouts = await openPayoutFixtures(florin)
const transfers = new TransferFixtures(florin, payouts.admin)
const lanes = new TransactionLanes(florin.db, patient)

const shops_each = 3
const funds_each = 1_000
const runs = process.env.FLORIN_LONG ? 100 : 12

const shop = fc.nat(shops_each - 1)
const pick = fc.nat(1_000)
const amount = fc.integer({ min: 1, max: 700 })

const of = <Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind) })

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...of('pay_out'), shop, amount }) },
  { weight: 5, arbitrary: fc.record({ ...of('refund'), shop, amount }) },
  {
    weight: 6,
    arbitrary: fc.record({ ...of('transfer'), shop, to: shop, fee_to: shop, amount }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...of('settle'),
      pick,
      outcome: fc.constantFrom('succeeded', 'failed'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...of('cancel_refund'), pick }) },
  { weight: 2, arbitrary: fc.record({ ...of('cancel'), pick }) },
  { weight: 3, arbitrary: fc.record({ ...of('export') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...of('resolve'),
      pick,
      status: fc.constantFrom('paid', 'failed', 'returned'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ ...of('entry'), pick, is_return: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ ...of('work'), crash_after: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ ...of('suspend'), shop, is_active: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...of('close'), shop }) },
)

type RandomStep = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface World {
  shops: Shop[]
  payout_ids: string[]
  refund_ids: string[]
}

/** Each step may be rejected: what counts is the money afterwards. */
async function take(world: World, one: RandomStep): Promise<void> {
  const at = 'shop' in one ? world.shops[one.shop]! : world.shops[0]!
  const chosen = (ids: string[]) => ('pick' in one ? ids[one.pick % ids.length] : undefined)
  const payout_id = chosen(world.payout_ids)
  const refund_id = chosen(world.refund_ids)
  switch (one.kind) {
    case 'pay_out': {
      const { body } = expected(await payouts.payOut(at, one.amount))
      if (body.id !== undefined) world.payout_ids.push(body.id)
      return
    }
    case 'refund': {
      const { body } = expected(await payouts.refund(at, one.amount))
      if (body.id !== undefined) world.refund_ids.push(body.id)
      return
    }
    case 'transfer': {
      const fee_account_id = world.shops[one.fee_to]!.account_id
      const fee = one.fee_to === one.shop ? {} : { fee_amount: 7, fee_account_id }
      expected(await transfers.sendAsAdmin(at, world.shops[one.to]!, one.amount, fee))
      return
    }
    case 'export':
      expected(await payouts.export())
      return
    case 'work':
      return transfers.complete(crashingDb(florin.db, one.crash_after)).catch(() => {})
    case 'suspend': {
      const path = `/v1/accounts/${at.account_id}`
      const body = { status: one.is_active ? 'active' : 'suspended' }
      expected(await florin.call('PATCH', path, { token: payouts.admin.token, body }))
      return
    }
    case 'close':
      expected(await transfers.close(at))
      return
    case 'settle':
    case 'cancel_refund':
      if (refund_id === undefined) return
      if (one.kind === 'cancel_refund') expected(await payouts.cancel(payouts.admin, refund_id))
      else expected(await payouts.settle(refund_id, one.outcome))
      return
  }
  if (payout_id === undefined) return
  if (one.kind === 'entry') return showEntry(payout_id, one.is_return)
  const body = one.kind === 'resolve' ? { status: one.status } : {}
  expected(await payouts.change(payouts.admin, payout_id, one.kind, body))
}

type Response = Awaited<ReturnType<typeof florin.call>>

function expected(response: Response): Response {
  // 503: a lock was not free in time, and nothing has changed.
  assert.ok(response.status < 500 || response.status === 503, response.text)
  return response
}

async function showEntry(payout_id: string, is_return: boolean): Promise<void> {
  const { body } = await payouts.read(payouts.admin, payout_id)
  await settleOutgoing(
    { db: florin.db, lanes },
    {
      id: newUuid(Date.now()),
      direction: is_return ? 'credit' : 'debit',
      amount: body.amount,
      currency: body.currency,
      is_reversal: false,
      return_reason: is_return ? 'AC04' : null,
      end_to_end_id: payout_id.replace('_', '-'),
      payment_information_id: null,
      remittance: null,
      target: null,
    },
  )
}

const sums = `
  select
    (select sum(available + incoming + held - owed) from balances where account_id = any($1)) +
    (select coalesce(sum(amount), 0) from payouts
      where account_id = any($1) and status = 'paid') +
    (select coalesce(sum(amount), 0) from transactions
      where account_id = any($1) and type = 'refund' and status = 'succeeded') +
    (select coalesce(sum(sent.amount - coalesce(received.amount, 0)), 0)
      from transfers as sent
      left join (
        select id, sum(case side when 'in' then amount - fee_amount else fee_amount end) as amount
        from transfers where side <> 'out' and status = 'completed'
        group by id) as received using (id)
      where side = 'out' and status = 'in_transit' and account_id = any($1)) as total,
    (select min(least(available, incoming, held, owed)) from balances
      where account_id = any($1)) as least`

/** One statement, so one snapshot: also while steps are running. */
async function check({ shops }: World): Promise<void> {
  const { rows } = await florin.db.pool.query(sums, [shops.map(({ uuid }) => uuid)])
  assert.deepEqual(
    [Number(rows[0].total), Number(rows[0].least) >= 0],
    [shops_each * funds_each, true],
  )
}

test('payouts, refunds and transfers at once neither lose nor double money', async () => {
  const rounds = fc.array(fc.array(step, { minLength: 2, maxLength: 10 }), {
    minLength: 3,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(rounds, async (batches) => {
      const world: World = { shops: [], payout_ids: [], refund_ids: [] }
      for (let n = 0; n < shops_each; n++) {
        const one = await payouts.payable(funds_each)
        // From now on payouts to this destination need no approval.
        const { id } = await payouts.approved(one)
        await payouts.change(one, id, 'cancel')
        world.shops.push(one)
      }
      for (const steps of batches) {
        const running = Promise.all(steps.map((one) => take(world, one)))
        await check(world)
        await running
        await check(world)
      }
      await transfers.complete()
      await check(world)
    }),
    { numRuns: runs },
  )
})

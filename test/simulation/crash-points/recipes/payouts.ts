// Payouts and their exports. Cells of one wave have accounts in different currencies.

import assert from 'node:assert/strict'
import type { Owner } from '../../../support/people.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

const currencies = ['EUR', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF', 'RON', 'CAD']
const destination = { name: 'Acme Ltd', iban: 'DE89370400440532013000' }
const debtor = { name: 'Florin Operations', iban: 'FR1420041010050500013M02606' }

let used = 0

interface PayableOwner extends Owner {
  currency: string
}

/** With an available balance and a destination. */
async function payableOwner(world: World): Promise<PayableOwner> {
  const currency = currencies[used++ % currencies.length]!
  const owner = await world.people.owner()
  const { token, account_id } = owner
  const settings = { token, body: { settings: { currency } } }
  assert.equal((await world.call('PATCH', '/v1/account', settings)).status, 200)
  const body = { account_id, amount: 5_000, currency, type: 'payment' }
  const { id } = await world.create('/v1/transactions', { token, body })
  const { token: admin_token } = await world.admin()
  const outcome = { token: admin_token, body: { outcome: 'succeeded' } }
  await world.create(`/v1/transactions/${id}/settle`, outcome)
  const where = { token, body: destination }
  assert.equal((await world.call('PATCH', '/v1/account/payout_destination', where)).status, 200)
  return { ...owner, currency }
}

const newPayout = (world: World, { token }: Owner): Promise<{ id: string }> =>
  world.create('/v1/payouts', { token, body: { amount: 700 } })

async function approve(world: World, id: string): Promise<void> {
  const { token } = await world.admin()
  await world.create(`/v1/payouts/${id}/approve`, { token, body: {} })
}

async function exportPayouts(world: World, currency: string): Promise<void> {
  const { token } = await world.admin()
  await world.create('/v1/payout_exports', { token, body: { currency, debtor } })
}

/** A change of an existing payout. */
function change(
  by: 'owner' | 'admin',
  body: object,
  advance: (world: World, id: string, currency: string) => Promise<void> = async () => {},
): Recipe['prepare'] {
  return async (world): Promise<PreparedRequest> => {
    const owner = await payableOwner(world)
    const { id } = await newPayout(world, owner)
    await advance(world, id, owner.currency)
    const { token } = by === 'owner' ? owner : await world.admin()
    const verifyEffect = world.readsSame('/v1/payouts/{id}', token)
    return { params: { payout_id: id }, token, body, verifyEffect }
  }
}

function readsSettings(world: World, options: { token: string; headers?: object }) {
  return async (response: Record<string, unknown>): Promise<void> => {
    const { token } = options
    const headers = { ...options.headers }
    const found = await world.call('GET', '/v1/account/payout_settings', { token, headers })
    assert.deepEqual(found.body, response)
  }
}

export const payoutRecipes: Recipe[] = [
  {
    operation: 'createPayout',
    async prepare(world) {
      const { token } = await payableOwner(world)
      const body = { amount: 700, reference: 'Week 47' }
      return { token, body, verifyEffect: world.readsSame('/v1/payouts/{id}', token) }
    },
  },
  { operation: 'approvePayout', prepare: change('admin', {}) },
  { operation: 'cancelPayout', prepare: change('owner', {}) },
  {
    operation: 'resolvePayout',
    prepare: change('admin', { status: 'paid' }, async (world, id, currency) => {
      await approve(world, id)
      await exportPayouts(world, currency)
    }),
  },
  {
    operation: 'createPayoutExport',
    async prepare(world) {
      const owner = await payableOwner(world)
      const { token } = await world.admin()
      // What earlier cells in this currency have approved.
      const others = { token, body: { currency: owner.currency, debtor } }
      await world.call('POST', '/v1/payout_exports', others)
      const { id } = await newPayout(world, owner)
      await approve(world, id)
      const verifyEffect = async (response: { id: string }) => {
        const found = await world.call('GET', `/v1/payout_exports/${response.id}`, { token })
        assert.deepEqual(found.body, response)
        const { body } = await world.call('GET', `/v1/payouts/${id}`, { token })
        assert.deepEqual([body.status, body.export_id], ['in_transit', response.id])
      }
      return { token, body: { currency: owner.currency, debtor }, verifyEffect }
    },
  },
  {
    operation: 'changePayoutDestination',
    async prepare(world) {
      const { token } = await world.people.owner()
      return { token, body: destination, verifyEffect: readsSettings(world, { token }) }
    },
  },
  {
    operation: 'changePayoutLimit',
    async prepare(world) {
      const { account_id } = await world.people.owner()
      const { token } = await world.admin()
      const headers = { 'florin-account': account_id }
      const verifyEffect = readsSettings(world, { token, headers })
      return { token, headers, body: { approval_limit: 1_000 }, verifyEffect }
    },
  },
]

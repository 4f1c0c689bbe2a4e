// Transactions, payment requests, subscriptions and the clock: what goes through lanes, and what
// moves time.

import assert from 'node:assert/strict'
import type { Owner } from '../../../support/people.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

type Make = (world: World, owner: Owner) => Promise<{ id: string }>

const newTransaction: Make = (world, { token, account_id }) => {
  const body = { account_id, amount: 1_250, currency: 'USD', type: 'payment' }
  return world.make('/v1/transactions', { token, body })
}

const newPayment: Make = (world, { token, account_id }) => {
  const customer_email = `${world.unique()}@example.com`
  const body = { account_id, amount: 990, currency: 'USD', customer_email }
  return world.make('/v1/payments', { token, body })
}

const newSubscription: Make = (world, { token }) => {
  const customer_email = `${world.unique()}@example.com`
  const body = { amount: 500, currency: 'USD', interval: 'month', customer_email }
  return world.make('/v1/subscriptions', { token, body })
}

/** A change of something that the owner's account has already. */
function change(
  noun: 'transaction' | 'payment' | 'subscription',
  make: Make,
  { by = 'owner', body }: { by?: 'owner' | 'admin'; body?: unknown } = {},
): Recipe['prepare'] {
  return async (world): Promise<PreparedRequest> => {
    const owner = await world.owner()
    const { id } = await make(world, owner)
    const { token } = by === 'owner' ? owner : await world.admin()
    return {
      params: { [`${noun}_id`]: id },
      token,
      body,
      look: world.shows(`/v1/${noun}s/{id}`, token),
    }
  }
}

export const moneyRecipes: Recipe[] = [
  {
    operation: 'createTransaction',
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const body = { account_id, amount: 700, currency: 'USD', type: 'payment' }
      return { token, body, look: world.shows('/v1/transactions/{id}', token) }
    },
  },
  {
    operation: 'createTransaction',
    way: 'as a refund of a payment, by an API key',
    async prepare(world) {
      const owner = await world.owner()
      const { token: admins } = await world.admin()
      const paid = await newTransaction(world, owner)
      const body = { outcome: 'succeeded' }
      await world.make(`/v1/transactions/${paid.id}/settle`, { token: admins, body })
      const { key: token } = await newKey(world, owner)
      const { account_id } = owner
      const metadata = { refund_of: paid.id }
      return {
        token,
        body: { account_id, amount: 400, currency: 'USD', type: 'refund', metadata },
        look: world.shows('/v1/transactions/{id}', token),
      }
    },
  },
  {
    operation: 'updateTransaction',
    prepare: change('transaction', newTransaction, { body: { metadata: { order: '114' } } }),
  },
  { operation: 'cancelTransaction', prepare: change('transaction', newTransaction) },
  {
    operation: 'settleTransaction',
    prepare: change('transaction', newTransaction, {
      by: 'admin',
      body: { outcome: 'succeeded', reason: 'Seen on the bank statement.' },
    }),
  },
  {
    operation: 'createPayment',
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const customer_email = `${world.unique()}@example.com`
      const body = { account_id, amount: 990, currency: 'USD', customer_email }
      return { token, body, look: world.shows('/v1/payments/{id}', token) }
    },
  },
  { operation: 'cancelPayment', prepare: change('payment', newPayment) },
  { operation: 'sendPayment', prepare: change('payment', newPayment) },
  {
    operation: 'settlePayment',
    prepare: change('payment', newPayment, { by: 'admin', body: { outcome: 'succeeded' } }),
  },
  {
    operation: 'createSubscription',
    async prepare(world) {
      const { token } = await world.owner()
      const customer_email = `${world.unique()}@example.com`
      const body = { amount: 500, currency: 'USD', interval: 'month', customer_email }
      return { token, body, look: world.shows('/v1/subscriptions/{id}', token) }
    },
  },
  {
    operation: 'updateSubscription',
    prepare: change('subscription', newSubscription, { body: { status: 'paused' } }),
  },
  { operation: 'cancelSubscription', prepare: change('subscription', newSubscription) },
  {
    operation: 'advanceClock',
    multi_step: 'The clock makes its step first; what became due by it are changes of their own.',
    async prepare(world) {
      const { token } = await world.admin()
      // What earlier cells left is done before, so that each step settles just one transaction.
      const body = { seconds: 31 }
      await world.make('/v1/sandbox/clock/advance', { token, body })
      const { id } = await newTransaction(world, await world.owner())
      const look = async () => {
        const found = await world.call('GET', `/v1/transactions/${id}`, { token })
        assert.equal(found.body.status, 'succeeded')
      }
      return { token, body, look }
    },
  },
]

function newKey(world: World, { token }: Owner): Promise<{ key: string }> {
  const scopes = ['transactions:write', 'transactions:read']
  return world.make('/v1/api_keys', { token, body: { name: 'Shop', scopes } })
}

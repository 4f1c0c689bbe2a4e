// Transactions, payment requests, subscriptions and the clock: changes that go through lanes, and
// changes of the time.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { getErasureKey } from '../../../../src/postgres/instance.ts'
import { png } from '../../../accounts/branding/images.ts'
import { same_origin_headers } from '../../../support/cookie-login.ts'
import type { Owner } from '../../../support/people.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

type CreateObject = (world: World, owner: Owner) => Promise<{ id: string }>

const newTransaction: CreateObject = (world, { token, account_id }) => {
  const body = { account_id, amount: 1_250, currency: 'USD', type: 'payment' }
  return world.create('/v1/transactions', { token, body })
}

const newPayment: CreateObject = (world, { token, account_id }) => {
  const customer_email = `${world.unique()}@example.com`
  const body = { account_id, amount: 990, currency: 'USD', customer_email }
  return world.create('/v1/payments', { token, body })
}

const newSubscription: CreateObject = (world, { token }) => {
  const customer_email = `${world.unique()}@example.com`
  const body = { amount: 500, currency: 'USD', interval: 'month', customer_email }
  return world.create('/v1/subscriptions', { token, body })
}

/** The dispute of a payment by the test card whose charge is disputed. */
const newDispute: CreateObject = async (world, { token, account_id }) => {
  const customer_email = `${world.unique()}@example.com`
  const body = { account_id, amount: 990, currency: 'USD', customer_email }
  const { payment_url } = await world.create('/v1/payments', { token, body })
  const headers = { ...same_origin_headers, 'content-type': 'application/x-www-form-urlencoded' }
  const path = new URL(payment_url).pathname
  const paid = await world.call('POST', path, { headers, body: 'card=4000000000000259' })
  assert.equal(paid.status, 303, paid.text)
  const found = await world.call('GET', '/v1/disputes?status=open&limit=1', { token })
  return found.body.data[0]
}

const fee_path = '/v1/account/transfer_fee'

/** Sets the fee of a new account to these fields; without fields, deletes an existing fee. */
async function changesFee(world: World, fields?: object): Promise<PreparedRequest> {
  const { account_id } = await world.people.owner()
  const { account_id: fee_account_id } = await world.people.owner()
  const { token } = await world.admin()
  const headers = { 'florin-account': account_id }
  if (fields === undefined) {
    const body = { fee_account_id, fixed_amount: 1 }
    const made = await world.call('POST', fee_path, { token, headers, body })
    assert.equal(made.status, 200, made.text)
  }
  const verifyEffect = async (response: object) => {
    const found = await world.call('GET', fee_path, { token, headers })
    assert.deepEqual(found.body, response)
  }
  const body = fields && { fee_account_id, ...fields }
  return { token, account_id, verifyEffect, ...(body && { body }) }
}

/** Prepares a change of an existing object of the owner's account. */
function change(
  noun: 'transaction' | 'payment' | 'subscription' | 'dispute',
  create: CreateObject,
  { by = 'owner', body }: { by?: 'owner' | 'admin'; body?: unknown } = {},
): Recipe['prepare'] {
  return async (world): Promise<PreparedRequest> => {
    const owner = await world.owner()
    const { id } = await create(world, owner)
    const { token } = by === 'owner' ? owner : await world.admin()
    return {
      params: { [`${noun}_id`]: id },
      token,
      body,
      verifyEffect: world.readsSame(`/v1/${noun}s/{id}`, token),
    }
  }
}

const return_origin = { origin: 'https://shop.example' }

async function hasOrigins(world: World, token: string, origins: object[]): Promise<void> {
  const found = await world.call('GET', '/v1/account/return_origins', { token })
  assert.deepEqual(found.body.data, origins)
}

function readsBranding(world: World, token: string) {
  return async (response: Record<string, unknown>): Promise<void> => {
    const found = await world.call('GET', '/v1/account/branding', { token })
    assert.deepEqual(found.body, response)
  }
}

async function bankDetails(world: World) {
  const { account_id } = await world.people.owner()
  const { token } = await world.admin()
  const headers = { 'florin-account': account_id }
  const verifyEffect = async (response: Record<string, unknown>): Promise<void> => {
    const found = await world.call('GET', '/v1/account/bank_details', { token, headers })
    assert.deepEqual(found.body, response)
  }
  return { token, headers, verifyEffect }
}

function readsLink(world: World, token: string) {
  return async (response: { id: string }): Promise<void> => {
    const found = await world.call('GET', `/v1/payment_links/${response.id}`, { token })
    assert.deepEqual(found.body, response)
  }
}

export const moneyRecipes: Recipe[] = [
  {
    operation: 'createTransaction',
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const body = { account_id, amount: 700, currency: 'USD', type: 'payment' }
      return { token, body, verifyEffect: world.readsSame('/v1/transactions/{id}', token) }
    },
  },
  {
    operation: 'createTransaction',
    variant: 'as a refund of a payment, by an API key',
    async prepare(world) {
      const owner = await world.owner()
      const { token: admin_token } = await world.admin()
      const paid = await newTransaction(world, owner)
      const body = { outcome: 'succeeded' }
      await world.create(`/v1/transactions/${paid.id}/settle`, { token: admin_token, body })
      const { key: token } = await newKey(world, owner)
      const { account_id } = owner
      const metadata = { refund_of: paid.id }
      return {
        token,
        body: { account_id, amount: 400, currency: 'USD', type: 'refund', metadata },
        verifyEffect: world.readsSame('/v1/transactions/{id}', token),
      }
    },
  },
  {
    operation: 'createTransactions',
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const reference = world.unique()
      const item = { amount: 700, currency: 'USD', type: 'payment', reference }
      const refund = { ...item, type: 'refund', amount: 999_999_999 }
      return {
        token,
        body: { account_id, transactions: [item, refund, item], atomic: false },
        async verifyEffect({ data }) {
          const reads = world.readsSame('/v1/transactions/{id}', token)
          const created = data.flatMap((one: { transaction?: object }) => one.transaction ?? [])
          assert.equal(created.length, 2)
          for (const transaction of created) await reads(transaction)
          const found = await world.call('GET', '/v1/transactions', { token })
          const with_reference = (one: { reference: string }) => one.reference === reference
          assert.equal(found.body.data.filter(with_reference).length, 2)
        },
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
      return { token, body, verifyEffect: world.readsSame('/v1/payments/{id}', token) }
    },
  },
  {
    operation: 'updatePayment',
    async prepare(world) {
      const owner = await world.people.owner()
      const { token } = owner
      await world.create('/v1/account/return_origins', { token, body: return_origin })
      const { id } = await newPayment(world, owner)
      const body = { return_url: `${return_origin.origin}/thanks`, cancel_url: null }
      const verifyEffect = async () => {
        const found = await world.call('GET', `/v1/payments/${id}/return_urls`, { token })
        assert.deepEqual(found.body, { id, ...body })
      }
      return { params: { payment_id: id }, token, body, verifyEffect }
    },
  },
  {
    operation: 'addReturnOrigin',
    async prepare(world) {
      const { token } = await world.people.owner()
      const verifyEffect = async () => hasOrigins(world, token, [return_origin])
      return { token, body: return_origin, verifyEffect }
    },
  },
  {
    operation: 'deleteReturnOrigin',
    async prepare(world) {
      const { token } = await world.people.owner()
      await world.create('/v1/account/return_origins', { token, body: return_origin })
      const verifyEffect = async () => hasOrigins(world, token, [])
      return { token, query: `?origin=${return_origin.origin}`, verifyEffect }
    },
  },
  {
    operation: 'updateBranding',
    async prepare(world) {
      const { token } = await world.people.owner()
      const body = { statement_name: 'ACME LTD' }
      return { token, body, verifyEffect: readsBranding(world, token) }
    },
  },
  {
    operation: 'setLogo',
    async prepare(world) {
      const { token } = await world.people.owner()
      const body = { image: png(8, 8).toString('base64') }
      return { token, body, verifyEffect: readsBranding(world, token) }
    },
  },
  {
    operation: 'deleteLogo',
    async prepare(world) {
      const { token } = await world.people.owner()
      const body = { image: png(8, 8).toString('base64') }
      const sent = await world.call('POST', '/v1/account/logo', { token, body })
      assert.equal(sent.status, 200)
      return { token, verifyEffect: readsBranding(world, token) }
    },
  },
  {
    operation: 'setBankDetails',
    async prepare(world) {
      const body = { name: 'Acme GmbH', iban: 'DE89370400440532013000' }
      return { ...(await bankDetails(world)), body }
    },
  },
  {
    operation: 'deleteBankDetails',
    async prepare(world) {
      const prepared = await bankDetails(world)
      const { token, headers } = prepared
      const body = { name: 'Acme GmbH', iban: 'DE89370400440532013000' }
      const sent = await world.call('POST', '/v1/account/bank_details', { token, headers, body })
      assert.equal(sent.status, 200)
      return prepared
    },
  },
  {
    operation: 'createPaymentRequest',
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const customer_email = `${world.unique()}@example.com`
      const body = { account_id, amount: 990, currency: 'USD', customer_email, message: 'Hi!' }
      return { token, body, verifyEffect: world.readsSame('/v1/payment_requests/{id}', token) }
    },
  },
  {
    operation: 'createPaymentLink',
    async prepare(world) {
      const { token } = await world.owner()
      const body = { title: 'Pottery class', amount: 7_500 }
      return { token, body, verifyEffect: readsLink(world, token) }
    },
  },
  {
    operation: 'updatePaymentLink',
    async prepare(world) {
      const { token } = await world.owner()
      const fields = { title: 'Pottery class', amount: 7_500 }
      const { id } = await world.create('/v1/payment_links', { token, body: fields })
      const params = { payment_link_id: id }
      return { params, token, body: { active: false }, verifyEffect: readsLink(world, token) }
    },
  },
  {
    operation: 'eraseCustomer',
    multi_step: 'The logs of the account are rewritten in slices before the account is locked.',
    early_steps: true,
    async prepare(world) {
      // The first erasure of an instance creates its key; all others have the same effect.
      await getErasureKey(world.db, randomBytes(32))
      const { token, account_id } = await world.people.owner()
      const confirm_email = `${world.unique()}@example.com`
      const fields = { account_id, amount: 990, currency: 'USD', customer_email: confirm_email }
      const { id: payment_id } = await world.create('/v1/payments', { token, body: fields })
      await world.create(`/v1/payments/${payment_id}/cancel`, { token })
      const customers = await world.call('GET', '/v1/customers', { token })
      const { id } = customers.body.data[0]
      const verifyEffect = async (response: { email: string }) => {
        const found = await world.call('GET', `/v1/payments/${payment_id}`, { token })
        assert.equal(found.body.customer_email, response.email)
        assert.notEqual(response.email, confirm_email)
        const events = await world.call('GET', '/v1/events?limit=100', { token })
        assert.ok(events.text.includes(response.email) && !events.text.includes(confirm_email))
      }
      return { params: { customer_id: id }, token, body: { confirm_email }, verifyEffect }
    },
  },
  { operation: 'cancelPayment', prepare: change('payment', newPayment) },
  { operation: 'sendPayment', prepare: change('payment', newPayment) },
  {
    operation: 'settlePayment',
    prepare: change('payment', newPayment, { by: 'admin', body: { outcome: 'succeeded' } }),
  },
  {
    operation: 'resolveDispute',
    prepare: change('dispute', newDispute, { body: { status: 'won' } }),
  },
  {
    operation: 'createTransfer',
    async prepare(world) {
      const source = await world.owner()
      const { id } = await newDispute(world, source)
      const { token } = source
      await world.call('POST', `/v1/disputes/${id}/resolve`, { token, body: { status: 'won' } })
      const { account_id: to_account_id } = await world.people.owner()
      const body = { to_account_id, amount: 100, currency: 'USD' }
      return { token, body, verifyEffect: world.readsSame('/v1/transfers/{id}', token) }
    },
  },
  {
    operation: 'setTransferFee',
    prepare: async (world) => changesFee(world, { basis_points: 150 }),
  },
  { operation: 'deleteTransferFee', prepare: async (world) => changesFee(world) },
  {
    operation: 'createSubscription',
    async prepare(world) {
      const { token } = await world.owner()
      const customer_email = `${world.unique()}@example.com`
      const body = { amount: 500, currency: 'USD', interval: 'month', customer_email }
      return { token, body, verifyEffect: world.readsSame('/v1/subscriptions/{id}', token) }
    },
  },
  {
    operation: 'updateSubscription',
    prepare: change('subscription', newSubscription, { body: { status: 'paused' } }),
  },
  { operation: 'cancelSubscription', prepare: change('subscription', newSubscription) },
  {
    operation: 'advanceClock',
    multi_step: 'The clock moves first; each change that became due is a separate transaction.',
    async prepare(world) {
      const { token } = await world.admin()
      // Settles what earlier cells left, so that each run settles exactly one transaction.
      const body = { seconds: 31 }
      await world.create('/v1/sandbox/clock/advance', { token, body })
      const { id } = await newTransaction(world, await world.owner())
      const verifyEffect = async () => {
        const found = await world.call('GET', `/v1/transactions/${id}`, { token })
        assert.equal(found.body.status, 'succeeded')
      }
      return { token, body, verifyEffect }
    },
  },
]

function newKey(world: World, { token }: Owner): Promise<{ key: string }> {
  const scopes = ['transactions:write', 'transactions:read']
  return world.create('/v1/api_keys', { token, body: { name: 'Shop', scopes } })
}

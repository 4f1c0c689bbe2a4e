// Transactions, payment requests and subscriptions: the daily work of shops and customers.

import { randomUUID } from 'node:crypto'
import { expectStatus, type Operation } from './operation.ts'
import type { Shop, SoakWorld } from './soak-world.ts'

async function create(world: SoakWorld, shop: Shop, fields: object, expected: number[]) {
  const body = {
    account_id: shop.account_id,
    currency: 'USD',
    metadata: { run: 'soak' },
    ...fields,
  }
  const key = randomUUID()
  const response = await world.client.request('POST', '/v1/transactions', {
    token: shop.key,
    key,
    body,
  })
  if (response.status === 201) {
    world.transactions.add({ shop, id: response.json.id })
    world.sent.add({ shop, key, body, text: response.text })
  }
  return expectStatus(response, expected)
}

export const moneyOperations: Record<string, Operation> = {
  pay_in: {
    weight: 260,
    run: (world) =>
      create(
        world,
        world.shop(),
        { type: 'payment', amount: 1_000 + world.random.below(9_000) },
        [201],
      ),
  },
  credit: {
    weight: 30,
    run: (world) => create(world, world.shop(), { type: 'credit', amount: 500 }, [201]),
  },
  pay_out: {
    weight: 50,
    run: (world) => create(world, world.shop(), { type: 'refund', amount: 900 }, [201, 402]),
  },
  rejected_refund: {
    weight: 10,
    run: (world) => create(world, world.shop(), { type: 'refund', amount: 999_999_999_999 }, [402]),
  },
  cancel: {
    weight: 50,
    run: async ({ client, transactions, random }) => {
      const target = transactions.pick(random)
      if (target === undefined) return undefined
      const path = `/v1/transactions/${target.id}`
      return expectStatus(
        await client.request('DELETE', path, { token: target.shop.key }),
        [200, 409],
      )
    },
  },
  patch: {
    weight: 30,
    run: async ({ client, transactions, random }) => {
      const target = transactions.pick(random)
      if (target === undefined) return undefined
      const body = { metadata: { note: `seen ${random.below(1_000)}` } }
      const path = `/v1/transactions/${target.id}`
      return expectStatus(
        await client.request('PATCH', path, { token: target.shop.key, body }),
        [200],
      )
    },
  },
  settle: {
    weight: 15,
    run: async (world) => {
      const target = world.transactions.pick(world.random)
      if (target === undefined) return undefined
      const path = `/v1/transactions/${target.id}/settle`
      const options = { token: await world.admin(), body: { outcome: 'succeeded' } }
      return expectStatus(await world.client.request('POST', path, options), [200, 409])
    },
  },
  replay: {
    weight: 60,
    run: async ({ client, sent, random }) => {
      const original = sent.pick(random)
      if (original === undefined) return undefined
      const { shop, key, body } = original
      const response = await client.request('POST', '/v1/transactions', {
        token: shop.key,
        key,
        body,
      })
      if (response.status === 201 && response.text !== original.text)
        return 'the response to the same key differs'
      // If two requests with one key run at the same time, the second gets 409.
      return expectStatus(response, [201, 409])
    },
  },
  rejected_key_reuse: {
    weight: 5,
    run: async ({ client, sent, random }) => {
      const original = sent.pick(random)
      if (original === undefined) return undefined
      const body = { ...original.body, amount: 1 }
      const options = { token: original.shop.key, key: original.key, body }
      return expectStatus(await client.request('POST', '/v1/transactions', options), [409, 422])
    },
  },
  create_payment: {
    weight: 40,
    run: async (world) => {
      const shop = world.shop()
      const body = {
        account_id: shop.account_id,
        amount: 2_500,
        currency: 'USD',
        customer_email: `customer-${world.nextNumber()}@example.com`,
        reference: 'Soak',
      }
      const response = await world.client.request('POST', '/v1/payments', { token: shop.key, body })
      if (response.status === 201) {
        const path = new URL(response.json.payment_url).pathname
        world.payments.add({ shop, id: response.json.id, path })
        world.unpaid.add({ shop, id: response.json.id, path })
      }
      return expectStatus(response, [201])
    },
  },
  payment_page: {
    weight: 40,
    run: async ({ client, payments, random }) => {
      const payment = payments.pick(random)
      return payment && expectStatus(await client.request('GET', payment.path), [200])
    },
  },
  pay_page: {
    weight: 30,
    run: async ({ client, unpaid, random }) => {
      const payment = unpaid.take()
      if (payment === undefined) return undefined
      // One card in ten is declined, and the page shows an error.
      const number = random.chance(0.1) ? '4000 0000 0000 0002' : '4242 4242 4242 4242'
      const form = { number, expires: '12 / 80', csc: '123' }
      return expectStatus(await client.request('POST', payment.path, { form }), [200, 302, 303])
    },
  },
  subscribe: {
    weight: 3,
    run: async (world) => {
      const shop = world.shop()
      const customer_email = `customer-${world.nextNumber()}@example.com`
      const body = { customer_email, amount: 900, currency: 'USD', interval: 'day' }
      const response = await world.client.request('POST', '/v1/subscriptions', {
        token: shop.key,
        body,
      })
      if (response.status === 201) world.subscriptions.add({ shop, id: response.json.id })
      return expectStatus(response, [201])
    },
  },
  unsubscribe: {
    weight: 3,
    run: async ({ client, subscriptions }) => {
      const target = subscriptions.size < 30 ? undefined : subscriptions.take()
      if (target === undefined) return undefined
      const path = `/v1/subscriptions/${target.id}`
      return expectStatus(await client.request('DELETE', path, { token: target.shop.key }), [200])
    },
  },
}

// Money: what shops and their customers do all day.

import { randomUUID } from 'node:crypto'
import { type Operation, one } from './operation.ts'
import type { Shop, SoakWorld } from './soak-world.ts'

async function create(world: SoakWorld, shop: Shop, fields: object, good: number[]) {
  const body = {
    account_id: shop.account_id,
    currency: 'USD',
    metadata: { run: 'soak' },
    ...fields,
  }
  const key = randomUUID()
  const response = await world.client.ask('POST', '/v1/transactions', {
    token: shop.key,
    key,
    body,
  })
  if (response.status === 201) {
    world.transactions.add({ shop, id: response.json.id })
    world.sent.add({ shop, key, body, text: response.text })
  }
  return one(response, good)
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
  refuse_402: {
    weight: 10,
    run: (world) => create(world, world.shop(), { type: 'refund', amount: 999_999_999_999 }, [402]),
  },
  cancel: {
    weight: 50,
    run: async ({ client, transactions, random }) => {
      const made = transactions.pick(random)
      if (made === undefined) return undefined
      const path = `/v1/transactions/${made.id}`
      return one(await client.ask('DELETE', path, { token: made.shop.key }), [200, 409])
    },
  },
  patch: {
    weight: 30,
    run: async ({ client, transactions, random }) => {
      const made = transactions.pick(random)
      if (made === undefined) return undefined
      const body = { metadata: { note: `seen ${random.below(1_000)}` } }
      const path = `/v1/transactions/${made.id}`
      return one(await client.ask('PATCH', path, { token: made.shop.key, body }), [200])
    },
  },
  settle: {
    weight: 15,
    run: async (world) => {
      const made = world.transactions.pick(world.random)
      if (made === undefined) return undefined
      const path = `/v1/transactions/${made.id}/settle`
      const asked = { token: await world.admin(), body: { outcome: 'succeeded' } }
      return one(await world.client.ask('POST', path, asked), [200, 409])
    },
  },
  replay: {
    weight: 60,
    run: async ({ client, sent, random }) => {
      const again = sent.pick(random)
      if (again === undefined) return undefined
      const { shop, key, body } = again
      const response = await client.ask('POST', '/v1/transactions', { token: shop.key, key, body })
      if (response.status === 201 && response.text !== again.text)
        return 'another answer to the same key'
      // Two at once of one key: the second is asked to come back.
      return one(response, [201, 409])
    },
  },
  refuse_key: {
    weight: 5,
    run: async ({ client, sent, random }) => {
      const again = sent.pick(random)
      if (again === undefined) return undefined
      const body = { ...again.body, amount: 1 }
      const asked = { token: again.shop.key, key: again.key, body }
      return one(await client.ask('POST', '/v1/transactions', asked), [409, 422])
    },
  },
  ask_payment: {
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
      const response = await world.client.ask('POST', '/v1/payments', { token: shop.key, body })
      if (response.status === 201) {
        const path = new URL(response.json.payment_url).pathname
        world.payments.add({ shop, id: response.json.id, path })
        world.unpaid.add({ shop, id: response.json.id, path })
      }
      return one(response, [201])
    },
  },
  payment_page: {
    weight: 40,
    run: async ({ client, payments, random }) => {
      const asked = payments.pick(random)
      return asked && one(await client.ask('GET', asked.path), [200])
    },
  },
  pay_page: {
    weight: 30,
    run: async ({ client, unpaid, random }) => {
      const asked = unpaid.take()
      if (asked === undefined) return undefined
      // One in ten has a card that is declined, and the page says so.
      const number = random.chance(0.1) ? '4000 0000 0000 0002' : '4242 4242 4242 4242'
      const form = { number, expires: '12 / 80', csc: '123' }
      return one(await client.ask('POST', asked.path, { form }), [200, 302, 303])
    },
  },
  subscribe: {
    weight: 3,
    run: async (world) => {
      const shop = world.shop()
      const customer_email = `customer-${world.nextNumber()}@example.com`
      const body = { customer_email, amount: 900, currency: 'USD', interval: 'day' }
      const response = await world.client.ask('POST', '/v1/subscriptions', {
        token: shop.key,
        body,
      })
      if (response.status === 201) world.subscriptions.add({ shop, id: response.json.id })
      return one(response, [201])
    },
  },
  unsubscribe: {
    weight: 3,
    run: async ({ client, subscriptions }) => {
      const made = subscriptions.size < 30 ? undefined : subscriptions.take()
      if (made === undefined) return undefined
      const path = `/v1/subscriptions/${made.id}`
      return one(await client.ask('DELETE', path, { token: made.shop.key }), [200])
    },
  },
}

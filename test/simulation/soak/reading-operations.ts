// Reads, and requests that are rejected.

import { expectStatus, type Operation } from './operation.ts'

function read(weight: number, path: string): Operation {
  return {
    weight,
    run: async (world) =>
      expectStatus(await world.client.request('GET', path, { token: world.shop().key }), [200]),
  }
}

function readAsAdmin(weight: number, path: string): Operation {
  return {
    weight,
    run: async (world) =>
      expectStatus(await world.client.request('GET', path, { token: await world.admin() }), [200]),
  }
}

export const readingOperations: Record<string, Operation> = {
  get_transaction: {
    weight: 100,
    run: async ({ client, transactions, random }) => {
      const target = transactions.pick(random)
      const path = `/v1/transactions/${target?.id}`
      return (
        target && expectStatus(await client.request('GET', path, { token: target.shop.key }), [200])
      )
    },
  },
  get_payment: {
    weight: 20,
    run: async ({ client, payments, random }) => {
      const target = payments.pick(random)
      const path = `/v1/payments/${target?.id}/status`
      return (
        target && expectStatus(await client.request('GET', path, { token: target.shop.key }), [200])
      )
    },
  },
  list_transactions: read(40, '/v1/transactions?limit=20'),
  list_succeeded: read(10, '/v1/transactions?status=succeeded&limit=20'),
  list_payments: read(10, '/v1/payments?limit=20'),
  list_subscriptions: read(5, '/v1/subscriptions?limit=20'),
  list_events: read(10, '/v1/events?limit=20'),
  request_logs: read(5, '/v1/request_logs?limit=20'),
  account: read(20, '/v1/account'),
  balance: read(40, '/v1/account/balance'),
  statement: read(1, '/v1/account/statement?limit=20'),
  volume: read(2, '/v1/account/volume'),
  attention: read(2, '/v1/account/attention'),
  audit_log: readAsAdmin(2, '/v1/audit_log?limit=20'),
  list_accounts: readAsAdmin(2, '/v1/accounts?limit=20'),
  rejected_token: {
    weight: 15,
    run: async ({ client }) =>
      expectStatus(
        await client.request('GET', '/v1/account', { token: `fat_${'x'.repeat(43)}` }),
        [401],
      ),
  },
  rejected_body: {
    weight: 15,
    run: async (world) => {
      const { key: token } = world.shop()
      const body = { amount: -1, nonsense: true }
      return expectStatus(
        await world.client.request('POST', '/v1/transactions', { token, body }),
        [400],
      )
    },
  },
  rejected_foreign_id: {
    weight: 10,
    run: async (world) => {
      const target = world.transactions.pick(world.random)
      if (target === undefined) return undefined
      const other = world.shops.find((shop) => shop !== target.shop)!
      const path = `/v1/transactions/${target.id}`
      return expectStatus(await world.client.request('GET', path, { token: other.key }), [404])
    },
  },
  rejected_path: {
    weight: 5,
    run: async ({ client }) => expectStatus(await client.request('GET', '/v1/nowhere'), [404]),
  },
}

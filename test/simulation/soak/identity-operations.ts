// Who comes and goes: sessions, keys and the dashboard.

import { type Operation, one } from './operation.ts'

const session_path = '/dashboard/api/session'

export const identityOperations: Record<string, Operation> = {
  log_in: {
    weight: 3,
    run: async (world) => {
      const { email, password } = world.shop()
      const response = await world.client.ask('POST', '/v1/auth/login', {
        body: { email, password },
      })
      if (response.status === 200) world.sessions.add(response.json)
      return one(response, [200])
    },
  },
  wrong_password: {
    weight: 1,
    run: async (world) => {
      const body = { email: `nobody-${world.nextNumber()}@example.com`, password: 'a wrong one' }
      return one(
        await world.client.requestAsStranger('POST', '/v1/auth/login', { body }),
        [401, 429],
      )
    },
  },
  refresh: {
    weight: 10,
    run: async ({ client, sessions }) => {
      const session = sessions.take()
      if (session === undefined) return undefined
      const body = { refresh_token: session.refresh_token }
      const response = await client.ask('POST', '/v1/auth/refresh', { body })
      if (response.status === 200) sessions.add(response.json)
      return one(response, [200])
    },
  },
  use_session: {
    weight: 30,
    run: async ({ client, sessions, random }) => {
      const session = sessions.pick(random)
      if (session === undefined) return undefined
      const response = await client.ask('GET', '/v1/account', { token: session.access_token })
      // It may have been logged out of since it was picked.
      return one(response, [200, 401])
    },
  },
  list_deliveries: {
    weight: 5,
    run: async ({ client, sessions, random }) => {
      const token = sessions.pick(random)?.access_token
      if (token === undefined) return undefined
      return one(await client.ask('GET', '/v1/webhook_deliveries?limit=20', { token }), [200, 401])
    },
  },
  log_out: {
    weight: 3,
    run: async ({ client, sessions }) => {
      const session = sessions.size < 20 ? undefined : sessions.take()
      if (session === undefined) return undefined
      const asked = { token: session.access_token }
      return one(await client.ask('DELETE', '/v1/auth/session', asked), [200])
    },
  },
  key_life: {
    weight: 3,
    run: async ({ client, sessions }) => {
      const session = sessions.take()
      if (session === undefined) return undefined
      sessions.add(session)
      const token = session.access_token
      const body = { name: 'For a moment', scopes: ['transactions:read'] }
      const made = await client.ask('POST', '/v1/api_keys', { token, body })
      // The session may be ended or renewed at any moment; then there is nothing to go on with.
      if (made.status === 401) return undefined
      if (made.status !== 201) return one(made, [201])
      const list = '/v1/transactions?limit=1'
      const used = await client.ask('GET', list, { token: made.json.key })
      if (used.status !== 200) return one(used, [200])
      const ended = await client.ask('DELETE', `/v1/api_keys/${made.json.id}`, { token })
      if (ended.status === 401) return undefined
      if (ended.status !== 200) return one(ended, [200])
      return one(await client.ask('GET', list, { token: made.json.key }), [401])
    },
  },
  dashboard_in: {
    weight: 1,
    run: async (world) => {
      const { email, password } = world.shop()
      const asked = { cookie: 'none=none', body: { email, password } }
      const response = await world.client.ask('POST', session_path, asked)
      const cookie = String(response.headers['set-cookie'] ?? '').split(';')[0]!
      if (response.status === 200) world.dashboards.add(cookie)
      return one(response, [200])
    },
  },
  dashboard_read: {
    weight: 20,
    run: async ({ client, dashboards, random }) => {
      const cookie = dashboards.pick(random)
      if (cookie === undefined) return undefined
      const path = random.pick(['/session', '/v1/account', '/v1/transactions?limit=10'])
      return one(await client.ask('GET', `/dashboard/api${path}`, { cookie }), [200, 401])
    },
  },
  dashboard_out: {
    weight: 1,
    run: async ({ client, dashboards }) => {
      const cookie = dashboards.size < 10 ? undefined : dashboards.take()
      if (cookie === undefined) return undefined
      return one(await client.ask('DELETE', session_path, { cookie, body: {} }), [200])
    },
  },
}

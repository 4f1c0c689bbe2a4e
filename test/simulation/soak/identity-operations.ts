// Sessions, API keys and dashboard logins.

import { expectStatus, type Operation } from './operation.ts'

const session_path = '/dashboard/api/session'

export const identityOperations: Record<string, Operation> = {
  log_in: {
    weight: 3,
    run: async (world) => {
      const { email, password } = world.shop()
      const response = await world.client.request('POST', '/v1/auth/login', {
        body: { email, password },
      })
      if (response.status === 200) world.sessions.add(response.json)
      return expectStatus(response, [200])
    },
  },
  wrong_password: {
    weight: 1,
    run: async (world) => {
      const body = {
        email: `unknown-${world.nextNumber()}@example.com`,
        password: 'a wrong password',
      }
      return expectStatus(
        await world.client.requestFromOtherAddress('POST', '/v1/auth/login', { body }),
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
      const response = await client.request('POST', '/v1/auth/refresh', { body })
      if (response.status === 200) sessions.add(response.json)
      return expectStatus(response, [200])
    },
  },
  use_session: {
    weight: 30,
    run: async ({ client, sessions, random }) => {
      const session = sessions.pick(random)
      if (session === undefined) return undefined
      const response = await client.request('GET', '/v1/account', { token: session.access_token })
      // Another operation may have ended the session since it was picked.
      return expectStatus(response, [200, 401])
    },
  },
  list_deliveries: {
    weight: 5,
    run: async ({ client, sessions, random }) => {
      const token = sessions.pick(random)?.access_token
      if (token === undefined) return undefined
      return expectStatus(
        await client.request('GET', '/v1/webhook_deliveries?limit=20', { token }),
        [200, 401],
      )
    },
  },
  log_out: {
    weight: 3,
    run: async ({ client, sessions }) => {
      const session = sessions.size < 20 ? undefined : sessions.take()
      if (session === undefined) return undefined
      return expectStatus(
        await client.request('DELETE', '/v1/auth/session', { token: session.access_token }),
        [200],
      )
    },
  },
  create_and_revoke_key: {
    weight: 3,
    run: async ({ client, sessions }) => {
      const session = sessions.take()
      if (session === undefined) return undefined
      sessions.add(session)
      const token = session.access_token
      const body = { name: 'Temporary', scopes: ['transactions:read'] }
      const created = await client.request('POST', '/v1/api_keys', { token, body })
      // Another operation may end the session at any time. Then this one cannot continue.
      if (created.status === 401) return undefined
      if (created.status !== 201) return expectStatus(created, [201])
      const list = '/v1/transactions?limit=1'
      const used = await client.request('GET', list, { token: created.json.key })
      if (used.status !== 200) return expectStatus(used, [200])
      const revoked = await client.request('DELETE', `/v1/api_keys/${created.json.id}`, { token })
      if (revoked.status === 401) return undefined
      if (revoked.status !== 200) return expectStatus(revoked, [200])
      return expectStatus(await client.request('GET', list, { token: created.json.key }), [401])
    },
  },
  dashboard_log_in: {
    weight: 1,
    run: async (world) => {
      const { email, password } = world.shop()
      const options = { cookie: 'none=none', body: { email, password } }
      const response = await world.client.request('POST', session_path, options)
      const cookie = String(response.headers['set-cookie'] ?? '').split(';')[0]!
      if (response.status === 200) world.dashboards.add(cookie)
      return expectStatus(response, [200])
    },
  },
  dashboard_read: {
    weight: 20,
    run: async ({ client, dashboards, random }) => {
      const cookie = dashboards.pick(random)
      if (cookie === undefined) return undefined
      const path = random.pick(['/session', '/v1/account', '/v1/transactions?limit=10'])
      return expectStatus(
        await client.request('GET', `/dashboard/api${path}`, { cookie }),
        [200, 401],
      )
    },
  },
  dashboard_log_out: {
    weight: 1,
    run: async ({ client, dashboards }) => {
      const cookie = dashboards.size < 10 ? undefined : dashboards.take()
      if (cookie === undefined) return undefined
      return expectStatus(await client.request('DELETE', session_path, { cookie, body: {} }), [200])
    },
  },
}

// How the dashboard logs in with a passkey, and how its user confirms a login for a change with
// step-up. Both set or use the cookie; no token reaches the browser.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { storeAsCookie } from '../../dashboard/cookie-session.ts'
import { passkeyLoginOptions } from '../../identity/factors/passkeys.ts'
import { confirmLogin } from '../../identity/login/confirm-login.ts'
import { logInWithPasskey } from '../../identity/login/login.ts'
import type { Origin } from '../../identity/sessions/open-session.ts'
import { invalidToken } from '../../identity/sessions/require-live-token.ts'
import { rateLimitAddress } from '../client-address.ts'
import { setCookie } from '../dashboard-edge.ts'
import { isWanted } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import { factorCode, passkeyCredential } from '../schemas/factor.ts'
import { strictObject, withoutBody } from '../schemas/resources.ts'
import { dashboardSession, findCookieCaller } from './dashboard.ts'

/** A passkey's response is longer than a password. */
const session = { ...dashboardSession, method: 'POST', bodyLimit: body_max_bytes.lists } as const

/** For a login and for a confirmation. */
export const dashboardPasskeyOptionsRoute = page({
  ...session,
  url: '/dashboard/api/session/passkey_options',
  schema: { body: withoutBody },
  handler: async (_, { db, passkey_site }) => ({
    public_key: await passkeyLoginOptions(db, passkey_site),
  }),
})

export const dashboardPasskeyLoginRoute = page({
  ...session,
  url: '/dashboard/api/session/passkey',
  schema: { body: strictObject({ credential: passkeyCredential }) },
  handler: async (request, { db, passkey_site, public_url }, reply) => {
    const { credential } = request.body
    const tokens = await logInWithPasskey(db, passkey_site, credential, originOf(request, reply))
    setCookie(reply, await storeAsCookie(db, tokens), public_url)
    return { message: 'You are logged in.' }
  },
})

export const dashboardConfirmRoute = page({
  ...session,
  url: '/dashboard/api/session/confirm',
  schema: {
    body: strictObject({
      password: Type.Optional(Type.String({ format: 'line', minLength: 1, 'x-secret': true })),
      code: Type.Optional(factorCode),
      credential: Type.Optional(passkeyCredential),
    }),
  },
  handler: async (request, context, reply) => {
    const caller = await findCookieCaller(context, request)
    if (caller === undefined) throw invalidToken()
    await confirmLogin(context, caller, request.body, originOf(request, reply))
    return { message: 'Your login is confirmed.' }
  },
})

export const dashboardLoginRoutes = [
  dashboardPasskeyOptionsRoute,
  dashboardPasskeyLoginRoute,
  dashboardConfirmRoute,
]

function originOf(request: FastifyRequest, reply: FastifyReply): Origin {
  return {
    address: rateLimitAddress(request.ip),
    user_agent: request.headers['user-agent'],
    isWanted: () => isWanted(request, reply),
  }
}

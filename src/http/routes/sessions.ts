import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { logIn } from '../../identity/login/login.ts'
import { refreshLogin } from '../../identity/login/refresh-login.ts'
import { endSession } from '../../identity/sessions/end-session.ts'
import { listSessions } from '../../identity/sessions/list-sessions.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { preferredLanguage } from '../../translations/localization.ts'
import { findBearer } from '../admission.ts'
import { rateLimitAddress } from '../client-address.ts'
import { isWanted } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import { factorCode } from '../schemas/factor.ts'
import {
  cursorList,
  cursorQuery,
  exampleToken,
  fields,
  idOf,
  messageOf,
  nullable,
  strictObject,
  tokenFields,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Sessions']

export const loginResult = Type.Object({
  ...tokenFields,
  user: Type.Object({
    id: idOf('usr', 'The id of the user.'),
    email: Type.String({
      description: 'The email address used to log in.',
      examples: ['ann@example.com'],
    }),
    name: nullable({
      description: 'The name of the user, or null.',
      examples: ['Ann Example'],
    }),
  }),
})

export const logInRoute = route({
  method: 'POST',
  url: '/v1/auth/login',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never' },
  schema: {
    tags,
    operationId: 'logIn',
    summary: 'Log in',
    description:
      'Exchanges an email and a password for an access token and a refresh token. Ten wrong ' +
      'passwords for one email from one address lock that combination for 15 minutes. If the ' +
      'user has two-factor authentication, a password alone is 401 with ' +
      '`WWW-Authenticate: Bearer error="insufficient_user_authentication"`; add `code`.',
    security: [],
    body: strictObject({
      email: fields.email,
      password: Type.String({
        format: 'line',
        minLength: 1,
        description: 'The password.',
        examples: ['correct horse battery'],
        'x-secret': true,
      }),
      code: Type.Optional(factorCode),
    }),
  },
  success: [200, 'The tokens of the new session.', loginResult],
  refusals: [
    ['invalid_request', 'A field is missing or malformed.'],
    ['invalid_credentials', 'The email or password is incorrect.'],
    [
      'unauthorized',
      'The user is suspended or pending, `code` is missing or wrong, or an API key was sent.',
    ],
  ],
  beforeBody: rejectApiKeys,
  handler: (request, { db, secret_keys }, reply) =>
    logIn(db, secret_keys, request.body, {
      address: rateLimitAddress(request.ip),
      user_agent: request.headers['user-agent'],
      language: preferredLanguage(request.headers['accept-language']),
      isWanted: () => isWanted(request, reply),
    }),
})

export const refreshRoute = route({
  method: 'POST',
  url: '/v1/auth/refresh',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never' },
  body_optional: true,
  schema: {
    tags,
    operationId: 'refresh',
    summary: 'Refresh tokens',
    description:
      'Send the refresh token in the Authorization header, in the body, or in both. It can ' +
      'be used once. A second use ends the session.',
    security: [{ refresh_token: [] }, {}],
    body: strictObject({
      refresh_token: Type.Optional(
        Type.String({
          minLength: 1,
          format: 'line',
          maxLength: 1_000,
          description: 'The refresh token, unless it is in the header.',
          examples: [exampleToken('frt')],
          'x-secret': true,
        }),
      ),
    }),
  },
  success: [200, 'A new pair of tokens.', Type.Object(tokenFields)],
  refusals: [
    ['invalid_request', 'The header and the body have different tokens, or a field is malformed.'],
    ['invalid_grant', 'The refresh token is expired, revoked, already used or unknown.'],
    ['unauthorized', 'The refresh token is missing. Send it as "refresh_token".'],
  ],
  beforeBody: rejectApiKeys,
  handler: (request, { db }) =>
    refreshLogin(db, chooseToken(findBearer(request, badHeader), request.body.refresh_token)),
})

export const endSessionRoute = route({
  method: 'DELETE',
  url: '/v1/auth/session',
  bodyLimit: body_max_bytes.login,
  access: { token: 'required', operation: 'manage_own_sessions' },
  body_optional: true,
  schema: {
    tags,
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Ends the current session, or another one of your sessions by its id.',
    body: strictObject({
      session_id: Type.Optional(
        idOf('ses', 'The session to end. Defaults to the current session.'),
      ),
    }),
  },
  success: [
    200,
    'The session has ended, and all of its tokens have been revoked.',
    Type.Object({
      message: messageOf('The session has ended.'),
      session_id: idOf('ses', 'The session that ended.'),
    }),
  ],
  refusals: [
    ['invalid_request', 'A field is malformed or unknown.'],
    refused.noToken,
    ['invalid_session', 'You have no active session with this id.'],
  ],
  handler: ({ caller, body }, { db }) => endSession(db, caller, body.session_id),
})

export const listSessionsRoute = route({
  method: 'GET',
  url: '/v1/auth/sessions',
  access: { token: 'required', operation: 'manage_own_sessions' },
  schema: {
    tags,
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Returns your active sessions, newest first.',
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of sessions.', cursorList('Session')],
  refusals: [refused.badCursor, refused.noToken],
  handler: ({ caller, query }, { db }) => listSessions(db, caller, query),
})

export const sessionRoutes = [logInRoute, refreshRoute, endSessionRoute, listSessionsRoute]

/** An API key does not belong to a user, so it cannot log in or refresh tokens. */
export function rejectApiKeys({ headers }: FastifyRequest): void {
  if (!/^bearer +sk_/i.test(headers.authorization ?? '')) return
  throw new Refusal(
    'unauthorized',
    'API keys have no sessions. Send the request without an API key.',
  )
}

// Not invalidToken: a refresh token belongs in this header, and it may be valid.
function badHeader(): Refusal {
  return new Refusal(
    'unauthorized',
    'The Authorization header is malformed. Send it once, in the form "Bearer <token>".',
  )
}

function chooseToken(in_header: string | undefined, in_body: string | undefined): string {
  const token = in_header ?? in_body
  if (token === undefined) {
    const message = 'The refresh token is missing. Send it as "refresh_token" or in the header.'
    throw new Refusal('unauthorized', message)
  }
  if (in_body === undefined || in_body === token) return token
  throw new Refusal(
    'invalid_request',
    '"refresh_token" must match the token in the Authorization header. Send one token.',
  )
}

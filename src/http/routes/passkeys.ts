import { Type } from 'typebox'
import { addPasskey, passkeyLoginOptions, passkeyOptions } from '../../identity/factors/passkeys.ts'
import { logInWithPasskey } from '../../identity/login/login.ts'
import { rateLimitAddress } from '../client-address.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import {
  changeAccess,
  factorName,
  notFresh,
  passkeyCredential,
  secretAccess,
  webauthnOptions,
} from '../schemas/factor.ts'
import { strictObject, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { loginResult, rejectApiKeys } from './sessions.ts'

const unavailable = ['conflict', 'FLORIN_PUBLIC_URL has an IP address instead of a name.'] as const

export const getPasskeyLoginOptionsRoute = route({
  method: 'POST',
  url: '/v1/auth/passkeys/options',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never' },
  schema: {
    tags: ['Sessions'],
    operationId: 'getPasskeyLoginOptions',
    summary: 'Start a login with a passkey',
    description:
      'Returns the options for `navigator.credentials.get()`, in the JSON form of WebAuthn. ' +
      'They are valid for 5 minutes and for one login, and do not depend on the user.',
    security: [],
    body: withoutBody,
  },
  success: [200, 'The options.', Type.Object({ public_key: webauthnOptions })],
  refusals: [refused.bodyNotEmpty, ['unauthorized', 'An API key was sent.'], unavailable],
  beforeBody: rejectApiKeys,
  handler: async (_, { db, passkey_site }) => ({
    public_key: await passkeyLoginOptions(db, passkey_site),
  }),
})

export const logInWithPasskeyRoute = route({
  method: 'POST',
  url: '/v1/auth/passkeys/verify',
  bodyLimit: body_max_bytes.lists,
  access: { token: 'never' },
  schema: {
    tags: ['Sessions'],
    operationId: 'logInWithPasskey',
    summary: 'Log in with a passkey',
    description:
      'Exchanges the response of `navigator.credentials.get()`, in the JSON form of WebAuthn, ' +
      'for tokens. A passkey verifies its user, so it needs neither a password nor a code.',
    security: [],
    body: strictObject({ credential: passkeyCredential }),
  },
  success: [200, 'The tokens of the new session.', loginResult],
  refusals: [
    ['invalid_request', 'A field is missing or malformed.'],
    ['invalid_credentials', 'The passkey is unknown, or its response is invalid or expired.'],
    ['unauthorized', 'The user is suspended or pending, or an API key was sent.'],
    unavailable,
  ],
  beforeBody: rejectApiKeys,
  handler: (request, { db, passkey_site }) =>
    logInWithPasskey(db, passkey_site, request.body.credential, {
      address: rateLimitAddress(request.ip),
      user_agent: request.headers['user-agent'],
    }),
})

export const getPasskeyOptionsRoute = route({
  method: 'POST',
  url: '/v1/user/factors/passkeys/options',
  bodyLimit: body_max_bytes.login,
  access: changeAccess,
  schema: {
    tags: ['Two-factor authentication'],
    operationId: 'getPasskeyOptions',
    summary: 'Start to add a passkey',
    description:
      'Returns the options for `navigator.credentials.create()`, in the JSON form of WebAuthn. ' +
      'They are valid for 5 minutes. Requires a login within the last 10 minutes.',
    body: withoutBody,
  },
  success: [200, 'The options.', Type.Object({ public_key: webauthnOptions })],
  refusals: [refused.bodyNotEmpty, notFresh, unavailable],
  handler: ({ caller }, { db, passkey_site }) => passkeyOptions(db, passkey_site, caller),
})

export const addPasskeyRoute = route({
  method: 'POST',
  url: '/v1/user/factors/passkeys',
  bodyLimit: body_max_bytes.lists,
  access: secretAccess,
  schema: {
    tags: ['Two-factor authentication'],
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Takes the response of `navigator.credentials.create()`, in the JSON form of WebAuthn. The ' +
      'first factor returns recovery codes and ends your other sessions.',
    body: strictObject({ name: factorName, credential: passkeyCredential }),
  },
  success: [201, 'The passkey, and recovery codes if it is the first.', Type.Ref('AddedFactor')],
  refusals: [
    ['invalid_request', 'A field is malformed, or the response is invalid or expired.'],
    notFresh,
    ['conflict', 'The passkey exists, there are 20 factors, or the host has no name.'],
  ],
  handler: ({ caller, body }, { db, passkey_site }) => addPasskey(db, passkey_site, caller, body),
})

export const passkeyRoutes = [
  getPasskeyLoginOptionsRoute,
  logInWithPasskeyRoute,
  getPasskeyOptionsRoute,
  addPasskeyRoute,
]

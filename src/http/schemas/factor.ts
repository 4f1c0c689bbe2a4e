// Schemas and access of second factors.

import { Type } from 'typebox'
import { id, nullable, oneOf, time } from './parts.ts'

export const factorCode = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: 100,
  description: 'The current code of the authenticator app, or an unused recovery code.',
  examples: ['492039'],
  'x-secret': true,
})

export const factorName = Type.Optional(
  Type.String({
    format: 'name',
    minLength: 1,
    maxLength: 100,
    description: 'A name for the factor.',
    examples: ['Phone'],
  }),
)

/** Its fields are defined by the WebAuthn standard, which the browser and the server follow. */
export const passkeyCredential = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.',
    examples: [{ id: 'kE2…', rawId: 'kE2…', type: 'public-key', response: {} }],
  },
)

export const webauthnOptions = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The options, as `parseRequestOptionsFromJSON()` and its sibling take them.',
    examples: [{ challenge: 'x3m…', rpId: 'pay.example', userVerification: 'required' }],
  },
)

export const readAccess = { token: 'required', operation: 'manage_own_factors' } as const
export const changeAccess = { ...readAccess, step_up: 'always' } as const
export const secretAccess = { ...changeAccess, secret_response: true } as const

export const notFresh = [
  'unauthorized',
  'The token is missing, invalid or of an API key, or the login is older than 10 minutes.',
] as const

const recoveryCodes = {
  description: 'Ten codes, each of which replaces a factor once. They are shown only once.',
  examples: [['k3qz-7m2c-vw5h-x4ta']],
}

const codeList = Type.Array(Type.String(), recoveryCodes)

export const factorComponents = {
  Factor: Type.Object(
    {
      id: id('fac', 'The id of the factor.'),
      kind: oneOf(['totp', 'passkey'], {
        description: 'totp: an authenticator app with codes that change every 30 seconds.',
      }),
      name: Type.String({ description: 'The name of the factor.', examples: ['Phone'] }),
      created_at: time('When the factor was added.'),
      last_used_at: nullable({
        format: 'date-time',
        description: 'When the factor was last used, or null.',
        examples: ['2026-11-15T09:30:00.000Z'],
      }),
    },
    { $id: 'Factor' },
  ),
  FactorList: Type.Object(
    {
      data: Type.Array(Type.Ref('Factor')),
      recovery_codes_left: Type.Integer({
        description: 'The number of unused recovery codes.',
        examples: [10],
      }),
    },
    { $id: 'FactorList' },
  ),
  StartedTotp: Type.Object(
    {
      id: id('fac', 'The id of the factor.'),
      secret: Type.String({
        description: 'The secret in base32, to type into the app. It is shown only once.',
        examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
      }),
      uri: Type.String({
        description: 'The same secret as an otpauth URI, for a QR code.',
        examples: ['otpauth://totp/Florin:ann%40example.com?secret=JBSWY3DPEHPK3PXP'],
      }),
    },
    { $id: 'StartedTotp' },
  ),
  AddedFactor: Type.Object(
    {
      factor: Type.Ref('Factor'),
      recovery_codes: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        ...recoveryCodes,
        description: `${recoveryCodes.description} null if you already have some.`,
      }),
    },
    { $id: 'AddedFactor' },
  ),
  RecoveryCodes: Type.Object({ recovery_codes: codeList }, { $id: 'RecoveryCodes' }),
}

import { Type } from 'typebox'
import {
  createRecoveryCodes,
  listFactors,
  removeFactor,
  requireFactorId,
} from '../../identity/factors/change-factors.ts'
import { confirmTotp, startTotp } from '../../identity/factors/enroll-totp.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import {
  changeAccess,
  factorCode,
  factorName,
  notFresh,
  readAccess,
  secretAccess,
} from '../schemas/factor.ts'
import { idOf, messageOf, strictObject, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Two-factor authentication']

export const listFactorsRoute = route({
  method: 'GET',
  url: '/v1/user/factors',
  access: readAccess,
  schema: {
    tags,
    operationId: 'listFactors',
    summary: 'List your factors',
    description:
      'Returns your authenticator app and your passkeys, oldest first. With at least one, a ' +
      'password alone no longer logs in.',
  },
  success: [200, 'Your factors.', Type.Ref('FactorList')],
  refusals: [refused.notPermitted],
  handler: ({ caller }, { db }) => listFactors(db, caller),
})

export const startTotpRoute = route({
  method: 'POST',
  url: '/v1/user/factors/totp',
  bodyLimit: body_max_bytes.login,
  access: secretAccess,
  body_optional: true,
  schema: {
    tags,
    operationId: 'startTotp',
    summary: 'Start to add an authenticator app',
    description:
      'Returns a secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). ' +
      'Confirm it with a code of the app; until then nothing changes. Requires a login within ' +
      'the last 10 minutes.',
    body: strictObject({ name: factorName }),
  },
  success: [201, 'The secret. It is shown only once.', Type.Ref('StartedTotp')],
  refusals: [
    refused.badFields,
    notFresh,
    ['conflict', 'You already have an authenticator app, or FLORIN_SECRET_KEY is not set.'],
  ],
  handler: ({ caller, body }, { db, secret_keys, factor_issuer }) =>
    startTotp(db, secret_keys, caller, { ...body, issuer: factor_issuer }),
})

export const confirmTotpRoute = route({
  method: 'POST',
  url: '/v1/user/factors/totp/confirm',
  bodyLimit: body_max_bytes.login,
  access: secretAccess,
  schema: {
    tags,
    operationId: 'confirmTotp',
    summary: 'Confirm an authenticator app',
    description:
      'From now on a login needs a code. The first factor returns recovery codes and ends your ' +
      'other sessions.',
    body: strictObject({ code: factorCode }),
  },
  success: [200, 'The factor, and recovery codes if it is the first.', Type.Ref('AddedFactor')],
  refusals: [
    ['invalid_request', 'A field is malformed, or the code is not the current one.'],
    notFresh,
    ['conflict', 'No authenticator app is being set up.'],
  ],
  handler: ({ caller, body }, { db, secret_keys }) =>
    confirmTotp(db, secret_keys, caller, body.code),
})

export const deleteFactorRoute = route({
  method: 'DELETE',
  url: '/v1/user/factors/:factor_id',
  access: changeAccess,
  schema: {
    tags,
    operationId: 'deleteFactor',
    summary: 'Delete a factor',
    description: 'Without the last factor, recovery codes are deleted and a password logs in.',
    params: Type.Object({ factor_id: idOf('fac', 'The id of the factor.') }),
    body: withoutBody,
  },
  success: [
    200,
    'The factor has been removed.',
    Type.Object({
      message: messageOf('The factor has been removed.'),
      id: idOf('fac', 'The id of the removed factor.'),
    }),
  ],
  refusals: [refused.bodyNotEmpty, notFresh, ['not_found', 'You have no factor with this id.']],
  beforeBody: ({ params }) => requireFactorId(params.factor_id),
  handler: ({ caller, params }, { db }) => removeFactor(db, caller, params.factor_id),
})

export const createRecoveryCodesRoute = route({
  method: 'POST',
  url: '/v1/user/recovery_codes',
  bodyLimit: body_max_bytes.login,
  access: secretAccess,
  schema: {
    tags,
    operationId: 'createRecoveryCodes',
    summary: 'Replace your recovery codes',
    description: 'Returns ten new recovery codes. The old ones stop working.',
    body: withoutBody,
  },
  success: [201, 'The codes. They are shown only once.', Type.Ref('RecoveryCodes')],
  refusals: [refused.bodyNotEmpty, notFresh, ['conflict', 'You have no factor.']],
  handler: ({ caller }, { db }) => createRecoveryCodes(db, caller),
})

export const factorRoutes = [
  listFactorsRoute,
  startTotpRoute,
  confirmTotpRoute,
  deleteFactorRoute,
  createRecoveryCodesRoute,
]

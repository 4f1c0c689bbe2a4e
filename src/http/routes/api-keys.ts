import { Type } from 'typebox'
import { createApiKey } from '../../identity/api-keys/create-key.ts'
import { listApiKeys } from '../../identity/api-keys/list-keys.ts'
import { requireKeyId, revokeApiKey } from '../../identity/api-keys/revoke-keys.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import {
  cursorList,
  cursorQuery,
  documentedAs,
  idOf,
  oneOf,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['API keys']

// An unknown scope is rejected in code, which suggests the nearest scope.
const scope = Type.String({
  maxLength: 100,
  examples: ['transactions:write'],
  'x-documented': documentedAs('Scope'),
})

const role = (description: string) => Type.Optional(oneOf(['platform'], { description }))

export const createApiKeyRoute = route({
  method: 'POST',
  url: '/v1/api_keys',
  bodyLimit: body_max_bytes.lists,
  access: {
    token: 'required',
    operation: 'manage_api_keys',
    secret_response: true,
    step_up: true,
  },
  schema: {
    tags,
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'For the owner of an account, or an admin with Florin-Account. The response is the ' +
      'only place where the key is shown. Admins create a platform key with role and no ' +
      'header.',
    body: strictObject({
      name: Type.String({
        format: 'name',
        minLength: 1,
        maxLength: 200,
        description: 'A name for the key.',
        examples: ['Web shop'],
      }),
      scopes: Type.Array(scope, {
        minItems: 1,
        maxItems: 50,
        description: 'The permissions of the key, such as payments:read, or * for all.',
      }),
      role: role('Creates a platform key, for a server that acts for many accounts.'),
    }),
  },
  success: [201, 'The key. Store it now: it is shown only once.', Type.Ref('CreatedApiKey')],
  refusals: [
    ['invalid_request', 'A field is missing or malformed, or the account is not active.'],
    refused.notPermitted,
    refused.noAccount,
    refused.hiddenAccount,
    ['conflict', 'The maximum number of keys has been reached.'],
  ],
  handler: ({ caller, body }, context) => createApiKey(context, caller, body),
})

export const listApiKeysRoute = route({
  method: 'GET',
  url: '/v1/api_keys',
  access: { token: 'required', operation: 'manage_api_keys' },
  schema: {
    tags,
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'Returns API keys, newest first, including revoked ones, without their secrets.',
    querystring: Type.Object({
      ...cursorQuery,
      role: role('For admins without Florin-Account: lists platform keys.'),
    }),
  },
  success: [200, 'A page of keys.', cursorList('ApiKey')],
  refusals: [refused.badCursor, refused.notPermitted, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller, query }, { db }) => listApiKeys(db, caller, query),
})

export const revokeApiKeyRoute = route({
  method: 'DELETE',
  url: '/v1/api_keys/:key_id',
  access: { token: 'required', operation: 'manage_api_keys' },
  schema: {
    tags,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The key stops working immediately. Revoking a revoked key has no effect.',
    params: Type.Object({ key_id: idOf('key', 'The id of the key.') }),
    body: withoutBody,
  },
  success: [200, 'The revoked key.', Type.Ref('ApiKey')],
  refusals: [
    refused.bodyNotEmpty,
    refused.notPermitted,
    refused.noAccount,
    ['not_found', 'No key with this id exists or is visible to you.'],
  ],
  beforeBody: ({ caller, params }) => requireKeyId(caller, params.key_id),
  handler: ({ caller, params }, { db }) => revokeApiKey(db, caller, params.key_id),
})

export const apiKeyRoutes = [createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute]

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createApiKey, type KeyParts } from '../../identity/api-keys/create-key.ts'
import { listApiKeys } from '../../identity/api-keys/list-keys.ts'
import { requireKeyId, revokeApiKey } from '../../identity/api-keys/revoke-keys.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { body_max_bytes } from '../json-body.ts'
import { listOf } from '../schemas/developer.ts'
import { cursorQuery, documentedAs, idOf, oneOf, strictObject } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['API keys']

const notPermitted = ['unauthorized', 'The token is missing, invalid or lacks permission.'] as const
const noAccount = ['forbidden', 'The caller has no account, or Florin-Account is missing.'] as const
const noSuchAccount = [
  'not_found',
  'The account in Florin-Account does not exist or is not visible to you.',
] as const

// An unknown scope is rejected in code, which suggests the nearest scope.
const scope = Type.String({
  maxLength: 100,
  examples: ['transactions:write'],
  'x-documented': documentedAs('Scope'),
})

const role = (description: string) => Type.Optional(oneOf(['platform'], { description }))

// The path is checked before the body: a malformed id is 404 before the body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  requireKeyId(callerOf(request), (request.params as { key_id: string }).key_id)
}

export function apiKeyRoutes(parts: KeyParts): FastifyPluginAsyncTypebox {
  const { db } = parts
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/api_keys',
      bodyLimit: body_max_bytes.lists,
      config: {
        access: { token: 'required', operation: 'manage_api_keys', secret_response: true },
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
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The key. Store it now: it is shown only once.',
            schema: Type.Ref('CreatedApiKey'),
          },
          refusals: [
            ['invalid_request', 'A field is missing or malformed, or the account is not active.'],
            notPermitted,
            noAccount,
            noSuchAccount,
            ['conflict', 'The maximum number of keys has been reached.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        reply.code(201)
        return createApiKey(parts, callerOf(request), request.body)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/api_keys',
      config: { access: { token: 'required', operation: 'manage_api_keys' } },
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'Returns API keys, newest first, including revoked ones, without their secrets.',
        querystring: Type.Object({
          ...cursorQuery,
          role: role('For admins without Florin-Account: lists platform keys.'),
        }),
        response: responseSchemas({
          success: { status: 200, description: 'A page of keys.', schema: listOf('ApiKey') },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            notPermitted,
            noAccount,
            noSuchAccount,
          ],
        }),
      },
      handler: (request) => listApiKeys(db, callerOf(request), request.query),
    })

    app.route({
      method: 'DELETE',
      url: '/v1/api_keys/:key_id',
      config: { access: { token: 'required', operation: 'manage_api_keys' } },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'The key stops working immediately. Revoking a revoked key has no effect.',
        params: Type.Object({ key_id: idOf('key', 'The id of the key.') }),
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: { status: 200, description: 'The revoked key.', schema: Type.Ref('ApiKey') },
          refusals: [
            ['invalid_request', 'The request body is not empty.'],
            notPermitted,
            noAccount,
            ['not_found', 'No key with this id exists or is visible to you.'],
          ],
        }),
      },
      handler: (request) => revokeApiKey(db, callerOf(request), request.params.key_id),
    })
  }
}

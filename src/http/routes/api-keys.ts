import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { createApiKey, type KeyParts } from '../../api-keys/create-key.ts'
import { listApiKeys } from '../../api-keys/list-keys.ts'
import { requireKeyId, revokeApiKey } from '../../api-keys/revoke-keys.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { listOf } from '../developer-schemas.ts'
import { body_max_bytes } from '../json-body.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorQuery, documentedAs, idOf, oneOf, strictObject } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['API keys']

const noRight = ['unauthorized', 'The token is missing, not valid, or lacks permission.'] as const
const noAccount = ['forbidden', 'The token has no account, or Florin-Account is missing.'] as const
const noSuchAccount = ['not_found', 'Florin-Account names no account that you may see.'] as const

// An unknown scope is rejected in code, with the nearest one that exists.
const scope = Type.String({
  maxLength: 100,
  examples: ['transactions:write'],
  'x-documented': documentedAs('Scope'),
})

const role = (description: string) => Type.Optional(oneOf(['platform'], { description }))

// SPEC has the path before the body: an id that nobody can have is told before a body is read.
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
        summary: 'Make an API key',
        description:
          'For the owner of an account, or an admin with Florin-Account. The key is in this ' +
          'answer and nowhere else. An admin makes a platform key with role, without the header.',
        body: strictObject({
          name: Type.String({
            format: 'name',
            minLength: 1,
            maxLength: 200,
            description: 'What people call it.',
            examples: ['Web shop'],
          }),
          scopes: Type.Array(scope, {
            minItems: 1,
            maxItems: 50,
            description: 'What the key may do: noun:read, noun:write, or * for all of it.',
          }),
          role: role('A key for a server that acts for many accounts.'),
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The key. Keep it now: it is never shown again.',
            schema: Type.Ref('CreatedApiKey'),
          },
          refusals: [
            ['invalid_request', 'A field is missing or bad, or the account is not active.'],
            noRight,
            noAccount,
            noSuchAccount,
            ['conflict', 'There are too many keys already.'],
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
        description: 'Newest first, revoked ones too, without the keys themselves.',
        querystring: Type.Object({
          ...cursorQuery,
          role: role('For admins without Florin-Account: the keys of platforms.'),
        }),
        response: responseSchemas({
          success: { status: 200, description: 'A page of keys.', schema: listOf('ApiKey') },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noRight,
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
        description: 'It is dead for the very next request. One that is revoked already stays so.',
        params: Type.Object({ key_id: idOf('key', 'The id of the key.') }),
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: { status: 200, description: 'The revoked key.', schema: Type.Ref('ApiKey') },
          refusals: [
            ['invalid_request', 'A field was sent.'],
            noRight,
            noAccount,
            ['not_found', 'No key that you may see has this id.'],
          ],
        }),
      },
      handler: (request) => revokeApiKey(db, callerOf(request), request.params.key_id),
    })
  }
}

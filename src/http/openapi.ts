// The OpenAPI 3.1 file, made from the routes' own schemas.

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { completeDescription } from './complete-description.ts'
import { developerComponents } from './developer-schemas.ts'
import { healthComponents } from './health-schemas.ts'
import { markOperation } from './mark-operation.ts'
import { reportComponents } from './report-schemas.ts'
import { components } from './schemas.ts'
import { documentOnce, sendDocument } from './send-document.ts'
import { subscriptionSchema } from './subscription-schema.ts'

const description = `
Florin takes and tracks payments: sessions, users, accounts, transactions, payment requests and
subscriptions.

Amounts are integers in the currency's minor unit: 7500 is 75.00 USD. Times are UTC, ISO 8601 with
milliseconds. Every error is \`{"error": "code", "message": "what to do"}\`, and every response
carries a \`Request-Id\`. Admins and platform users name the account they act on in
\`Florin-Account\`.

Besides what each call lists, any path may response 400 to malformed HTTP, 404 where nothing is, 405
with \`Allow\`, 408, 414, 421 to a foreign \`Host\`, and 431, in the same shape.
`.trim()

export async function describeApi(app: FastifyInstance, options: { version: string; url: string }) {
  const named = { ...components, ...developerComponents, ...reportComponents, ...healthComponents }
  for (const schema of Object.values(named)) app.addSchema(schema)
  app.addSchema(subscriptionSchema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Florin',
        version: options.version,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.url }],
      tags: [
        { name: 'Sessions', description: 'Log in, renew tokens, end sessions.' },
        { name: 'Users', description: 'The people who log in.' },
        { name: 'Accounts', description: 'Those who get paid.' },
        { name: 'Transactions', description: 'Payments, credits and refunds of an account.' },
        { name: 'Payments', description: 'Requests for a customer to pay, by a link.' },
        { name: 'Subscriptions', description: 'Customers who are asked to pay each period.' },
        { name: 'Events', description: 'What happened to an account, in order and without gaps.' },
        { name: 'API keys', description: 'For programs that act for an account, or for many.' },
        { name: 'Request logs', description: 'What was asked of the API for an account.' },
        { name: 'Balance', description: 'What an account has, and how it came to have it.' },
        { name: 'Reports', description: 'What many rows come to, for people who look.' },
        { name: 'Webhooks', description: 'Events sent to your server, signed.' },
        { name: 'Admin', description: 'What was done, and how the server is, for admins.' },
        { name: 'Search', description: 'What an id names.' },
        { name: 'Emails', description: 'What was written to customers and owners, for admins.' },
        { name: 'Sandbox', description: 'What only a sandbox has.' },
        { name: 'Health', description: 'For operators and their tools.' },
      ],
      components: {
        securitySchemes: {
          access_token: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token of a person (fat_…), from POST /v1/auth/login.',
          },
          api_key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The API key of a program (sk_sandbox_…, sk_live_…), from POST /v1/api_keys, with ' +
              'the scope that the call names, or *.',
          },
          refresh_token: {
            type: 'http',
            scheme: 'bearer',
            description: 'A refresh token (frt_…).',
          },
        },
      },
      security: [{ access_token: [] }],
    },
    transform: ({ schema, url, route }) => ({
      schema: markOperation(schema as Record<string, unknown> | undefined, route),
      url,
    }),
    transformObject: (made) =>
      completeDescription('openapiObject' in made ? made.openapiObject : made.swaggerObject),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, at) => String(json.$id ?? `def-${at}`),
    },
  })
}

export function serveApiDescription(app: FastifyInstance): void {
  const find = documentOnce('application/json; charset=utf-8', () => JSON.stringify(app.swagger()))
  app.get(
    '/openapi.json',
    { config: { access: { token: 'never' } }, schema: { hide: true } },
    (request, reply) => sendDocument(request, reply.header('cache-control', 'no-cache'), find()),
  )
}

// The OpenAPI 3.1 document, generated from the route schemas.

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { markOperation } from '../mark-operation.ts'
import { notificationsSchema } from '../routes/notifications.ts'
import { bankDetailsSchema } from '../schemas/bank-details.ts'
import { bankComponents } from '../schemas/bank-statement.ts'
import { brandingSchema } from '../schemas/branding.ts'
import { customerSchema } from '../schemas/customer.ts'
import { developerComponents } from '../schemas/developer.ts'
import { disputeSchema } from '../schemas/dispute.ts'
import { factorComponents } from '../schemas/factor.ts'
import { healthComponents } from '../schemas/health.ts'
import { payoutExportSchema, payoutSchema, payoutSettingsSchema } from '../schemas/payout.ts'
import { processorSchema } from '../schemas/processor.ts'
import { reportComponents } from '../schemas/report.ts'
import { components } from '../schemas/resources.ts'
import { settlementComponents } from '../schemas/settlement.ts'
import { subscriptionSchema } from '../schemas/subscription.ts'
import {
  accountUserSchema,
  identitySchema,
  invitationSchema,
  userDetailsSchema,
} from '../schemas/team.ts'
import { transferFeeSchema, transferSchema } from '../schemas/transfer.ts'
import { documentOnce, sendDocument } from '../send-document.ts'
import { completeDescription } from './complete-description.ts'

const description = `
Florin is a payments API: sessions, users, accounts, transactions, payment requests and
subscriptions.

Amounts are integers in the currency's minor unit: 7500 is 75.00 USD. Times are UTC in ISO 8601 with
milliseconds. Every error is \`{"error": "code", "message": "what to do"}\`, and every response
has a \`Request-Id\` header. Admins and platform users name the account they act on in the
\`Florin-Account\` header.

In addition to the errors listed for each operation, any path may return 400 for malformed HTTP, 404
for unknown paths, 405 with \`Allow\`, 408, 414, 421 for a foreign \`Host\`, and 431, in the same
format.
`.trim()

export async function describeApi(app: FastifyInstance, options: { version: string; url: string }) {
  const named = {
    ...components,
    ...developerComponents,
    ...factorComponents,
    ...reportComponents,
    ...healthComponents,
  }
  for (const schema of Object.values(named)) app.addSchema(schema)
  app.addSchema(subscriptionSchema)
  app.addSchema(customerSchema)
  app.addSchema(processorSchema)
  app.addSchema(disputeSchema)
  app.addSchema(transferSchema)
  app.addSchema(transferFeeSchema)
  app.addSchema(payoutSchema)
  app.addSchema(payoutSettingsSchema)
  app.addSchema(payoutExportSchema)
  for (const component of Object.values(bankComponents)) app.addSchema(component)
  for (const component of Object.values(settlementComponents)) app.addSchema(component)
  app.addSchema(accountUserSchema)
  app.addSchema(userDetailsSchema)
  app.addSchema(invitationSchema)
  app.addSchema(identitySchema)
  app.addSchema(brandingSchema)
  app.addSchema(bankDetailsSchema)
  app.addSchema(notificationsSchema)
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
        { name: 'Sessions', description: 'Log in, refresh tokens and end sessions.' },
        {
          name: 'Two-factor authentication',
          description: 'Authenticator apps, passkeys and recovery codes of the current user.',
        },
        { name: 'Users', description: 'People who can log in.' },
        { name: 'Accounts', description: 'Accounts that receive payments.' },
        { name: 'Transactions', description: 'Payments, credits and refunds of an account.' },
        { name: 'Disputes', description: 'Payments that cardholders dispute through their bank.' },
        { name: 'Transfers', description: 'Money moved from one account to another.' },
        { name: 'Payouts', description: 'Transfers of the balance to a bank account.' },
        {
          name: 'Bank statements',
          description: "Statements of the operator's bank accounts, which settle payment requests.",
        },
        {
          name: 'Settlements',
          description: "Transfers from payment providers to the operator's bank.",
        },
        { name: 'Payments', description: 'Payment requests that a customer pays through a link.' },
        { name: 'Payment links', description: 'Links that many customers can pay through.' },
        { name: 'Documents', description: 'Receipts and credit notes.' },
        { name: 'Subscriptions', description: 'Recurring payment requests.' },
        { name: 'Customers', description: 'Who pays an account, by email address.' },
        { name: 'Events', description: 'Every change to an account, in order and without gaps.' },
        { name: 'API keys', description: 'Credentials for programs.' },
        { name: 'Request logs', description: 'API requests made for an account.' },
        { name: 'Balance', description: "An account's balance and statement." },
        { name: 'Reports', description: 'Aggregated reports.' },
        { name: 'Webhooks', description: 'Signed events sent to your server.' },
        { name: 'Admin', description: 'Audit log, server health and payment processors.' },
        { name: 'Search', description: 'Find an object by its id.' },
        { name: 'Emails', description: 'Emails sent to customers and owners, for admins.' },
        { name: 'Sandbox', description: 'Available in sandbox mode only.' },
        { name: 'Health', description: 'Health checks and metrics for operators.' },
      ],
      components: {
        securitySchemes: {
          access_token: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token of a user (fat_…), from POST /v1/auth/login.',
          },
          api_key: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The API key of a program (sk_sandbox_…, sk_live_…), from POST /v1/api_keys. It ' +
              'needs the scope that the operation lists, or *.',
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
    transformObject: (document) =>
      completeDescription(
        'openapiObject' in document ? document.openapiObject : document.swaggerObject,
      ),
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

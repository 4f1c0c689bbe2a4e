// Webhooks of payment providers, and the state of the processors for operators.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { reportProcessor } from '../../operations/reports/processor.ts'
import { withTimeout } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { receiveWebhook } from '../../processors/inbox.ts'
import type { ProviderName } from '../../processors/provider.ts'
import { body_max_bytes } from '../json-body.ts'
import { page, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { refused } from '../schemas/response.ts'

const processor_ms = 2_000
const processor_advice = 'The database is too busy to report the processors. Retry shortly.'

export const getProcessorRoute = route({
  method: 'GET',
  url: '/v1/processor',
  access: { token: 'required', operation: 'read_processor' },
  schema: {
    tags: ['Admin'],
    operationId: 'getProcessor',
    summary: 'Retrieve the state of the payment processors',
    description:
      'For admins and platforms. Returns the configured providers: when their last message ' +
      'arrived, when their changes were last listed, what waits to be processed, and payments ' +
      'that belong to no payment request of this server.',
  },
  success: [200, 'The state of the processors.', Type.Ref('Processor')],
  refusals: [refused.notPermitted],
  handler: (_, { db, mode, processor, late_payments }) =>
    withTimeout(db, processor_ms, processor_advice, (tx) =>
      reportProcessor(tx, { mode, processor, late_payments }),
    ),
})

export const processorRoutes = [getProcessorRoute]

export const stripeWebhookRoute = page({
  method: 'POST',
  url: '/v1/processors/stripe/webhook',
  access: { token: 'never', is_provider: true },
  bodyLimit: body_max_bytes.provider,
  handler: async (request, context, reply) => {
    if (await receive(context, request, 'stripe', '')) return accept(reply)
    throw new Refusal(
      'invalid_request',
      'The signature in Stripe-Signature is missing, wrong or older than 300 seconds. Check ' +
        'FLORIN_STRIPE_WEBHOOK_SECRET and the clock of this server.',
    )
  },
})

export const mollieWebhookRoute = page({
  method: 'POST',
  url: '/v1/processors/mollie/webhook/:token',
  access: { token: 'never', form: true, is_provider: true },
  bodyLimit: body_max_bytes.login,
  schema: { params: Type.Object({ token: Type.String() }) },
  handler: async (request, context, reply) => {
    if (await receive(context, request, 'mollie', request.params.token)) return accept(reply)
    throw new Refusal('not_found', 'This webhook URL does not exist.')
  },
})

/** Their bodies are read as bytes: signatures cover the bytes. */
export const providerWebhookRoutes = [stripeWebhookRoute, mollieWebhookRoute]

async function receive(
  { db, processor }: RouteContext,
  { headers, body }: FastifyRequest,
  name: ProviderName,
  path: string,
): Promise<boolean> {
  const provider = processor.providers.find((each) => each.name === name)
  if (provider === undefined) {
    throw new Refusal(
      'not_found',
      `This server does not use ${name}. Add it to FLORIN_PROCESSOR, or delete the webhook.`,
    )
  }
  const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
  return receiveWebhook(db, provider, { path, headers, body: bytes })
}

function accept(reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8').send('{"received":true}')
}

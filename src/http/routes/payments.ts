import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { account_limit_text } from '../../email/recipient-limits.ts'
import {
  auditEntryFor,
  cancelCommand,
  createCommand,
  type PaymentCommand,
  sendCommand,
  settleCommand,
} from '../../payments/commands.ts'
import {
  getPayment,
  listAttempts,
  paymentFinder,
  readPaymentId,
} from '../../payments/find-payment.ts'
import type { PaymentLanes } from '../../payments/lanes.ts'
import { createdJson, type PaymentRow, statusJson, wholeJson } from '../../payments/payment.ts'
import { refundedAmounts } from '../../payments/refunds.ts'
import type { Db } from '../../postgres/database.ts'
import { listRequests } from '../../subscriptions/list-requests.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { body_max_bytes } from '../json-body.ts'
import { paymentFilters } from '../schemas/list-filters.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  oneOf,
  strictObject,
  timeOf,
} from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'
import { sendText } from '../send-text.ts'
import { commandSubmitter } from '../submit-command.ts'

const tags = ['Payments']
const params = Type.Object({ payment_id: idOf('pay', 'The id of the payment request.') })

const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const noToken = ['unauthorized', 'The token is missing or invalid.'] as const
const unknown = [
  'not_found',
  'No payment request with this id exists or is visible to you.',
] as const
const ended = ['conflict', 'The payment request is no longer pending.'] as const

const paymentResponse = (description: string) =>
  ({ status: 200, description, schema: Type.Ref('Payment') }) as const

// The path is checked before the body: a malformed id is 404 before the body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readPaymentId((request.params as { payment_id: string }).payment_id)
}

export interface PaymentRouteParts {
  db: Db
  payment_lanes: PaymentLanes
}

export function paymentRoutes({ db, payment_lanes }: PaymentRouteParts): FastifyPluginAsyncTypebox {
  const find = paymentFinder(db)
  const { public_url } = payment_lanes
  const asWhole = (row: PaymentRow) => wholeJson(row, public_url)

  const submitTo = commandSubmitter(payment_lanes, auditEntryFor)
  const submit = (request: FastifyRequest, command: PaymentCommand, reason?: string) =>
    command.kind === 'create'
      ? submitTo(request, command, 201, (row) => createdJson(row, public_url))
      : submitTo(request, command, 200, asWhole, reason)

  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v1/payments',
      bodyLimit: body_max_bytes.metadata,
      config: { access: { token: 'required', operation: 'create_payment', lane: 'payments' } },
      schema: {
        tags,
        operationId: 'createPayment',
        summary: 'Create a payment request',
        description:
          'Emails the customer a link to pay, also returned in payment_url. The payment request ' +
          `is pending until the customer pays, and expires after 30 days. ${account_limit_text}`,
        body: strictObject({
          account_id: idOf('acct', 'The account that requests the payment.'),
          amount: fields.amount,
          currency: fields.currency,
          customer_email: Type.String({
            format: 'email',
            maxLength: 254,
            description: 'The email address of the customer. The link is sent here.',
            examples: ['customer@example.com'],
          }),
          reference: Type.Optional(
            Type.Unsafe<string | null>({
              type: ['string', 'null'],
              format: 'line',
              maxLength: 255,
              description: 'Your reference, shown to the customer.',
              examples: ['Invoice 2026-114'],
            }),
          ),
          metadata: Type.Optional(fields.metadata),
        }),
        response: responseSchemas({
          body: true,
          success: {
            status: 201,
            description: 'The pending payment request.',
            schema: Type.Ref('CreatedPayment'),
          },
          refusals: [
            [
              'invalid_request',
              'A field is malformed, or the currency is not the currency of the account.',
            ],
            noToken,
            ['account_not_found', 'No open account with this id exists or is available to you.'],
            ['not_found', 'The account in Florin-Account does not exist.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const command = createCommand(callerOf(request), request.body)
        return sendText(reply, await submit(request, command))
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/payments',
      config: { access: { token: 'required', operation: 'list_payments' } },
      schema: {
        tags,
        operationId: 'listPayments',
        summary: 'List payment requests',
        description:
          'Returns payment requests, newest first. For admins and platform users: of all ' +
          'accounts, or of the account in Florin-Account.',
        querystring: Type.Object({
          ...cursorQuery,
          ...paymentFilters,
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of payment requests.',
            schema: cursorList('Payment'),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noToken,
            ['not_found', 'The account in Florin-Account does not exist.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const page = await listRequests(db, callerOf(request), request.query)
        const refunded = await refundedAmounts(db, page.data)
        const data = page.data.map((row) => wholeJson(row, public_url, refunded(row))).join(',')
        const body = `{"object":"list","data":[${data}],"has_more":${page.has_more}}`
        return sendText(reply, { status: 200, body, replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/payments/:payment_id',
      config: { access: { token: 'required', operation: 'retrieve_payment' } },
      schema: {
        tags,
        operationId: 'getPayment',
        summary: 'Retrieve a payment request',
        description: 'Admins and platform users can retrieve payment requests of any account.',
        params,
        response: responseSchemas({
          success: paymentResponse('The payment request.'),
          refusals: [noToken, unknown],
        }),
      },
      handler: async (request, reply) => {
        const row = await getPayment(find, callerOf(request), request.params.payment_id)
        const refunded = await refundedAmounts(db, [row])
        const body = wholeJson(row, public_url, refunded(row))
        return sendText(reply, { status: 200, body, replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/payments/:payment_id/status',
      config: { access: { token: 'required', operation: 'retrieve_payment' } },
      schema: {
        tags,
        operationId: 'getPaymentStatus',
        summary: 'Retrieve the status of a payment request',
        description: 'Returns the fields that change, for polling.',
        params,
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The status of the payment request.',
            schema: Type.Object({
              id: idOf('pay', 'The id of the payment request.'),
              status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
                description: 'pending until the customer pays.',
                examples: ['succeeded'],
              }),
              amount: Type.Integer({ description: 'The amount in minor units.', examples: [7500] }),
              currency: Type.String({
                description: 'The ISO 4217 currency code.',
                examples: ['USD'],
              }),
              reference: Type.Unsafe<string | null>({
                type: ['string', 'null'],
                description: 'Your reference, or null.',
                examples: ['Invoice 2026-114'],
              }),
              updated_at: timeOf('When the payment request last changed.'),
            }),
          },
          refusals: [noToken, unknown],
        }),
      },
      handler: async (request, reply) => {
        const row = await getPayment(find, callerOf(request), request.params.payment_id)
        return sendText(reply, { status: 200, body: statusJson(row), replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/payments/:payment_id/attempts',
      config: { access: { token: 'required', operation: 'retrieve_payment' } },
      schema: {
        tags,
        operationId: 'listPaymentAttempts',
        summary: 'List card attempts of a payment request',
        description:
          'Returns every card attempt that reached the processor, newest first. The tenth ' +
          'declined card fails the payment request, so there is only one page.',
        params,
        response: responseSchemas({
          success: {
            status: 200,
            description: 'The attempts.',
            schema: Type.Object({
              object: Type.Literal('list'),
              data: Type.Array(Type.Ref('PaymentAttempt')),
              has_more: Type.Boolean({ description: 'Always false.', examples: [false] }),
            }),
          },
          refusals: [noToken, unknown],
        }),
      },
      handler: (request) => listAttempts(db, find, callerOf(request), request.params.payment_id),
    })

    app.route({
      method: 'POST',
      url: '/v1/payments/:payment_id/cancel',
      config: { access: { token: 'required', operation: 'cancel_payment', lane: 'payments' } },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'cancelPayment',
        summary: 'Cancel a pending payment request',
        description:
          'The payment page then shows that the request is canceled and accepts no payment.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: paymentResponse('The canceled payment request.'),
          refusals: [
            badFields,
            noToken,
            unknown,
            ['not_cancellable', 'The payment request is no longer pending.'],
          ],
        }),
      },
      handler: async (request, reply) => {
        const row = await getPayment(find, callerOf(request), request.params.payment_id)
        return sendText(reply, await submit(request, cancelCommand(row)))
      },
    })

    app.route({
      method: 'POST',
      url: '/v1/payments/:payment_id/send',
      config: { access: { token: 'required', operation: 'send_payment', lane: 'payments' } },
      onRequest: validatePathId,
      preValidation: emptyBody,
      schema: {
        tags,
        operationId: 'sendPayment',
        summary: 'Resend the payment email',
        description:
          'Emails the link to the customer again. The link stays the same. ' +
          `${account_limit_text} Admins see the result in GET /v1/emails.`,
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: paymentResponse('The payment request. The email is queued.'),
          refusals: [
            ['invalid_request', 'The request body is not empty, or the account is not active.'],
            noToken,
            unknown,
            ended,
          ],
        }),
      },
      handler: async (request, reply) => {
        const row = await getPayment(find, callerOf(request), request.params.payment_id)
        return sendText(reply, await submit(request, sendCommand(row)))
      },
    })

    app.route({
      method: 'POST',
      url: '/v1/payments/:payment_id/settle',
      config: { access: { token: 'required', operation: 'settle_payment', lane: 'payments' } },
      onRequest: validatePathId,
      schema: {
        tags,
        operationId: 'settlePayment',
        summary: 'Settle a pending payment request',
        description:
          'For admins and platform users. Records that the payment was received, or that it ' +
          'failed. succeeded creates a succeeded payment transaction in the same database ' +
          'transaction.',
        params,
        body: strictObject({
          outcome: oneOf(['succeeded', 'failed']),
          reason: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 255,
              description: 'Stored in the audit log.',
              examples: ['Seen on the bank statement of 15 November.'],
            }),
          ),
        }),
        response: responseSchemas({
          body: true,
          success: paymentResponse('The payment request.'),
          refusals: [
            badFields,
            ['unauthorized', 'The token is missing, invalid or may not settle.'],
            unknown,
            ended,
          ],
        }),
      },
      handler: async (request, reply) => {
        const row = await getPayment(find, callerOf(request), request.params.payment_id)
        const { outcome, reason } = request.body
        return sendText(reply, await submit(request, settleCommand(row, outcome), reason))
      },
    })
  }
}

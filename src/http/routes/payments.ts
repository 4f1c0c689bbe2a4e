import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { account_limit_text } from '../../email/recipient-limits.ts'
import { auditEntryFor } from '../../payments/audit-entry-for.ts'
import {
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
import type { CommandResult } from '../../transactions/run-batch.ts'
import { callerOf, emptyBody } from '../admission.ts'
import { InFlight, idempotencyKeyFor } from '../idempotency.ts'
import { body_max_bytes } from '../json-body.ts'
import { paymentFilters } from '../list-filters.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorList, cursorQuery, fields, idOf, oneOf, strictObject, timeOf } from '../schemas.ts'
import { sendText } from '../send-text.ts'
import { Type } from '../type.ts'

const tags = ['Payments']
const params = Type.Object({ payment_id: idOf('pay', 'The id of the payment request.') })

const badFields = ['invalid_request', 'A field is missing, malformed or unknown.'] as const
const noToken = ['unauthorized', 'The token is missing or not valid.'] as const
const unknown = ['not_found', 'No payment request that you may see has this id.'] as const
const ended = ['conflict', 'The payment request is no longer pending.'] as const

const whole = (description: string) =>
  ({ status: 200, description, schema: Type.Ref('Payment') }) as const

// SPEC has the path before the body: an id that nobody can have is told before a body is read.
async function validatePathId(request: FastifyRequest): Promise<void> {
  readPaymentId((request.params as { payment_id: string }).payment_id)
}

export interface PaymentRouteParts {
  db: Db
  payment_lanes: PaymentLanes
}

export function paymentRoutes({ db, payment_lanes }: PaymentRouteParts): FastifyPluginAsyncTypebox {
  const find = paymentFinder(db)
  const in_flight = new InFlight()
  const { public_url } = payment_lanes
  const asWhole = (row: PaymentRow) => wholeJson(row, public_url)

  /** Sends a command through its account's lane, once for its Idempotency-Key. */
  function submit(
    request: FastifyRequest,
    command: PaymentCommand,
    reason?: string,
  ): Promise<CommandResult> {
    const caller = callerOf(request)
    const { account_id } = command
    const key = idempotencyKeyFor(request, caller, account_id)
    const is_new = command.kind === 'create'
    return in_flight.guard(key, () =>
      payment_lanes.submit({
        command,
        account_id,
        background: false,
        isWanted: () => !request.raw.socket.destroyed,
        key,
        audit_entry: auditEntryFor(caller, command, reason),
        status: is_new ? 201 : 200,
        render: is_new ? (row) => createdJson(row, public_url) : asWhole,
        token: caller,
      }),
    )
  }

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
          'Asks a customer to pay, by mail and by the link in payment_url. It is pending until ' +
          `the customer has paid, and expires after 30 days. ${account_limit_text}`,
        body: strictObject({
          account_id: idOf('acct', 'The account that asks for the money.'),
          amount: fields.amount,
          currency: fields.currency,
          customer_email: Type.String({
            format: 'email',
            maxLength: 254,
            description: 'Who is asked to pay: the link is mailed here.',
            examples: ['customer@example.com'],
          }),
          reference: Type.Optional(
            Type.Unsafe<string | null>({
              type: ['string', 'null'],
              format: 'line',
              maxLength: 255,
              description: 'A reference of your own. The customer sees it.',
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
            ['invalid_request', "A field is wrong, or the currency is not the account's."],
            noToken,
            ['account_not_found', 'No open account that you may use has this id.'],
            ['not_found', 'Florin-Account names no account.'],
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
          'Newest first. For admins and platform users those of all accounts, or of the one that ' +
          'Florin-Account names.',
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
            ['not_found', 'Florin-Account names no account.'],
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
        description: "Of your own account; for admins and platform users any account's.",
        params,
        response: responseSchemas({
          success: whole('The payment request.'),
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
        summary: 'Check whether a payment request is paid',
        description: 'The few fields that change, for those who ask often.',
        params,
        response: responseSchemas({
          success: {
            status: 200,
            description: 'How far the payment request is.',
            schema: Type.Object({
              id: idOf('pay', 'The id of the payment request.'),
              status: oneOf(['pending', 'succeeded', 'failed', 'canceled'], {
                description: 'Pending until the customer has paid.',
                examples: ['succeeded'],
              }),
              amount: Type.Integer({ description: 'In minor units.', examples: [7500] }),
              currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
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
        summary: "List a payment request's card attempts",
        description:
          'Every card that the customer tried and the processor judged, newest first. The tenth ' +
          'declined card fails the request, so there is only ever one page.',
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
        description: 'Its page says so from then on, and takes no money.',
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: whole('The canceled payment request.'),
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
        summary: 'Mail the link again',
        description:
          'For a customer who has lost the first mail. The link stays the same. ' +
          `${account_limit_text} GET /v1/emails tells admins what became of it.`,
        params,
        body: strictObject({}),
        response: responseSchemas({
          body: true,
          success: whole('The payment request. The mail is queued.'),
          refusals: [
            ['invalid_request', 'A field was sent, or the account is not active.'],
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
          'For admins and platform users: says that the money has come, or that it never will. ' +
          'With succeeded, a succeeded payment transaction is written in the same moment.',
        params,
        body: strictObject({
          outcome: oneOf(['succeeded', 'failed']),
          reason: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 255,
              description: 'Kept in the audit log.',
              examples: ['Seen on the bank statement of 15 November.'],
            }),
          ),
        }),
        response: responseSchemas({
          body: true,
          success: whole('The payment request.'),
          refusals: [
            badFields,
            ['unauthorized', 'The token is missing, not valid, or may not settle.'],
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

import { Type } from 'typebox'
import { account_limit_text } from '../../email/recipient-limits.ts'
import type { CommandResult } from '../../lanes/lane-entry.ts'
import {
  cancelCommand,
  createCommand,
  type RequestCommand,
  sendCommand,
  settleCommand,
} from '../../payments/commands.ts'
import { getPayment, listAttempts, readPaymentId } from '../../payments/find-payment.ts'
import { createdJson, type PaymentRow, statusJson, wholeJson } from '../../payments/payment.ts'
import { refundedAmounts } from '../../payments/refunds.ts'
import { listRequests } from '../../subscriptions/list-requests.ts'
import { body_max_bytes } from '../json-body.ts'
import { type RouteRequest, route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { paymentFilters } from '../schemas/list-filters.ts'
import {
  completeList,
  cursorList,
  cursorQuery,
  fields,
  idOf,
  oneOf,
  settlementInput,
  strictObject,
  timeOf,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendJson, sendList, sendText } from '../send-text.ts'

const tags = ['Payments']
const params = Type.Object({ payment_id: idOf('pay', 'The id of the payment request.') })

const unknown = [
  'not_found',
  'No payment request with this id exists or is visible to you.',
] as const
const ended = ['conflict', 'The payment request is no longer pending.'] as const

const paymentResponse = (description: string) => [200, description, Type.Ref('Payment')] as const

/** The fields of a new payment request. */
export const paymentInput = {
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
}

export const createPaymentRoute = route({
  method: 'POST',
  url: '/v1/payments',
  bodyLimit: body_max_bytes.metadata,
  access: { token: 'required', operation: 'create_payment', lane: 'payments' },
  schema: {
    tags,
    operationId: 'createPayment',
    summary: 'Create a payment request',
    description:
      'Emails the customer a link to pay, also returned in payment_url. The payment request ' +
      `is pending until the customer pays, and expires after 30 days. ${account_limit_text}`,
    body: strictObject(paymentInput),
  },
  success: [201, 'The pending payment request.', Type.Ref('CreatedPayment')],
  refusals: [
    refused.wrongCurrency,
    refused.noToken,
    ['account_not_found', 'No open account with this id exists or is available to you.'],
    refused.unknownAccount,
  ],
  handler: async (request, { public_url, submitPayment }, reply) => {
    const command = createCommand(request.caller, request.body)
    const render = (row: PaymentRow) => createdJson(row, public_url)
    return sendText(reply, await submitPayment(request, command, 201, render))
  },
})

export const listPaymentsRoute = route({
  method: 'GET',
  url: '/v1/payments',
  access: { token: 'required', operation: 'list_payments' },
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
  },
  success: [200, 'A page of payment requests.', cursorList('Payment')],
  refusals: [refused.badCursor, refused.noToken, refused.unknownAccount],
  handler: async ({ caller, query }, { db, public_url }, reply) => {
    const page = await listRequests(db, caller, query)
    const refunded = await refundedAmounts(db, page.data)
    return sendList(reply, page, (row) => wholeJson(row, public_url, refunded(row)))
  },
})

export const getPaymentRoute = route({
  method: 'GET',
  url: '/v1/payments/:payment_id',
  access: { token: 'required', operation: 'retrieve_payment' },
  schema: {
    tags,
    operationId: 'getPayment',
    summary: 'Retrieve a payment request',
    description: 'Admins and platform users can retrieve payment requests of any account.',
    params,
  },
  success: paymentResponse('The payment request.'),
  refusals: [refused.noToken, unknown],
  handler: async ({ caller, params }, { db, public_url, findPayment }, reply) => {
    const row = await getPayment(findPayment, caller, params.payment_id)
    const refunded = await refundedAmounts(db, [row])
    return sendJson(reply, wholeJson(row, public_url, refunded(row)))
  },
})

export const getPaymentStatusRoute = route({
  method: 'GET',
  url: '/v1/payments/:payment_id/status',
  access: { token: 'required', operation: 'retrieve_payment' },
  schema: {
    tags,
    operationId: 'getPaymentStatus',
    summary: 'Retrieve the status of a payment request',
    description: 'Returns the fields that change, for polling.',
    params,
  },
  success: [
    200,
    'The status of the payment request.',
    Type.Object({
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
  ],
  refusals: [refused.noToken, unknown],
  handler: async ({ caller, params }, { findPayment }, reply) => {
    const row = await getPayment(findPayment, caller, params.payment_id)
    return sendJson(reply, statusJson(row))
  },
})

export const listPaymentAttemptsRoute = route({
  method: 'GET',
  url: '/v1/payments/:payment_id/attempts',
  access: { token: 'required', operation: 'retrieve_payment' },
  schema: {
    tags,
    operationId: 'listPaymentAttempts',
    summary: 'List card attempts of a payment request',
    description:
      'Returns every card attempt that reached the processor, newest first. The tenth ' +
      'declined card fails the payment request, so there is only one page.',
    params,
  },
  success: [200, 'The attempts.', completeList('PaymentAttempt')],
  refusals: [refused.noToken, unknown],
  handler: ({ caller, params }, { db, findPayment }) =>
    listAttempts(db, findPayment, caller, params.payment_id),
})

export const cancelPaymentRoute = route({
  method: 'POST',
  url: '/v1/payments/:payment_id/cancel',
  access: { token: 'required', operation: 'cancel_payment', lane: 'payments' },
  schema: {
    tags,
    operationId: 'cancelPayment',
    summary: 'Cancel a pending payment request',
    description: 'The payment page then shows that the request is canceled and accepts no payment.',
    params,
    body: withoutBody,
  },
  success: paymentResponse('The canceled payment request.'),
  refusals: [
    refused.badFields,
    refused.noToken,
    unknown,
    ['not_cancellable', 'The payment request is no longer pending.'],
  ],
  beforeBody: ({ params }) => readPaymentId(params.payment_id),
  handler: async (request, context, reply) => {
    const row = await getPayment(context.findPayment, request.caller, request.params.payment_id)
    return sendText(reply, await submitChange(context, request, cancelCommand(row)))
  },
})

export const sendPaymentRoute = route({
  method: 'POST',
  url: '/v1/payments/:payment_id/send',
  access: { token: 'required', operation: 'send_payment', lane: 'payments' },
  schema: {
    tags,
    operationId: 'sendPayment',
    summary: 'Resend the payment email',
    description:
      'Emails the link to the customer again. The link stays the same. ' +
      `${account_limit_text} Admins see the result in GET /v1/emails.`,
    params,
    body: withoutBody,
  },
  success: paymentResponse('The payment request. The email is queued.'),
  refusals: [
    ['invalid_request', 'The request body is not empty, or the account is not active.'],
    refused.noToken,
    unknown,
    ended,
  ],
  beforeBody: ({ params }) => readPaymentId(params.payment_id),
  handler: async (request, context, reply) => {
    const row = await getPayment(context.findPayment, request.caller, request.params.payment_id)
    return sendText(reply, await submitChange(context, request, sendCommand(row)))
  },
})

export const settlePaymentRoute = route({
  method: 'POST',
  url: '/v1/payments/:payment_id/settle',
  access: { token: 'required', operation: 'settle_payment', lane: 'payments' },
  schema: {
    tags,
    operationId: 'settlePayment',
    summary: 'Settle a pending payment request',
    description:
      'For admins and platform users. Records that the payment was received, or that it ' +
      'failed. succeeded creates a succeeded payment transaction in the same database ' +
      'transaction.',
    params,
    body: settlementInput,
  },
  success: paymentResponse('The payment request.'),
  refusals: [refused.badFields, refused.mayNotSettle, unknown, ended],
  beforeBody: ({ params }) => readPaymentId(params.payment_id),
  handler: async (request, context, reply) => {
    const row = await getPayment(context.findPayment, request.caller, request.params.payment_id)
    const { outcome, reason } = request.body
    return sendText(
      reply,
      await submitChange(context, request, settleCommand(row, outcome), reason),
    )
  },
})

export const paymentRoutes = [
  createPaymentRoute,
  listPaymentsRoute,
  getPaymentRoute,
  getPaymentStatusRoute,
  listPaymentAttemptsRoute,
  cancelPaymentRoute,
  sendPaymentRoute,
  settlePaymentRoute,
]

function submitChange(
  { public_url, submitPayment }: RouteContext,
  request: RouteRequest<'required'>,
  command: RequestCommand,
  reason?: string,
): Promise<CommandResult> {
  return submitPayment(request, command, 200, (row) => wholeJson(row, public_url), reason)
}

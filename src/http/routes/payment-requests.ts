// Payment requests with options. The body and the responses of /v1/payments are fixed, so
// everything else about a request is here.

import { Type } from 'typebox'
import { account_limit_text } from '../../email/recipient-limits.ts'
import { createCommand } from '../../payments/commands.ts'
import { getPayment } from '../../payments/find-payment.ts'
import { listEmailStates } from '../../payments/list-emails.ts'
import { optionsJson, type PaymentRow } from '../../payments/payment.ts'
import { refundedAmounts } from '../../payments/refunds.ts'
import {
  message_length_max,
  readOptions,
  reminder_days_max,
} from '../../payments/request-options.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import { completeList, idOf, nullable, strictObject } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendJson, sendText } from '../send-text.ts'
import { paymentInput } from './payments.ts'

const tags = ['Payments']
const params = Type.Object({ payment_id: idOf('pay', 'The id of the payment request.') })
const unknown = [
  'not_found',
  'No payment request with this id exists or is visible to you.',
] as const

const requestOptions = {
  expires_at: Type.Optional(
    nullable({
      format: 'timestamp',
      description:
        'When the request expires: an hour to 31 days ahead. A date means the end of that day ' +
        "in the account's time zone. Default: 30 days after creation.",
      examples: ['2026-12-24'],
    }),
  ),
  message: Type.Optional(
    nullable({
      format: 'text',
      maxLength: message_length_max,
      description: 'A message to the customer, on the payment page and in emails. Plain text.',
      examples: ['Thank you for your order!'],
    }),
  ),
  reminder_days: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: reminder_days_max,
      description:
        'How many days before the expiry the customer gets a reminder by email; 0 for none. ' +
        'Default: 3, or none if the request is not emailed or expires too soon.',
      examples: [5],
    }),
  ),
  email: Type.Optional(
    Type.Boolean({
      description:
        'Whether the link is emailed to the customer now. With false, share payment_url ' +
        'yourself, or email it later with POST /v1/payments/{payment_id}/send. Default: true.',
      examples: [false],
    }),
  ),
}

export const createPaymentRequestRoute = route({
  method: 'POST',
  url: '/v1/payment_requests',
  bodyLimit: body_max_bytes.metadata,
  access: { token: 'required', operation: 'create_payment', lane: 'payments' },
  schema: {
    tags,
    operationId: 'createPaymentRequest',
    summary: 'Create a payment request with options',
    description:
      'Like POST /v1/payments, with a due date, a message, a choice of the reminder, and without ' +
      `an email if you share the link yourself. ${account_limit_text}`,
    body: strictObject({ ...paymentInput, ...requestOptions }),
  },
  success: [201, 'The pending payment request.', Type.Ref('PaymentRequest')],
  refusals: [
    [
      'invalid_request',
      'A field is invalid, the currency is not the currency of the account, or the account is ' +
        'not active.',
    ],
    refused.noToken,
    ['account_not_found', 'No open account with this id exists or is available to you.'],
    refused.unknownAccount,
  ],
  handler: async (request, { public_url, submitPayment }, reply) => {
    const options = readOptions(request.body)
    const command = { ...createCommand(request.caller, request.body), options }
    const render = (row: PaymentRow) => optionsJson(row, public_url)
    return sendText(reply, await submitPayment(request, command, 201, render))
  },
})

export const getPaymentRequestRoute = route({
  method: 'GET',
  url: '/v1/payment_requests/:payment_id',
  access: { token: 'required', operation: 'retrieve_payment' },
  schema: {
    tags,
    operationId: 'getPaymentRequest',
    summary: 'Retrieve a payment request with its options',
    description: 'Like GET /v1/payments/{payment_id}, with the options of the request.',
    params,
  },
  success: [200, 'The payment request.', Type.Ref('PaymentRequest')],
  refusals: [refused.noToken, unknown],
  handler: async ({ caller, params }, { db, public_url, findPayment }, reply) => {
    const row = await getPayment(findPayment, caller, params.payment_id)
    const refunded = await refundedAmounts(db, [row])
    return sendJson(reply, optionsJson(row, public_url, refunded(row)))
  },
})

export const listPaymentEmailsRoute = route({
  method: 'GET',
  url: '/v1/payments/:payment_id/emails',
  access: { token: 'required', operation: 'retrieve_payment' },
  schema: {
    tags,
    operationId: 'listPaymentEmails',
    summary: 'List the emails of a payment request',
    description:
      'Returns the state of every email to the customer, newest first, without its content. ' +
      'Emails are stored for 90 days.',
    params,
  },
  success: [200, 'The emails.', completeList('PaymentEmail')],
  refusals: [refused.noToken, unknown],
  handler: async ({ caller, params }, { db, findPayment }) =>
    listEmailStates(db, await getPayment(findPayment, caller, params.payment_id)),
})

export const paymentRequestRoutes = [
  createPaymentRequestRoute,
  getPaymentRequestRoute,
  listPaymentEmailsRoute,
]

// Where the payment page sends the customer back to: the origins of an account, and the URLs of a
// payment request.

import { Type } from 'typebox'
import {
  addReturnOrigin,
  listReturnOrigins,
  readOrigin,
  removeReturnOrigin,
} from '../../accounts/return-origins.ts'
import { readPaymentId } from '../../payments/find-payment.ts'
import { getReturnUrls, readReturnUrls, updateReturnUrls } from '../../payments/return-urls.ts'
import { route } from '../route.ts'
import { completeList, idOf, strictObject, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { notPermitted } from './webhooks.ts'

const account_tags = ['Accounts']
const payment_tags = ['Payments']
const access = { token: 'required', operation: 'manage_return_origins' } as const
const params = Type.Object({ payment_id: idOf('pay', 'The id of the payment request.') })

const origin = Type.String({
  format: 'line',
  maxLength: 300,
  description:
    'An https origin: scheme, host and port, without a path. A sandbox also accepts http origins ' +
    'of loopback hosts, such as http://localhost:3000.',
  examples: ['https://shop.example.com'],
})

const urlOf = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'line',
      maxLength: 2_048,
      description: `${description} Its origin must be a return origin of the account.`,
      examples: [example],
    }),
  )

const unknown = [
  'not_found',
  'No payment request with this id exists or is visible to you.',
] as const

export const listReturnOriginsRoute = route({
  method: 'GET',
  url: '/v1/account/return_origins',
  access,
  schema: {
    tags: account_tags,
    operationId: 'listReturnOrigins',
    summary: 'List return origins',
    description: 'Returns the origins to which the payment page may send customers back, sorted.',
  },
  success: [200, 'The return origins.', completeList('ReturnOrigin')],
  refusals: [...notPermitted, refused.closedAccount],
  handler: ({ caller }, { db }) => listReturnOrigins(db, caller),
})

export const addReturnOriginRoute = route({
  method: 'POST',
  url: '/v1/account/return_origins',
  access,
  schema: {
    tags: account_tags,
    operationId: 'addReturnOrigin',
    summary: 'Add a return origin',
    description:
      'Allows return_url and cancel_url of payment requests to have this origin. Adding an ' +
      'origin again has no effect. An account can have at most 20 origins.',
    body: strictObject({ origin }),
  },
  success: [201, 'The return origin, normalized.', Type.Ref('ReturnOrigin')],
  refusals: [
    ['invalid_request', 'The origin is malformed, or the account has 20 origins.'],
    ...notPermitted,
    refused.closedAccount,
  ],
  handler: ({ caller, body }, { db, sandbox }) =>
    addReturnOrigin(db, caller, readOrigin(body.origin, sandbox)),
})

export const deleteReturnOriginRoute = route({
  method: 'DELETE',
  url: '/v1/account/return_origins',
  access,
  schema: {
    tags: account_tags,
    operationId: 'deleteReturnOrigin',
    summary: 'Delete a return origin',
    description:
      'The payment page stops linking to this origin at once, also for payment requests whose ' +
      'URLs were set before.',
    querystring: Type.Object({ origin }),
    body: withoutBody,
  },
  lists_body_refusals: false,
  success: [200, 'The deleted return origin.', Type.Ref('ReturnOrigin')],
  refusals: [
    ['invalid_request', 'The origin is missing or malformed, or the request body is not empty.'],
    ...notPermitted,
    ['not_found', 'The account does not have this origin, or it does not exist or is closed.'],
  ],
  handler: ({ caller, query }, { db, sandbox }) =>
    removeReturnOrigin(db, caller, readOrigin(query.origin, sandbox)),
})

export const updatePaymentRoute = route({
  method: 'PATCH',
  url: '/v1/payments/:payment_id',
  access: { token: 'required', operation: 'update_payment' },
  schema: {
    tags: payment_tags,
    operationId: 'updatePayment',
    summary: 'Set the return URLs of a payment request',
    description:
      'Changes the fields sent; null removes a URL. The payment page links to the URL and ' +
      'appends payment_id as a query parameter. A customer who returns has not necessarily paid: ' +
      'verify the payment with a webhook or GET /v1/payments/{payment_id}.',
    params,
    body: strictObject({
      return_url: urlOf(
        'Where the customer continues after the payment.',
        'https://shop.example.com/orders/114',
      ),
      cancel_url: urlOf(
        'Where the customer goes back to without paying.',
        'https://shop.example.com/cart',
      ),
    }),
  },
  success: [200, 'The return URLs.', Type.Ref('PaymentReturnUrls')],
  refusals: [
    ['invalid_request', 'A URL is malformed, or its origin is not registered.'],
    refused.noToken,
    unknown,
    ['conflict', 'The payment request is no longer pending.'],
  ],
  beforeBody: ({ params }) => readPaymentId(params.payment_id),
  handler: ({ caller, params, body }, context) => {
    const changes = readReturnUrls(body, context.sandbox)
    return updateReturnUrls(context, caller, params.payment_id, changes)
  },
})

export const getReturnUrlsRoute = route({
  method: 'GET',
  url: '/v1/payments/:payment_id/return_urls',
  access: { token: 'required', operation: 'retrieve_payment' },
  schema: {
    tags: payment_tags,
    operationId: 'getReturnUrls',
    summary: 'Retrieve the return URLs of a payment request',
    description: 'Returns the URLs as they were set, also if their origin was deleted since.',
    params,
  },
  success: [200, 'The return URLs.', Type.Ref('PaymentReturnUrls')],
  refusals: [refused.noToken, unknown],
  handler: ({ caller, params }, { db, findPayment }) =>
    getReturnUrls(db, findPayment, caller, params.payment_id),
})

export const returnUrlRoutes = [
  listReturnOriginsRoute,
  addReturnOriginRoute,
  deleteReturnOriginRoute,
  updatePaymentRoute,
  getReturnUrlsRoute,
]

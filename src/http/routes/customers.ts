import { Type } from 'typebox'
import { readCustomerId } from '../../customers/find-customers.ts'
import {
  getCustomer,
  listCustomerPayments,
  listCustomerSubscriptions,
  listCustomers,
} from '../../operations/customers.ts'
import { eraseCustomer } from '../../operations/erase-customer.ts'
import { exportCustomer } from '../../operations/export-customer.ts'
import { wholeJson } from '../../payments/payment.ts'
import { refundedAmounts } from '../../payments/refunds.ts'
import { subscriptionJson } from '../../subscriptions/subscription.ts'
import { route } from '../route.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  strictObject,
  timeOf,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendList } from '../send-text.ts'

const tags = ['Customers']
const params = Type.Object({ customer_id: idOf('cus', 'The id of the customer.') })
const unknown = ['not_found', 'The account has no customer with this id.'] as const

export const listCustomersRoute = route({
  method: 'GET',
  url: '/v1/customers',
  access: { token: 'required', operation: 'list_customers' },
  schema: {
    tags,
    operationId: 'listCustomers',
    summary: 'List customers',
    description:
      'Returns the customers of the account, newest first. A customer is an email address that ' +
      'the account requested a payment from; case is ignored.',
    querystring: Type.Object({
      ...cursorQuery,
      email: Type.Optional(
        Type.String({
          format: 'line',
          minLength: 1,
          maxLength: 254,
          description: 'Only customers whose email starts with this text. Case is ignored.',
          examples: ['customer@example.com'],
        }),
      ),
    }),
  },
  success: [200, 'A page of customers.', cursorList('Customer')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller, query }, { db }) => listCustomers(db, caller, query),
})

export const getCustomerRoute = route({
  method: 'GET',
  url: '/v1/customers/:customer_id',
  access: { token: 'required', operation: 'retrieve_customer' },
  schema: {
    tags,
    operationId: 'getCustomer',
    summary: 'Retrieve a customer',
    description: 'Returns a customer of the account, with sums of payments and refunds.',
    params,
  },
  success: [200, 'The customer.', Type.Ref('Customer')],
  refusals: [refused.noToken, refused.noAccount, unknown],
  handler: ({ caller, params }, { db }) => getCustomer(db, caller, params.customer_id),
})

export const listCustomerPaymentsRoute = route({
  method: 'GET',
  url: '/v1/customers/:customer_id/payments',
  access: { token: 'required', operation: 'list_customer_payments' },
  schema: {
    tags,
    operationId: 'listCustomerPayments',
    summary: 'List payment requests of a customer',
    description: 'Returns the payment requests of a customer, newest first.',
    params,
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of payment requests.', cursorList('Payment')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, unknown],
  handler: async ({ caller, params, query }, { db, public_url }, reply) => {
    const page = await listCustomerPayments(db, caller, params.customer_id, query)
    const refunded = await refundedAmounts(db, page.data)
    return sendList(reply, page, (row) => wholeJson(row, public_url, refunded(row)))
  },
})

export const listCustomerSubscriptionsRoute = route({
  method: 'GET',
  url: '/v1/customers/:customer_id/subscriptions',
  access: { token: 'required', operation: 'list_subscriptions' },
  schema: {
    tags,
    operationId: 'listCustomerSubscriptions',
    summary: 'List subscriptions of a customer',
    description: 'Returns the subscriptions of a customer, newest first.',
    params,
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of subscriptions.', cursorList('Subscription')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, unknown],
  handler: async ({ caller, params, query }, { db }, reply) => {
    const page = await listCustomerSubscriptions(db, caller, params.customer_id, query)
    return sendList(reply, page, subscriptionJson)
  },
})

const objects = (description: string) =>
  Type.Array(Type.Object({}, { additionalProperties: true }), { description })

export const exportCustomerRoute = route({
  method: 'GET',
  url: '/v1/customers/:customer_id/export',
  access: { token: 'required', operation: 'export_customer', step_up: true },
  schema: {
    tags,
    operationId: 'exportCustomer',
    summary: 'Export the data of a customer',
    description:
      'Returns everything that the account stores about a customer: payment requests with card ' +
      'attempts and charges, disputes, subscriptions, and the emails that were sent.',
    params,
  },
  success: [
    200,
    'The data of the customer.',
    Type.Object({
      exported_at: timeOf('When the data was read.'),
      customer: Type.Ref('Customer'),
      payments: Type.Array(Type.Ref('Payment'), { description: 'The payment requests.' }),
      attempts: objects('The card attempts, with the payment_id of each.'),
      charges: objects('The charges that paid, with the brand and last digits of the card.'),
      disputes: Type.Array(Type.Ref('Dispute'), { description: 'The disputes of the payments.' }),
      subscriptions: Type.Array(Type.Ref('Subscription'), { description: 'The subscriptions.' }),
      emails: objects('The emails to the customer, without their text.'),
      is_complete: Type.Boolean({
        description: 'false if the customer has more than 10,000 payment requests.',
        examples: [true],
      }),
    }),
  ],
  refusals: [refused.notOwner, refused.noAccount, unknown],
  handler: ({ caller, params }, { db, public_url }) =>
    exportCustomer({ db, public_url }, caller, params.customer_id),
})

export const eraseCustomerRoute = route({
  method: 'POST',
  url: '/v1/customers/:customer_id/erase',
  access: { token: 'required', operation: 'erase_customer', step_up: true },
  schema: {
    tags,
    operationId: 'eraseCustomer',
    summary: 'Erase the data of a customer',
    description:
      'Replaces the email of a customer by a keyed hash everywhere in the account: payment ' +
      'requests, subscriptions, emails, events, logs and stored responses. Amounts, postings and ' +
      'references stay. Cancel pending payment requests and subscriptions first. This cannot be ' +
      'undone. A person who was erased before keeps the id of the earlier customer.',
    params,
    body: strictObject({
      confirm_email: {
        ...fields.email,
        description: 'The email of this customer, to confirm. Case is ignored.',
      },
    }),
  },
  success: [200, 'The customer, with the hash as email.', Type.Ref('Customer')],
  refusals: [
    ['invalid_request', 'confirm_email is missing or is not the email of this customer.'],
    refused.notOwner,
    refused.noAccount,
    unknown,
    ['conflict', 'A payment request is pending or a subscription is not canceled.'],
  ],
  beforeBody: ({ params }) => void readCustomerId(params.customer_id),
  handler: ({ caller, params, body }, { db }) =>
    eraseCustomer(db, caller, params.customer_id, body.confirm_email),
})

export const customerRoutes = [
  listCustomersRoute,
  getCustomerRoute,
  listCustomerPaymentsRoute,
  listCustomerSubscriptionsRoute,
  exportCustomerRoute,
  eraseCustomerRoute,
]

import { Type } from 'typebox'
import {
  getCustomer,
  listCustomerPayments,
  listCustomerSubscriptions,
  listCustomers,
} from '../../operations/customers.ts'
import { wholeJson } from '../../payments/payment.ts'
import { refundedAmounts } from '../../payments/refunds.ts'
import { subscriptionJson } from '../../subscriptions/subscription.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, idOf } from '../schemas/resources.ts'
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

export const customerRoutes = [
  listCustomersRoute,
  getCustomerRoute,
  listCustomerPaymentsRoute,
  listCustomerSubscriptionsRoute,
]

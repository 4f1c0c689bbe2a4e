import { Type } from 'typebox'
import { search } from '../../operations/search.ts'
import { searchable_kinds } from '../../operations/search-result.ts'
import { route } from '../route.ts'
import { nullable, oneOf, timeOf } from '../schemas/resources.ts'

const result = Type.Object({
  kind: oneOf(searchable_kinds, { description: 'The kind of object.' }),
  id: Type.String({
    description: 'The id of the object.',
    examples: ['txn_01h455vb4pex5vsknk084sn02q'],
  }),
  account_id: nullable({
    description: 'The account of the object, or null if it has none.',
    examples: ['acct_01h455vb4pex5vsknk084sn02q'],
  }),
  title: Type.String({
    description: 'The reference, email, name or id of the object, for lists.',
    examples: ['Invoice 2026-114'],
  }),
  amount: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The amount in minor units, or null if the object has none.',
    examples: [7500],
  }),
  currency: nullable({ description: 'The currency of the amount.', examples: ['USD'] }),
  status: nullable({ description: 'The status, or null.', examples: ['succeeded'] }),
  customer_email: nullable({
    description: 'The email of the customer, or null.',
    examples: ['customer@example.com'],
  }),
  created_at: timeOf('When the object was created.'),
})

export const searchRoute = route({
  method: 'GET',
  url: '/v1/search',
  access: { token: 'required', operation: 'search' },
  schema: {
    tags: ['Search'],
    operationId: 'search',
    summary: 'Find objects',
    description:
      'Finds objects that you may see. A full id finds its object, and the code of a bank ' +
      'transfer (RF…) its payment request; admins and platform users find those of all ' +
      'accounts. Any other text is compared with customers, payment ' +
      'requests, transactions and subscriptions of your account, or of the account in ' +
      'Florin-Account: part of an email or a reference, an amount such as 42 or 1,234.50, or at ' +
      'least the last 4 characters of an id. Only the newest 10,000 objects of each kind are ' +
      'compared, and up to 10 of each kind are returned, newest first. Admins and platform ' +
      'users also find accounts and users by part of a name or email.',
    querystring: Type.Object({
      q: Type.String({
        format: 'line',
        minLength: 1,
        maxLength: 300,
        description: 'An id, part of an email, name or reference, or an amount.',
        examples: ['customer@example.com'],
      }),
    }),
  },
  success: [
    200,
    'The objects, grouped by kind.',
    Type.Object({
      data: Type.Array(result),
      searched_from: nullable({
        format: 'date-time',
        description:
          'null if all objects were compared. Otherwise older objects were not: search for a ' +
          'full id or email instead.',
        examples: [null],
      }),
    }),
  ],
  refusals: [
    ['invalid_request', 'q is missing or malformed.'],
    ['unauthorized', 'The token is missing, invalid or an API key.'],
    ['not_found', 'The account in Florin-Account does not exist or is not visible to you.'],
  ],
  handler: ({ caller, query }, { db }) => search(db, caller, query.q),
})

export const searchRoutes = [searchRoute]

import { Type } from 'typebox'
import { search, searchable_kinds } from '../../operations/search.ts'
import { route } from '../route.ts'
import { idOf, nullable, oneOf } from '../schemas/resources.ts'

export const searchRoute = route({
  method: 'GET',
  url: '/v1/search',
  access: { token: 'required', operation: 'search' },
  schema: {
    tags: ['Search'],
    operationId: 'search',
    summary: 'Find an object by its id',
    description:
      'Finds any object that you may see by its id. Admins and platform users find objects ' +
      'of all accounts, and admins also find a user by the full email. Events are looked up ' +
      'in your account, or in the account in Florin-Account.',
    querystring: Type.Object({
      q: Type.String({
        format: 'line',
        minLength: 1,
        maxLength: 300,
        description: 'The id or, for admins, an email address.',
        examples: ['acct_01h455vb4pex5vsknk084sn02q'],
      }),
    }),
  },
  success: [
    200,
    'The object.',
    Type.Object({
      kind: oneOf(searchable_kinds, { description: 'The kind of object.' }),
      id: idOf('txn', 'The id of the object.'),
      account_id: nullable({
        description: 'The account of the object, or null if it has none.',
        examples: ['acct_01h455vb4pex5vsknk084sn02q'],
      }),
    }),
  ],
  refusals: [
    ['invalid_request', 'q is missing or malformed.'],
    ['unauthorized', 'The token is missing, invalid or an API key.'],
    ['not_found', 'No object with this id exists or is visible to you.'],
  ],
  handler: ({ caller, query }, { db }) => search(db, caller, query.q),
})

export const searchRoutes = [searchRoute]

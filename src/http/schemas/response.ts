// The responses of a route for its schema: the success and every error with its status and
// codes. A test checks the responses of the whole suite against these lists.

import { type TSchema, Type } from 'typebox'
import type { RefusalCode } from '../../primitives/refusal.ts'
import { refusalStatus } from '../refusal-status.ts'

type Case = readonly [status: number, code: RefusalCode, when: string]

// Any route may return these.
const always: Case[] = [
  [429, 'rate_limited', 'Too many requests. Retry after the number of seconds in Retry-After.'],
  [500, 'internal_error', 'An internal error occurred. The cause is in the server log only.'],
  [503, 'unavailable', 'The database is unavailable or the server is overloaded. Retry shortly.'],
]

const withBody: Case[] = [
  [413, 'invalid_request', 'The request body is too large. The message states the maximum.'],
  [415, 'invalid_request', 'The request body is not application/json.'],
]

const withKey: Case[] = [
  [409, 'idempotency_conflict', 'A request with this Idempotency-Key is still in progress.'],
  [422, 'idempotency_conflict', 'This Idempotency-Key was used for a different request.'],
]

/** The response of a successful request. */
export type Success = readonly [status: 200 | 201 | 202, description: string, schema: TSchema]

/** An error of a route: its code and when it occurs. The status follows from the code. */
export type Refused = Case | readonly [code: RefusalCode, when: string]

/** The refusals that several routes share. */
export const refused = {
  badCursor: ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
  badParameter: ['invalid_request', 'A parameter is malformed.'],
  badFields: ['invalid_request', 'A field is missing, malformed or unknown.'],
  bodyNotEmpty: ['invalid_request', 'The request body is not empty.'],
  wrongCurrency: [
    'invalid_request',
    'A field is malformed, or the currency is not the currency of the account.',
  ],
  noToken: ['unauthorized', 'The token is missing or invalid.'],
  notPermitted: ['unauthorized', 'The token is missing, invalid or lacks permission.'],
  notAdmin: ['unauthorized', 'The token is missing, invalid or not an admin token.'],
  notOwner: [
    'unauthorized',
    'The token is missing, invalid, or neither an owner nor an admin token.',
  ],
  mayNotSettle: ['unauthorized', 'The token is missing, invalid or may not settle.'],
  noAccount: ['forbidden', 'The caller has no account, or Florin-Account is missing.'],
  unknownAccount: ['not_found', 'The account in Florin-Account does not exist.'],
  closedAccount: ['not_found', 'The account in Florin-Account does not exist or is closed.'],
  hiddenAccount: [
    'not_found',
    'The account in Florin-Account does not exist or is not visible to you.',
  ],
  unknownTransaction: ['not_found', 'No transaction with this id exists or is visible to you.'],
  emailExists: ['email_exists', 'A user with this email already exists.'],
} as const satisfies Record<string, Refused>

export function responseSchemas(
  [success_status, description, schema]: Success,
  refusals: readonly Refused[],
  { body, idempotent }: { body: boolean; idempotent: boolean },
): Record<number, TSchema> {
  const cases = [
    ...refusals.map(withStatus),
    ...(body ? withBody : []),
    ...(idempotent ? withKey : []),
    ...always,
  ]
  const statuses = [...new Set(cases.map(([status]) => status))].sort()
  const responses: [number, TSchema][] = statuses.map((status) => [
    status,
    errorSchema(cases.filter(([of_case]) => of_case === status)),
  ])
  return Object.fromEntries([[success_status, { ...schema, description }], ...responses])
}

function withStatus(item: Refused): Case {
  if (item.length === 3) return item
  return [refusalStatus[item[0]], item[0], item[1]]
}

/** Every endpoint outside the contract rejects unknown query parameters. */
export const unknownParameter = () =>
  errorSchema([[400, 'invalid_request', 'A query parameter is unknown.']])

function errorSchema(cases: Case[]): TSchema {
  const description = cases.map(([, code, when]) => `\`${code}\`: ${when}`).join('\n\n')
  const codes = [...new Set(cases.map(([, code]) => code))]
  return Type.Object(
    {
      error: Type.String({ enum: codes, description: 'A machine-readable error code.' }),
      message: Type.String({ description: 'What went wrong and what to do next, for humans.' }),
    },
    { description, examples: [{ error: codes[0], message: cases[0]![2] }] },
  )
}

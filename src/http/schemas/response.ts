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

export interface RouteResponses {
  success: { status: 200 | 201; description: string; schema: TSchema }
  body?: boolean
  /** Whether an Idempotency-Key is honored: on every authenticated change. */
  idempotent?: boolean
  refusals: readonly (Case | readonly [RefusalCode, string])[]
}

export function responseSchemas({
  success,
  body = false,
  idempotent = body,
  refusals,
}: RouteResponses): Record<number, TSchema> {
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
  const { status, description, schema } = success
  return Object.fromEntries([[status, { ...schema, description }], ...responses])
}

function withStatus(item: Case | readonly [RefusalCode, string]): Case {
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

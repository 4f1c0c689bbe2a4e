// A route is a named, exported object: its access, schema and responses are data, and its handler
// receives the parts of the server that it needs. addRoutes registers a list of them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../identity/caller.ts'
import { type Access, emptyBody, requireStepUpForFields } from './admission.ts'
import { type Deprecation, deprecationHeaders, describeDeprecation } from './deprecation.ts'
import type { RouteContext } from './route-context.ts'
import { withoutBody } from './schemas/resources.ts'
import { type Refused, responseSchemas, type Success } from './schemas/response.ts'

/** The request as the schema describes it. Admission sets the caller where a token is required. */
export type RouteRequest<Token = Access['token'], Schema = object> = FastifyRequest<{
  Params: Described<Schema, 'params'>
  Querystring: Described<Schema, 'querystring'>
  Body: Described<Schema, 'body'>
}> & { caller: Token extends 'required' ? Caller : Caller | undefined }

type Described<Schema, Part extends string> =
  Schema extends Record<Part, infer Found extends TSchema> ? Static<Found> : unknown

interface Definition<Token, Schema> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  access: Access & { token: Token }
  bodyLimit?: number
  deprecated?: Deprecation
  /** A missing body counts as `{}`. Implied by withoutBody. */
  body_optional?: boolean
  quiet?: boolean
  streaming?: boolean
  /** Runs before the body is read: a malformed id in the path is 404, whatever the body is. */
  beforeBody?(request: RouteRequest<Token, Schema>, context: RouteContext): unknown
  handler(request: RouteRequest<Token, Schema>, context: RouteContext, reply: FastifyReply): unknown
  /** Sends the error in another form than the rest of the server. */
  onError?(
    error: unknown,
    request: FastifyRequest,
    context: RouteContext,
    reply: FastifyReply,
  ): unknown
}

interface OperationSchema {
  tags: readonly string[]
  operationId: string
  summary: string
  description: string
  security?: readonly object[]
  produces?: readonly string[]
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  /** Responses other than the success and the refusals. */
  response?: Record<number, TSchema>
}

interface Responses {
  success: Success
  refusals: readonly Refused[]
  /** Set to false to leave out 413 and 415. */
  lists_body_refusals?: false
}

/** A route without the types of its parts, for lists of routes. */
export interface Route extends Definition<Access['token'], object> {
  schema: { body?: TSchema }
  status: number
}

/** An operation of the API, documented by its schema, its success and its refusals. */
export function route<Token extends Access['token'], Schema extends OperationSchema>(
  operation: Definition<Token, Schema> & Responses & { schema: Schema },
): Route {
  const { success, refusals, lists_body_refusals, schema, ...definition } = operation
  const { access, method, handler, deprecated } = definition
  const responses = responseSchemas(success, refusals, {
    body: lists_body_refusals ?? schema.body !== undefined,
    idempotent: 'operation' in access && method !== 'GET',
  })
  // Stack traces then show the operation.
  Object.defineProperty(handler, 'name', { value: schema.operationId })
  const response = { ...responses, ...schema.response }
  const documented = { ...schema, ...describeDeprecation(schema.description, deprecated), response }
  return { ...definition, status: success[0], schema: documented }
}

/** A page or a file, which the OpenAPI document leaves out. */
export function page<
  Token extends Access['token'],
  Schema extends { params?: TSchema; body?: TSchema },
>(definition: Definition<Token, Schema> & { schema?: Schema }): Route {
  const hidden = { ...definition.schema, hide: true }
  return { ...definition, status: 200, schema: hidden }
}

export function addRoutes(
  app: FastifyInstance,
  context: RouteContext,
  routes: readonly Route[],
): void {
  for (const definition of routes) addRoute(app, context, definition)
}

function addRoute(app: FastifyInstance, context: RouteContext, definition: Route): void {
  const { access, quiet, streaming, body_optional, beforeBody, handler, onError, ...others } =
    definition
  const { status, deprecated, ...rest } = others
  const is_body_optional = body_optional || rest.schema.body === withoutBody
  const step_up = 'step_up' in access ? access.step_up : undefined
  const step_up_fields = typeof step_up === 'object' ? step_up.fields : undefined
  app.route({
    ...rest,
    // A copy, because Fastify changes it and a process may run several servers.
    schema: { ...rest.schema },
    config: { access, ...(quiet && { quiet }), ...(streaming && { streaming }) },
    ...(beforeBody && {
      onRequest: async (request) => {
        await beforeBody(request as RouteRequest, context)
      },
    }),
    ...(onError && {
      errorHandler: (error, request, reply) => onError(error, request, context, reply),
    }),
    ...(step_up_fields && {
      preHandler: (request) => requireStepUpForFields(context.db, request, step_up_fields),
    }),
    ...(is_body_optional && { preValidation: emptyBody }),
    ...(deprecated && {
      onSend: async (_request, reply) => {
        reply.headers(deprecationHeaders(deprecated))
      },
    }),
    handler: (request, reply) => {
      if (status !== 200) reply.code(status)
      return handler(request as RouteRequest, context, reply)
    },
  })
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import { eventJson } from '../../events/event.ts'
import { readTypeFilter } from '../../events/event-types.ts'
import { getEvent, listEvents } from '../../events/list-events.ts'
import type { Db } from '../../postgres/database.ts'
import { findEventObject } from '../../reports/event-object.ts'
import { getActingAccountId } from '../../sessions/acting-account.ts'
import { visibleEventTypes } from '../../sessions/visible-events.ts'
import { callerOf } from '../admission.ts'
import { listOf } from '../developer-schemas.ts'
import type { EventStreams } from '../event-streams.ts'
import { eventFilters } from '../list-filters.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorQuery, idOf } from '../schemas.ts'
import { sendText } from '../send-text.ts'
import { Type } from '../type.ts'

const tags = ['Events']

const noToken = ['unauthorized', 'The token is missing or not valid.'] as const
const noAccount = ['forbidden', 'The token has no account, or Florin-Account is missing.'] as const
const unknown = ['not_found', 'Florin-Account names no account that you may see.'] as const
const access = { token: 'required', operation: 'read_events' } as const

const streamExample =
  'retry: 1000\nid: 41\n\nid: 42\nevent: transaction.succeeded\n' +
  'data: {"id":"evt_01h455vb4pex5vsknk084sn02q","type":"transaction.succeeded"}\n\n'

const stream = {
  content: { 'text/event-stream': { schema: Type.String({ examples: [streamExample] }) } },
} as unknown as TSchema

const over = {
  type: 'null',
  description:
    'The account is closed and has no events after this number. Browsers do not reconnect then, ' +
    'and neither should you.',
} as unknown as TSchema

export interface EventRouteParts {
  db: Db
  streams: EventStreams
}

export function eventRoutes({ db, streams }: EventRouteParts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/events',
      config: { access },
      schema: {
        tags,
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'What happened to the account in the last 90 days, newest first. With after, oldest ' +
          'first from the next number on: nothing is missed. Events about what the caller may ' +
          'not list are left out, so that their numbers are missing; otherwise numbers have no ' +
          'gaps. A key needs the read scope of a noun to see its events: transactions:read for ' +
          'transaction.*.',
        querystring: Type.Object({
          ...cursorQuery,
          ...eventFilters,
          after: Type.Optional(
            Type.Integer({
              minimum: 0,
              description: 'A sequence: events with greater ones, oldest first.',
            }),
          ),
          object: Type.Optional(
            Type.String({
              maxLength: 100,
              description:
                'Only events about this object: the id of a transaction, payment request, ' +
                'subscription, user, API key or the account.',
              examples: ['txn_01h455vb4pex5vsknk084sn02q'],
            }),
          ),
        }),
        response: responseSchemas({
          success: { status: 200, description: 'A page of events.', schema: listOf('Event') },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noToken,
            noAccount,
            unknown,
          ],
        }),
      },
      handler: async (request, reply) => {
        // A bad query is told before an account that is not there.
        readTypeFilter(request.query.type)
        const caller = callerOf(request)
        const account_id = await getActingAccountId(db, caller)
        const about = await findEventObject(db, account_id, request.query.object)
        const query = { ...request.query, about, visible: visibleEventTypes(caller) }
        const page = await listEvents(db, account_id, query)
        const data = page.data.map(eventJson).join(',')
        const body = `{"object":"list","data":[${data}],"has_more":${page.has_more}}`
        return sendText(reply, { status: 200, body, replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/events/:event_id',
      config: { access },
      schema: {
        tags,
        operationId: 'getEvent',
        summary: 'Retrieve an event',
        description: 'Of your own account, or of the one that Florin-Account names.',
        params: Type.Object({ event_id: idOf('evt', 'The id of the event.') }),
        response: responseSchemas({
          success: { status: 200, description: 'The event.', schema: Type.Ref('Event') },
          refusals: [noToken, noAccount, ['not_found', 'No event that you may see has this id.']],
        }),
      },
      handler: async (request, reply) => {
        const caller = callerOf(request)
        const account_id = await getActingAccountId(db, caller)
        const visible = visibleEventTypes(caller)
        const event = await getEvent(db, account_id, request.params.event_id, visible)
        return sendText(reply, { status: 200, body: eventJson(event), replayed: false })
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/events/stream',
      config: { access, streaming: true },
      schema: {
        tags,
        operationId: 'streamEvents',
        summary: 'Follow events as they happen',
        description:
          'Server-sent events, each with its sequence as id. It begins with what happens next, ' +
          'or after the sequence in Last-Event-ID, which browsers send when they reconnect, or ' +
          'in after. It ends with the token, with the account, and when Florin stops. ' +
          'account.closed is the last event of an account, and comes whatever type says. In ' +
          'silence a heartbeat comes every 15 seconds. An id without data is no event, but after ' +
          'it the next connection goes on: it comes first of all, and as the heartbeat where ' +
          'type leaves events out.',
        querystring: Type.Object({
          ...eventFilters,
          after: Type.Optional(
            Type.Integer({ minimum: 0, description: 'A sequence: begin with the one after it.' }),
          ),
        }),
        response: {
          ...responseSchemas({
            success: { status: 200, description: 'Events, one after another.', schema: stream },
            refusals: [
              ['invalid_request', 'A parameter or Last-Event-ID is malformed.'],
              noToken,
              noAccount,
              unknown,
              [429, 'rate_limited', 'This token or its account has too many streams open already.'],
            ],
          }),
          204: over,
        },
      },
      handler: async (request, reply) => {
        const { query, headers } = request
        const last_event_id = headers['last-event-id'] as string | undefined
        const opened = await streams.open(callerOf(request), { ...query, last_event_id })
        if (opened === undefined) return reply.code(204).send()
        reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8')
        // Of something without end the head is all that a HEAD can wait for.
        if (request.method !== 'HEAD') return reply.send(opened)
        opened.destroy()
        return reply.send()
      },
    })
  }
}

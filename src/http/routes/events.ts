import { type TSchema, Type } from 'typebox'
import { eventJson } from '../../events/event.ts'
import { readTypeFilter } from '../../events/event-types.ts'
import { getEvent, listEvents } from '../../events/list-events.ts'
import { getActingAccountId } from '../../identity/acting-account.ts'
import { visibleEventTypes } from '../../identity/sessions/visible-events.ts'
import { findEventObject } from '../../operations/reports/event-object.ts'
import { route } from '../route.ts'
import { eventFilters } from '../schemas/list-filters.ts'
import { cursorList, cursorQuery, idOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendJson, sendList } from '../send-text.ts'

const tags = ['Events']

const access = { token: 'required', operation: 'read_events' } as const

const streamExample =
  'retry: 1000\nid: 41\n\nid: 42\nevent: transaction.succeeded\n' +
  'data: {"id":"evt_01h455vb4pex5vsknk084sn02q","type":"transaction.succeeded"}\n\n'

const stream = {
  content: { 'text/event-stream': { schema: Type.String({ examples: [streamExample] }) } },
} as unknown as TSchema

const closedAccount = {
  type: 'null',
  description:
    'The account is closed and has no events after this position. Browsers do not reconnect, ' +
    'and other clients should not either.',
} as unknown as TSchema

export const listEventsRoute = route({
  method: 'GET',
  url: '/v1/events',
  access,
  schema: {
    tags,
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'Returns the events of the account in the last 90 days, newest first. With after: the ' +
      'events after that sequence, oldest first, so that none is missed. Events about ' +
      'objects that the caller may not list are left out; otherwise sequences have no gaps. ' +
      'An API key needs the read scope of an object to see its events: transactions:read for ' +
      'transaction.*.',
    querystring: Type.Object({
      ...cursorQuery,
      ...eventFilters,
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Only events with a greater sequence, oldest first.',
        }),
      ),
      object: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'Only events about this object: the id of a transaction, payment request, ' +
            'subscription, dispute, user, API key or the account.',
          examples: ['txn_01h455vb4pex5vsknk084sn02q'],
        }),
      ),
    }),
  },
  success: [200, 'A page of events.', cursorList('Event')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: async ({ caller, query }, { db }, reply) => {
    // A malformed filter is reported before an unknown account.
    readTypeFilter(query.type)
    const account_id = await getActingAccountId(db, caller)
    const about = await findEventObject(db, account_id, query.object)
    const filters = { ...query, about, visible: visibleEventTypes(caller) }
    return sendList(reply, await listEvents(db, account_id, filters), eventJson)
  },
})

export const getEventRoute = route({
  method: 'GET',
  url: '/v1/events/:event_id',
  access,
  schema: {
    tags,
    operationId: 'getEvent',
    summary: 'Retrieve an event',
    description: 'Returns an event of your account, or of the account in Florin-Account.',
    params: Type.Object({ event_id: idOf('evt', 'The id of the event.') }),
  },
  success: [200, 'The event.', Type.Ref('Event')],
  refusals: [
    refused.noToken,
    refused.noAccount,
    ['not_found', 'No event with this id exists or is visible to you.'],
  ],
  handler: async ({ caller, params }, { db }, reply) => {
    const account_id = await getActingAccountId(db, caller)
    const visible = visibleEventTypes(caller)
    const event = await getEvent(db, account_id, params.event_id, visible)
    return sendJson(reply, eventJson(event))
  },
})

export const streamEventsRoute = route({
  method: 'GET',
  url: '/v1/events/stream',
  access,
  streaming: true,
  schema: {
    tags,
    operationId: 'streamEvents',
    summary: 'Stream events',
    description:
      'Sends events as server-sent events with their sequence as id. The stream starts with ' +
      'the next event, or after the sequence in Last-Event-ID, which browsers send when they ' +
      'reconnect, or in after. It ends when the token expires or is revoked, when the ' +
      'account is closed, and when the server stops. account.closed is the last event of an ' +
      'account and is sent regardless of type. Without events, a heartbeat is sent every 15 ' +
      'seconds. An id without data is not an event but updates the position: it is sent ' +
      'first, and as the heartbeat when type filters events out.',
    querystring: Type.Object({
      ...eventFilters,
      after: Type.Optional(Type.Integer({ minimum: 0, description: 'Start after this sequence.' })),
    }),
    response: { 204: closedAccount },
  },
  success: [200, 'A stream of events.', stream],
  refusals: [
    ['invalid_request', 'A parameter or Last-Event-ID is malformed.'],
    refused.noToken,
    refused.noAccount,
    refused.hiddenAccount,
    [429, 'rate_limited', 'This token or its account has too many open streams.'],
  ],
  handler: async (request, { streams }, reply) => {
    const { caller, query, headers } = request
    const last_event_id = headers['last-event-id'] as string | undefined
    const opened = await streams.open(caller, { ...query, last_event_id })
    if (opened === undefined) return reply.code(204).send()
    reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8')
    // A stream has no end, so HEAD gets the headers only.
    if (request.method !== 'HEAD') return reply.send(opened)
    opened.destroy()
    return reply.send()
  },
})

export const eventRoutes = [listEventsRoute, getEventRoute, streamEventsRoute]

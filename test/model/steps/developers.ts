// API keys, webhook endpoints and events by id.

import fc from 'fast-check'
import { account_scopes, createKey, listKeys, revokeKey } from '../api-keys.ts'
import { getEvent } from '../events.ts'
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../webhooks.ts'
import type { ModelRequest, World } from '../world.ts'
import {
  caller,
  callerAndAccountFor,
  cursor,
  header,
  idOf,
  key,
  list_limit,
  listQuery,
  number,
  pick,
  step,
} from './choices.ts'

const who = { caller, header }

const scope = fc.constantFrom(...account_scopes, '*', '*', 'users:read')

const createApiKey = step(
  'create key',
  fc.record({
    ...who,
    account: number,
    name: fc.constantFrom('Shop', 'Till'),
    scopes: fc.array(scope, { minLength: 1, maxLength: 4 }),
    key,
  }),
  (world, data) => {
    const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
    const body = { name: data.name, scopes: data.scopes }
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/api_keys',
      ...requester,
      body,
      key: data.key,
    }
    return { request, outcome: createKey(world, request, body) }
  },
)

const revoke = step('revoke key', fc.record({ ...who, number, key }), (world, data) => {
  const one = pick(world.keys, data.number)
  const requester = callerAndAccountFor(world, data, one?.account ?? world.accounts[0])
  const path = `/v1/api_keys/${idOf(one, 'key')}`
  const request: ModelRequest = { method: 'DELETE', path, ...requester, key: data.key }
  return { request, outcome: revokeKey(world, request, one) }
})

const keys = step(
  'list keys',
  fc.record({ ...who, account: number, limit: list_limit, cursor }),
  (world, data) => {
    const account = pick(world.accounts, data.account)
    const requester = callerAndAccountFor(world, data, account)
    const { query, input } = listQuery(world.keys, data, {}, account)
    const request: ModelRequest = { method: 'GET', path: `/v1/api_keys?${query}`, ...requester }
    return { request, outcome: listKeys(world, request, input) }
  },
)

const url = fc.constantFrom(
  'https://example.com/one',
  'https://example.com/two',
  'https://example.com/three',
  'https://10.0.0.1/inside',
)
const events = fc.constantFrom(['*'], ['transaction.*'], ['payment.succeeded', 'user.*'])

const createHook = step(
  'create endpoint',
  fc.record({ ...who, account: number, url, events, key }),
  (world, data) => {
    const requester = callerAndAccountFor(world, data, pick(world.accounts, data.account))
    const body = { url: data.url, events: data.events }
    const request: ModelRequest = {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      ...requester,
      body,
      key: data.key,
    }
    return { request, outcome: createEndpoint(world, request, body) }
  },
)

function about(
  world: World,
  data: { number: number; key?: string | undefined } & Parameters<typeof callerAndAccountFor>[1],
  method: string,
  path = '',
) {
  const one = pick(world.endpoints, data.number)
  const requester = callerAndAccountFor(world, data, one?.account ?? world.accounts[0])
  const where = `/v1/webhook_endpoints/${idOf(one, 'we')}${path}`
  const request: ModelRequest = { method, path: where, ...requester, key: data.key }
  return { one, request }
}

const getHook = step('get endpoint', fc.record({ ...who, number }), (world, data) => {
  const { request, one } = about(world, data, 'GET')
  return { request, outcome: getEndpoint(request, one) }
})

const updateHook = step(
  'update endpoint',
  fc.record({
    ...who,
    number,
    url: fc.option(url, { nil: undefined }),
    events: fc.option(events, { nil: undefined }),
    status: fc.constantFrom(undefined, 'enabled', 'disabled' as const),
    key,
  }),
  (world, data) => {
    const { request, one } = about(world, data, 'PATCH')
    const { url, events, status } = data
    const changes = { url, events, status }
    request.body = changes
    return { request, outcome: updateEndpoint(request, one, changes) }
  },
)

const rotate = step(
  'rotate secret',
  fc.record({ ...who, number, overlap_seconds: fc.constantFrom(0, 3_600), key }),
  (world, data) => {
    const { request, one } = about(world, data, 'POST', '/rotate')
    request.body = { overlap_seconds: data.overlap_seconds }
    return { request, outcome: rotateSecret(request, one, data.overlap_seconds) }
  },
)

const deleteHook = step('delete endpoint', fc.record({ ...who, number, key }), (world, data) => {
  const { request, one } = about(world, data, 'DELETE')
  return { request, outcome: deleteEndpoint(request, one) }
})

const hooks = step(
  'list endpoints',
  fc.record({ ...who, account: number, limit: list_limit, cursor }),
  (world, data) => {
    const account = pick(world.accounts, data.account)
    const requester = callerAndAccountFor(world, data, account)
    const { query, input } = listQuery(world.endpoints, data, {}, account)
    const request: ModelRequest = {
      method: 'GET',
      path: `/v1/webhook_endpoints?${query}`,
      ...requester,
    }
    return { request, outcome: listEndpoints(world, request, input) }
  },
)

const getEventById = step(
  'get event',
  fc.record({ ...who, account: number, number }),
  (world, data) => {
    const account = pick(world.accounts, data.account)
    if (account === undefined) return undefined
    const followed = account.events.filter(({ id }) => id.value !== undefined)
    const event = pick(followed, data.number)
    const requester = callerAndAccountFor(world, data, account)
    const path = `/v1/events/${event?.id.known ?? idOf(undefined, 'evt')}`
    const request: ModelRequest = { method: 'GET', path, ...requester }
    const sequence = event === undefined ? 0 : account.events.indexOf(event) + 1
    return { request, outcome: getEvent(request, account, sequence) }
  },
)

export const developerParts = { createApiKey }
export const developerStarts = [createApiKey, createHook]
export const keySteps = [createApiKey, createApiKey, revoke, keys]
export const webhookSteps = [createHook, updateHook, rotate, deleteHook, getHook, hooks]
export const eventSteps = [getEventById, getEventById, getEventById]

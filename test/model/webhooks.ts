// Webhook endpoints. Unlike everything else, they use real time.

import { type ListInput, page } from './lists.ts'
import { authorizeForAccount } from './permissions.ts'
import { anyTime, Matcher, Placeholder } from './unify.ts'
import type { Account, Endpoint, ModelRequest, Outcome, World } from './world.ts'
import { badRequest, notFound, time } from './world.ts'

// The worker disables the endpoints of a closed account after the last event has been delivered.
const ended = {
  status: new Matcher('a status', (value) => value === 'enabled' || value === 'disabled'),
  disabled_reason: new Matcher('a reason', (value) => value === null || typeof value === 'string'),
  updated_at: anyTime,
}

function showEndpoint(one: Endpoint) {
  const { id, account, url, status, created_at, updated_at } = one
  const disabled_reason = status === 'enabled' ? null : 'manual'
  return {
    id,
    account_id: account.id,
    url,
    events: [...one.events],
    status,
    disabled_reason,
    failing_since: null,
    previous_secret_expires_at: one.rotated ? anyTime : null,
    replay: null,
    created_at,
    updated_at,
    ...(account.status === 'closed' ? ended : {}),
  }
}

interface EndpointInput {
  url: string
  events: readonly string[]
}

/** A URL with a private address is rejected immediately. */
const bodyWith = (url: string | undefined) => (url?.startsWith('https://10.') ? 'bad' : 'good')
const max_endpoints = 20

export function createEndpoint(world: World, request: ModelRequest, input: EndpointInput): Outcome {
  const authorized = authorizeForAccount(request, 'manage webhooks', bodyWith(input.url))
  if ('status' in authorized) return authorized
  const { account } = authorized
  if (account.status === 'closed') return notFound()
  if (account.status !== 'active') return badRequest()
  if (ofAccount(world, account).length >= max_endpoints) return badRequest()
  const at = time()
  const one: Endpoint = {
    id: new Placeholder('we'),
    turn: world.turn,
    account,
    url: input.url,
    events: [...new Set(input.events)],
    status: 'enabled',
    rotated: false,
    deleted: false,
    created_at: at,
    updated_at: at,
  }
  world.endpoints.push(one)
  return { status: 201, body: { ...showEndpoint(one), secret: new Placeholder('webhook_secret') } }
}

function ofAccount(world: World, account: Account): Endpoint[] {
  return world.endpoints.filter((one) => one.account === account && !one.deleted)
}

function find(
  request: ModelRequest,
  one: Endpoint | undefined,
  body: 'good' | 'bad' = 'good',
): { row: Endpoint } | Outcome {
  const authorized = authorizeForAccount(request, 'manage webhooks', body)
  if ('status' in authorized) return authorized
  return one?.account === authorized.account && !one.deleted ? { row: one } : notFound()
}

/** For changes: a closed account is read-only. */
function findOpen(
  request: ModelRequest,
  one: Endpoint | undefined,
  body: 'good' | 'bad' = 'good',
): { row: Endpoint } | Outcome {
  const found = find(request, one, body)
  return 'row' in found && found.row.account.status === 'closed' ? notFound() : found
}

export function getEndpoint(request: ModelRequest, one: Endpoint | undefined): Outcome {
  const found = find(request, one)
  return 'status' in found ? found : { status: 200, body: showEndpoint(found.row) }
}

interface EndpointChanges {
  url?: string | undefined
  events?: readonly string[] | undefined
  status?: 'enabled' | 'disabled' | undefined
}

export function updateEndpoint(
  request: ModelRequest,
  one: Endpoint | undefined,
  changes: EndpointChanges,
): Outcome {
  const found = findOpen(request, one, bodyWith(changes.url))
  if ('status' in found) return found
  const { row } = found
  const { url = row.url, events = row.events, status = row.status } = changes
  const after = JSON.stringify([url, events, status])
  const before = JSON.stringify([row.url, row.events, row.status])
  if (after !== before) Object.assign(row, { url, events, status, updated_at: time() })
  return { status: 200, body: showEndpoint(row) }
}

export function rotateSecret(
  request: ModelRequest,
  one: Endpoint | undefined,
  overlap_s: number,
): Outcome {
  const found = findOpen(request, one)
  if ('status' in found) return found
  Object.assign(found.row, { rotated: overlap_s > 0, updated_at: time() })
  return {
    status: 200,
    body: { ...showEndpoint(found.row), secret: new Placeholder('webhook_secret') },
  }
}

export function deleteEndpoint(request: ModelRequest, one: Endpoint | undefined): Outcome {
  const found = findOpen(request, one)
  if ('status' in found) return found
  found.row.deleted = true
  return { status: 200, body: showEndpoint(found.row) }
}

export function listEndpoints(
  world: World,
  request: ModelRequest,
  input: ListInput<Endpoint>,
): Outcome {
  const authorized = authorizeForAccount(request, 'manage webhooks')
  if ('status' in authorized) return authorized
  return page(ofAccount(world, authorized.account), input, showEndpoint)
}

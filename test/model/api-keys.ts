// API keys: shown once, limited to their scopes, revoked together with their creator.

import { type ListInput, page } from './lists.ts'
import { authorizeForAccount } from './permissions.ts'
import { Placeholder, timeOrNull } from './unify.ts'
import type { ApiKey, ModelRequest, Outcome, World } from './world.ts'
import { badRequest, expectEvent, notFound, time } from './world.ts'

export const account_scopes = [
  'accounts:read',
  'transactions:read',
  'transactions:write',
  'payments:read',
  'payments:write',
  'disputes:read',
  'disputes:write',
  'subscriptions:read',
  'subscriptions:write',
  'balance:read',
  'events:read',
  '*',
]

function showKey({ id, name, scopes, last4, created_at, revoked_at }: ApiKey) {
  // The last use is recorded in batches, a little later.
  return { id, name, scopes, last4, created_at, last_used_at: timeOrNull, revoked_at }
}

interface KeyInput {
  name: string
  scopes: string[]
}

export function createKey(world: World, request: ModelRequest, input: KeyInput): Outcome {
  const is_good = input.scopes.every((scope) => account_scopes.includes(scope))
  const authorized = authorizeForAccount(request, 'manage keys', is_good ? 'good' : 'bad')
  if ('status' in authorized) return authorized
  const { account, actor } = authorized
  if (account.status === 'closed') return notFound()
  if (account.status !== 'active') return badRequest()
  const key: ApiKey = {
    id: new Placeholder('key'),
    turn: world.turn,
    account,
    creator: actor.person!,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    key: new Placeholder('api_key'),
    last4: new Placeholder('last4'),
    created_at: time(),
    revoked_at: null,
  }
  world.keys.push(key)
  expectEvent(world, account, 'api_key.created', showKey(key))
  return { status: 201, body: { ...showKey(key), key: key.key } }
}

export function listKeys(world: World, request: ModelRequest, input: ListInput<ApiKey>): Outcome {
  const authorized = authorizeForAccount(request, 'manage keys')
  if ('status' in authorized) return authorized
  const own = world.keys.filter(({ account }) => account === authorized.account)
  return page(own, input, showKey)
}

/** Revoking a revoked key changes nothing and returns the same response. */
export function revokeKey(world: World, request: ModelRequest, key: ApiKey | undefined): Outcome {
  const authorized = authorizeForAccount(request, 'manage keys')
  if ('status' in authorized) return authorized
  const { account } = authorized
  if (account.status === 'closed' || key?.account !== account) return notFound()
  revokeKeysOf(world, (one) => one === key)
  return { status: 200, body: showKey(key) }
}

export function revokeKeysOf(world: World, choose: (key: ApiKey) => boolean): void {
  for (const key of world.keys.filter((one) => one.revoked_at === null && choose(one))) {
    key.revoked_at = time()
    expectEvent(world, key.account, 'api_key.revoked', showKey(key))
  }
}

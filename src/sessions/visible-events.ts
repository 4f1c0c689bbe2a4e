// Which events a caller may read: those about a noun that it may also list. An event carries its
// object as the API showed it, so it must not reveal what the endpoint of that object refuses.

import { type EventType, eventTypes } from '../events/event-types.ts'
import type { Caller } from './caller.ts'
import { mayUse, type Permission } from './permissions.ts'

type Noun = EventType extends `${infer Name}.${string}` ? Name : never

const reading: Record<Noun, Permission> = {
  user: 'list_account_users',
  account: 'retrieve_account',
  transaction: 'list_transactions',
  payment: 'list_payments',
  subscription: 'list_subscriptions',
  api_key: 'manage_api_keys',
}

/** Undefined when the caller may read all of them. */
export function visibleEventTypes(caller: Caller): readonly string[] | undefined {
  const types = eventTypes.filter((type) => mayUse(caller, reading[type.split('.')[0] as Noun]))
  return types.length === eventTypes.length ? undefined : types
}

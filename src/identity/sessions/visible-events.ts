// The events that a caller may read: those about objects that it may also list. An event contains
// its object, so it must not reveal what the endpoint of that object would reject.

import { type EventType, eventTypes } from '../../events/event-types.ts'
import type { Caller } from '../caller.ts'
import { mayUse, type Permission } from '../permissions.ts'

type Noun = EventType extends `${infer Name}.${string}` ? Name : never

const permissionToRead: Record<Noun, Permission> = {
  user: 'list_account_users',
  account: 'retrieve_account',
  transaction: 'list_transactions',
  payment: 'list_payments',
  payment_link: 'list_payment_links',
  subscription: 'list_subscriptions',
  dispute: 'list_disputes',
  transfer: 'list_transfers',
  payout: 'list_payouts',
  api_key: 'manage_api_keys',
}

/** Undefined if the caller may read all types. */
export function visibleEventTypes(caller: Caller): readonly string[] | undefined {
  const types = eventTypes.filter((type) =>
    mayUse(caller, permissionToRead[type.split('.')[0] as Noun]),
  )
  return types.length === eventTypes.length ? undefined : types
}

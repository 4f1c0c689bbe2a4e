// Events: one per change, numbered without gaps, with the object as the API shows it.

import { authorize, authorizeForAccount } from './permissions.ts'
import type { Account, ExpectedEvent, ModelRequest, Outcome } from './world.ts'
import { notFound } from './world.ts'

export function showEvent(account: Account, event: ExpectedEvent, sequence: number) {
  const { id, type, created_at, data } = event
  return { id, type, account_id: account.id, sequence, created_at, data }
}

/** An event is visible to those who may read its object. */
const operationToRead = {
  user: 'list account users',
  account: 'retrieve account',
  transaction: 'read transactions',
  payment: 'read payments',
  subscription: 'read subscriptions',
  api_key: 'manage keys',
} as const

/** An event whose sequence is already known. */
export function getEvent(request: ModelRequest, of: Account, sequence: number): Outcome {
  const authorized = authorizeForAccount(request, 'read events')
  if ('status' in authorized) return authorized
  const { account } = authorized
  const event = of.events[sequence - 1]
  if (event === undefined || account !== of) return notFound()
  const noun = event.type.split('.')[0] as keyof typeof operationToRead
  if ('status' in authorize(request, operationToRead[noun])) return notFound()
  return { status: 200, body: showEvent(account, event, sequence) }
}
